/** States in other units, with their `scale`: the same run, bit by bit where the units differ by a power of 2.  And
 *  states of first order beside positions and velocities.
 */
#include "equation_text.h"
#include "kernels/run_one.h"

enum { UNIT = 1024 };

/* A ball on a springy and then on a hard floor, lengths in units of 1 / unit. */
static sal_equation_model *ball_in(double unit, double scale, bool hard)
{
  char text[1024];
  sal_equation_model *made;

  snprintf(text, sizeof text,
           "equations: 1\nname: ball\nspan: 3\n"
           "parameters: {g: {preset: %.17g}, k: {preset: 4e3}, e: {preset: 0.6}}\n"
           "states:\n  z: {preset: %.17g, scale: %.17g}\n"
           "  v: {preset: 0, rate_of: z, scale: %.17g}\n"
           "contacts: {floor: {names: [hit, off], gap: z%s}}\n"
           "flow: {z: %s, v: \"-g - (k * z + 1 * v if floor else 0)\"}\n",
           9.8125 * unit, unit / 2, scale, scale,
           hard ? ", stays: rests, release: 1, closes: {z: 0, v: 0 if rests else -e * v}" : "",
           hard ? "0 if floor else v" : "v");
  if (sal_equation_model_parse("ball.yaml", text, &made) != SAL_OK)
    fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL_FATAL(made);
  return made;
}

static sal_record run_of(const sal_equation_model *e, const sal_method *method, double tol,
                         double end[])
{
  const sal_model *m = sal_equation_model_get(e);
  const sal_setup u = {.model = m,
                       .method = method,
                       .strategy = sal_registry_strategy("event"),
                       .rtol = tol,
                       .atol = tol,
                       .t_end = 3,
                       .max_attempts = 200000};
  const double initial[] = {m->state[0].preset, 0},
               param[] = {m->param[0].preset, m->param[1].preset, m->param[2].preset};
  const sal_job job = {.param = param, .initial = initial, .end = end};
  sal_record r;

  run_batch(&u, 1, 1, &job, &r);
  return r;
}

static void a_scale_makes_units_alike(void)
{
  int alike = 0, other = 0;

  for (int hard = 0; hard < 2; ++hard) {
    sal_equation_model *metres = ball_in(1, 1, hard), *small = ball_in(UNIT, UNIT, hard),
                       *bare = ball_in(UNIT, 1, hard);
    for (int m = 0; sal_registry_methods[m]; ++m)
      for (int i = 0; i < 3; ++i) {
        const double tol = (const double[]){1e-3, 1e-5, 1e-7}[i];
        double end[3][2];
        const sal_record a = run_of(metres, sal_registry_methods[m], tol, end[0]);
        const sal_record b = run_of(small, sal_registry_methods[m], tol, end[1]);
        const sal_record c = run_of(bare, sal_registry_methods[m], tol, end[2]);
        CU_ASSERT(outcome(&a) == SAL_OUT_DONE && a.value[SAL_METRIC_EVENTS] > 1);
        CU_ASSERT_EQUAL(a.value[SAL_METRIC_STEPS], b.value[SAL_METRIC_STEPS]);
        CU_ASSERT_EQUAL(a.value[SAL_METRIC_RHS], b.value[SAL_METRIC_RHS]);
        CU_ASSERT_EQUAL(a.value[SAL_METRIC_EVENTS], b.value[SAL_METRIC_EVENTS]);
        CU_ASSERT(UNIT * end[0][0] == end[1][0] && UNIT * end[0][1] == end[1][1]);
        alike += a.value[SAL_METRIC_RHS] == b.value[SAL_METRIC_RHS];
        other += a.value[SAL_METRIC_RHS] != c.value[SAL_METRIC_RHS];
      }
    sal_equation_model_free(metres);
    sal_equation_model_free(small);
    sal_equation_model_free(bare);
  }
  CU_ASSERT(alike > 50 && other > alike / 2); /* without it the answer depends on the unit */
}

static void a_scale_that_is_none_is_refused(void)
{
  static const char *const refused[] = {"0", "-1", "1e31", "fast"};

  for (int i = 0; i < 4; ++i) {
    char text[256];
    sal_equation_model *made = NULL;
    snprintf(text, sizeof text,
             "equations: 1\nname: decays\nstates:\n  x: {preset: 1, scale: %s}\nflow: {x: -x}\n",
             refused[i]);
    CU_ASSERT_NOT_EQUAL(sal_equation_model_parse("x.yaml", text, &made), SAL_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "x.yaml:4: state x"));
  }
}

/* x'' = p - x, p' = -p. */
static void a_state_of_first_order_stands_beside_pairs(void)
{
  static const char text[] = "equations: 1\nname: driven\nspan: 3\nstates: {x: {preset: 1}, "
                             "v: {preset: 0, rate_of: x}, p: {preset: 1}}\n"
                             "flow: {x: v, v: p - x, p: -p}\n";
  sal_equation_model *made;
  int ran = 0, left_out = 0;

  CU_ASSERT_EQUAL_FATAL(sal_equation_model_parse("driven.yaml", text, &made), SAL_OK);
  const sal_model *m = sal_equation_model_get(made);
  CU_ASSERT(m->velocity[0] == 2 && !sal_model_is_second_order(m));
  for (int k = 0; sal_registry_methods[k]; ++k) {
    const sal_method *method = sal_registry_methods[k];
    double end[3];
    if (!sal_method_solves(method, m)) {
      CU_ASSERT(method->second_order);
      ++left_out;
      continue;
    }
    const sal_setup u = {.model = m,
                         .method = method,
                         .strategy = sal_registry_strategy("event"),
                         .rtol = 1e-7,
                         .atol = 1e-7,
                         .t_end = 3,
                         .max_attempts = 200000};
    const double initial[] = {1, 0, 1};
    const sal_job job = {.param = NULL, .initial = initial, .end = end};
    sal_record r;
    run_batch(&u, 1, 1, &job, &r);
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
    CU_ASSERT_DOUBLE_EQUAL(end[0], (cos(3) + sin(3) + exp(-3)) / 2, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(end[2], exp(-3), 1e-5);
    ++ran;
  }
  CU_ASSERT(ran >= 10 && left_out == 2);
  sal_equation_model_free(made);
}

SAL_TEST_MAIN("scales of states", NULL, {"a scale makes units alike", a_scale_makes_units_alike},
              {"a scale that is none is refused", a_scale_that_is_none_is_refused},
              {"a state of first order stands beside pairs",
               a_state_of_first_order_stands_beside_pairs})
