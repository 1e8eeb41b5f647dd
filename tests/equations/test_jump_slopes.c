/** Derivatives of jumps against differences of them. */
#define SAL_LANES 1
#include "energy_text.h"
#include "kernels/run_one.h"
#include "plain_file.h"
#include "tangent_model.h"

/* Slope of a jump that closes contact k, along x [n_state] and the time, by Richardson's extrapolation. */
static void by_differences(const sal_model *m, const double p[], int k, const bool closed[],
                           double h, double t, const double y[], const double x[], double dt,
                           double out[])
{
  double side[4][SAL_MAX_STATE];
  static const double at[] = {1, -1, 2, -2};

  for (int s = 0; s < 4; ++s) {
    bool mode[SAL_MAX_CONTACT];
    memcpy(mode, closed, sizeof mode);
    for (int i = 0; i < m->n_state; ++i) side[s][i] = y[i] + at[s] * h * x[i];
    sal_model_jump(m, p, k, mode, t + at[s] * h * dt, side[s]);
  }
  for (int i = 0; i < m->n_state; ++i)
    out[i] = (8 * (side[0][i] - side[1][i]) - (side[2][i] - side[3][i])) / (12 * h);
}

/* The largest derivative that was met. */
static double compare_by(double h, const sal_model *m, const double p[], int k, const bool closed[],
                         const double y[], const double x[])
{
  double words[SAL_MAX_P], hand[SAL_MAX_STATE], found[SAL_MAX_STATE], most = 0;
  sal_m mode[SAL_MAX_CONTACT];

  sal_model_fill(m, p, words);
  for (int c = 0; c < m->n_guard; ++c) mode[c] = SAL_MASK(closed[c]);
  const sal_phase s = {
      .n_guard = m->n_guard, .p = words, .closed = mode, .held = ~sal_none(), .inner = m->inner};
  CU_ASSERT_FATAL(m->exact_jumps);
  sal_program_jump_slope(&s, k, ~sal_none(), 0.7, y, x, 0.4, found);
  by_differences(m, p, k, closed, h, 0.7, y, x, 0.4, hand);
  for (int i = 0; i < m->n_state; ++i) {
    CU_ASSERT(fabs(found[i] - hand[i]) <= 1e-6 * (1 + fabs(hand[i])));
    most = fmax(most, fabs(found[i]));
  }
  return most;
}

static double compare(const sal_model *m, const double p[], int k, const bool closed[],
                      const double y[], const double x[])
{
  return compare_by(1e-4, m, p, k, closed, y, x);
}

static sal_equation_model *read_model(const char *name)
{
  char path[1024], *text;

  snprintf(path, sizeof path, SAL_SWEEPS "/models/%s.yaml", name);
  CU_ASSERT_EQUAL_FATAL(sal_text_file_read(path, "a model", &text), SAL_OK);
  sal_equation_model *e = parse(text);
  sal_free(text);
  return e;
}

static void draw_states(const sal_model *m, double y[], double x[])
{
  for (int i = 0; i < m->n_state; ++i) {
    const bool discrete = i >= sal_model_continuous(m);
    y[i] = discrete ? m->state[i].preset : chance(-0.6, 0.6);
    x[i] = discrete ? 0 : chance(-1, 1);
  }
}

static void test_derivatives_are_those_of_the_jump(void)
{
  static const char *const names[] = {"two-legged-hopper", "rocking-block",
                                      "shaking-table-equations"};

  for (int n = 0; n < 3; ++n) {
    sal_equation_model *e = read_model(names[n]);
    const sal_model *m = sal_equation_model_get(e);
    double p[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, y[SAL_MAX_STATE], x[SAL_MAX_STATE], most = 0;
    for (int i = 0; i < m->n_param; ++i) p[i] = m->param[i].preset;
    for (int i = 0; i < 40; ++i) {
      bool closed[SAL_MAX_CONTACT] = {true};
      draw_states(m, y, x);
      most = fmax(most, compare(m, p, 0, closed, y, x));
    }
    CU_ASSERT(most > 0.3);
    sal_equation_model_free(e);
  }
}

/* Impacts of a rough rod in closed form, and its tip as it stops and as it is let go: vectors have no rate then. */
static void test_a_rod_has_its_own(void)
{
  sal_equation_model *e = parse(rod);
  const sal_model *m = sal_equation_model_get(e);

  for (int i = 0; i < 200; ++i) {
    const double p[] = {0.5, i % 2 ? 0.3 : 0.02, 2, 0.1};
    bool closed[SAL_MAX_CONTACT] = {true, i % 4 > 1};
    double y[SAL_MAX_STATE], x[SAL_MAX_STATE];
    draw_states(m, y, x);
    y[1] = 0.6 * sin(y[2]);
    const double rate = y[4] - 0.6 * cos(y[2]) * y[5];
    y[4] -= i % 4 > 1 ? rate : fmax(rate + 0.1, 0);
    compare(m, p, i % 4 > 1, closed, y, x);
  }
  sal_equation_model_free(e);
}

/* A jump that takes up a discrete state, and the time. */
static void test_discrete_states_and_time_count(void)
{
  sal_equation_model *e = parse(
      "equations: 1\nname: e\nstates: {x: {preset: 0}}\ndiscrete: {q: {preset: 2}}\nflow: {x: 1}\n"
      "contacts: {c: {names: [a, b], gap: x - q, closes: {x: q^2 + sin(t) * x, q: 3 * q - x * "
      "t}}}\n");
  const sal_model *m = sal_equation_model_get(e);
  const bool closed[SAL_MAX_CONTACT] = {true};
  const double y[] = {1.5, 2.5}, x[] = {0.3, -0.8}, none[] = {0};

  CU_ASSERT(compare(m, none, 0, closed, y, x) > 1);
  sal_equation_model_free(e);
}

/* A floor whose waves are much shorter than the states are large. */
static void test_fine_surfaces_are_resolved(void)
{
  sal_equation_model *e = parse(
      "equations: 1\nname: e\ncoordinates: {x: {preset: 0, rate: u}, y: {preset: 1, rate: v}}\n"
      "kinetic: (u^2 + v^2) / 2\npotential: 9.81 * y\ncontacts: {c: {names: [a, b], gap: y - "
      "1e-6 * sin(2e5 * x), law: {rigid: {restitution: 0.8}}}}\n");
  const bool closed[SAL_MAX_CONTACT] = {true};
  const double y[] = {4e-6, 7e-7, 0.1, -4}, x[] = {0.3, 0.06, 0, 0}, none[] = {0};

  CU_ASSERT(compare_by(1e-9, sal_equation_model_get(e), none, 0, closed, y, x) > 1e3);
  sal_equation_model_free(e);
}

/* A ball that falls straight onto such a floor, y = 1e-6 sin(2e5 x), by a model whose jumps do not have their derivatives: how the
 * place where it starts moves its speeds and places after the impact. */
static void test_differences_resolve_fine_surfaces(void)
{
  sal_equation_model *e = parse(
      "equations: 1\nname: e\nstates: {x: {preset: 0}, y: {preset: 1}, u: {preset: 0}, v: {preset: "
      "-1}}\nlet: {s: 0.2 * cos(2e5 * x), n: 1.8 * (v - s * u) / (1 + s^2)}\nflow: {x: u, y: v, u: "
      "0, v: 0}\ncontacts: {c: {names: [a, b], gap: y - 1e-6 * sin(2e5 * x), closes: {u: u + s * "
      "n, v: v - n}}}\n");
  static sal_tangent_model t;
  const double x = 4e-6, s = 0.2 * cos(0.8), by = -4e4 * sin(0.8), none[] = {0};
  const double one = 1 + s * s, away = -1.8 * by * (1 - s * s) / (one * one),
               left = 0.5 + 1e-6 * sin(0.8);
  const double speed[] = {-1.8 * s / one, 1.8 / one}, up = -3.6 * s * by / (one * one);
  const double exact[] = {1 + away * left + s * speed[0], up * left + s * speed[1], away, up};
  double full[SAL_MAX_STATE], v[4], unit[4] = {1}, end[4];
  sal_model m = *sal_equation_model_get(e);

  m.exact_jumps = false;
  sal_tangent_model_make(&m, 1, &t);
  sal_tangent_model_load(&t, (double[]){x, 1, 0, -1}, unit, full);
  sal_setup setup = config("decay", "dop853", "event", 1e-12, 1.5);
  setup.model = &t.model;
  const sal_job job = {.param = none, .initial = full, .end = full};
  sal_record r;
  run_batch(&setup, 1, 1, &job, &r);
  CU_ASSERT_EQUAL(n_event(&r), 2);
  sal_tangent_model_read(&t, full, end, v, NULL);
  for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(v[i], exact[i], 1e-6 * fabs(exact[2]));
  sal_equation_model_free(e);
}

SAL_TEST_MAIN("derivatives of jumps", NULL, {"jumps", test_derivatives_are_those_of_the_jump},
              {"a rod", test_a_rod_has_its_own},
              {"discrete states and time", test_discrete_states_and_time_count},
              {"fine surfaces", test_fine_surfaces_are_resolved},
              {"fine surfaces by differences", test_differences_resolve_fine_surfaces})
