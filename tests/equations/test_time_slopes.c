/** df/dt of texts: against differences, and in the methods that take it. */
#define SAL_LANES 1
#include "../kernels/run_one.h"
#include "energy_text.h"
#include "plain_file.h"

/* By Richardson's extrapolation of central differences. */
static void by_differences(const sal_model *m, const sal_phase *s, double t, const double y[],
                           double out[])
{
  const double h = 1e-3;
  double side[4][SAL_MAX_STATE];
  static const double at[] = {1, -1, 2, -2};

  for (int i = 0; i < 4; ++i) m->w1->rhs(s, t + at[i] * h, y, side[i]);
  for (int i = 0; i < sal_model_continuous(m); ++i)
    out[i] = (8 * (side[0][i] - side[1][i]) - (side[2][i] - side[3][i])) / (12 * h);
}

/* The largest derivative that was met at drawn points. */
static double compare(const sal_model *m, const double p[], bool closed)
{
  double words[SAL_MAX_P], most = 0;
  sal_m mode[SAL_MAX_GUARD];

  sal_model_fill(m, p, words);
  for (int k = 0; k < m->n_guard; ++k) mode[k] = SAL_MASK(closed);
  for (int n = 0; n < 50; ++n) {
    double y[SAL_MAX_STATE], found[SAL_MAX_STATE], hand[SAL_MAX_STATE];
    const double t = chance(0, 3);
    for (int i = 0; i < m->n_state; ++i)
      y[i] = i < sal_model_continuous(m) ? chance(-0.6, 0.6) : m->state[i].preset;
    const sal_phase s = {.n_guard = m->n_guard,
                         .p = words,
                         .closed = mode,
                         .held = ~sal_none(),
                         .q = y + sal_model_continuous(m),
                         .inner = m->inner};
    m->w1->by_time(&s, t, y, found);
    by_differences(m, &s, t, y, hand);
    for (int i = 0; i < sal_model_continuous(m); ++i) {
      CU_ASSERT(fabs(found[i] - hand[i]) <= 1e-7 * (1 + fabs(hand[i])));
      most = fmax(most, fabs(found[i]));
    }
  }
  return most;
}

static void test_slopes_are_those_of_f(void)
{
  static const char *const names[] = {"vibro-impact-equations", "rocking-block",
                                      "shaking-table-equations"};

  for (int n = 0; n < 3; ++n) {
    char path[1024], *text;
    snprintf(path, sizeof path, SAL_SWEEPS "/models/%s.yaml", names[n]);
    CU_ASSERT_EQUAL_FATAL(sal_text_file_read(path, "a model", &text), SAL_OK);
    sal_equation_model *e = parse(text);
    sal_free(text);
    const sal_model *m = sal_equation_model_get(e);
    double p[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0};
    for (int i = 0; i < m->n_param; ++i) p[i] = m->param[i].preset;
    CU_ASSERT(fmax(compare(m, p, false), compare(m, p, true)) > 0.1);
    sal_equation_model_free(e);
  }
}

/* Counts and the largest error at the end of x'' = -x + cos 2t - x' from its particular solution. */
static sal_record ring(const sal_model *m, const char *method, sal_jacobian jacobian, double h,
                       double *error)
{
  sal_setup u = config("monopod", method, "switch", 1e-6, 3);
  const double y0[] = {-3.0 / 13, 4.0 / 13}, none[1] = {0};
  double path[2][2];
  sal_samples samples = {.n_mesh = 1, .state = path[0]};

  u.model = m;
  u.jacobian = jacobian;
  u.fixed_step = h;
  const sal_record r = run_one(&u, none, y0, &samples, NULL);
  *error = fabs(path[1][0] - (-3 * cos(6.0) + 2 * sin(6.0)) / 13);
  return r;
}

/* The differences for J cost n evaluations of f, those for df/dt `more`, and `once` for the first step. */
static void check_method(const sal_model *m, const char *method, double order, int more, int once)
{
  double coarse, fine, differences;
  const sal_record a = ring(m, method, SAL_JACOBIAN_ANALYTIC, 0.06, &coarse);
  const sal_record b = ring(m, method, SAL_JACOBIAN_DIFFERENCES, 0.06, &differences);

  ring(m, method, SAL_JACOBIAN_ANALYTIC, 0.03, &fine);
  const double found = log2(coarse / fine);
  CU_ASSERT(found > order - 0.3 && found < order + 0.4);
  CU_ASSERT(fabs(coarse - differences) < 1e-3 * coarse);
  CU_ASSERT(a.value[SAL_METRIC_JACOBIANS] > 40);
  CU_ASSERT_EQUAL(b.value[SAL_METRIC_RHS] - a.value[SAL_METRIC_RHS],
                  (2 + more) * a.value[SAL_METRIC_JACOBIANS] + once);
}

static void test_methods_take_them(void)
{
  sal_equation_model *e =
      parse("equations: 1\nname: e\nstates: {x: {preset: 0}, v: {preset: 0, rate_of: x}}\n"
            "flow: {x: v, v: -x - v + cos(2 * t)}\n");
  const sal_model *m = sal_equation_model_get(e);

  check_method(m, "ode23s", 2, 1, 0);
  check_method(m, "rosnys4", 4, 2, 1);
  sal_equation_model_free(e);
}

SAL_TEST_MAIN("df/dt of texts", NULL, {"slopes", test_slopes_are_those_of_f},
              {"methods", test_methods_take_them})
