/** Orders of solvers from texts, between two bounds: on a smooth problem at the ends of steps and between them, and
 *  across impacts.
 */
#include "kernels/bounces.h"
#include "kernels/order.h"
#include "kernels/smooth_growth.h"
#include "solver_text.h"

enum { MOST = 4000, EVENTS = 7 };

static int between; /* 1: look at the middle of each step, 0: at its end */

static sal_setup fixed_steps(const sal_model *model, const sal_method *method, double span,
                             int n_step)
{
  return (sal_setup){.model = model,
                     .method = method,
                     .strategy = sal_registry_strategy("event"),
                     .rtol = 1e-13,
                     .atol = 1e-13,
                     .t_end = span,
                     .max_step = span,
                     .fixed_step = span / n_step,
                     .max_attempts = 2 * n_step + 1000};
}

static double smooth_error(const sal_method *method, int max_order, int n_step)
{
  static double state[(2 * MOST + 1) * 2];
  const double span = 16, initial[] = {2.5, 1.5}, none[] = {0};
  sal_samples samples = {.n_mesh = 2 * (int64_t)n_step, .state = state};
  const sal_setup setup = fixed_steps(&smooth_growth, method, span, n_step);
  const sal_record out = run_one(&setup, none, initial, &samples, NULL);
  double worst = 0;

  (void)max_order;
  if (outcome(&out) != SAL_OUT_DONE) return NAN;
  for (int j = between; j <= 2 * n_step; j += 2) {
    long double right[2];
    smooth_growth_exact((long double)span * j / (2 * n_step), right);
    for (int i = 0; i < 2; ++i) worst = fmax(worst, fabs((double)(state[2 * j + i] - right[i])));
  }
  return worst;
}

static double impact_error(const sal_method *method, int max_order, int n_step)
{
  static const double span = 12, param[] = {1, 10, 0.2}, initial[] = {1, 0};
  const bounces b = bounces_solve(param, initial[0], initial[1], span);
  sal_event event[EVENTS] = {{0}};
  double at_events[EVENTS][2 * 2];
  sal_events log = {.event = event, .capacity = EVENTS, .state = *at_events, .n_state = 2};
  const sal_setup setup = fixed_steps(sal_registry_model("linear-ground"), method, span, n_step);
  const sal_record out = run_one(&setup, param, initial, NULL, &log);
  double worst = 0;

  (void)max_order;
  if (outcome(&out) != SAL_OUT_DONE || log.n != EVENTS) return NAN;
  for (int i = 0; i < EVENTS; ++i) {
    long double right[2];
    bounces_in_phase(&b, &b.phase[i + 1], 0, right);
    worst = fmax(worst, fabs((double)(event[i].t - b.phase[i + 1].t)));
    worst = fmax(worst, fabs((double)(event[i].y[1] - right[1])));
  }
  return worst;
}

static void check_method(const sal_method *method)
{
  const order_member m = {method, 0, method->order};

  between = 0;
  CU_ASSERT(fabs(order_off(smooth_error, &m, m.theory, MOST, 1e-11)) < 0.2);
  between = 1;
  CU_ASSERT(fabs(order_off(smooth_error, &m, order_between(&m), MOST, 1e-11)) < 0.2);
  CU_ASSERT(fabs(order_off(impact_error, &m, m.theory, MOST, 3e-12)) < 0.35);
}

static void texts_have_the_order_that_they_state(void)
{
  static const char *const names[] = {"dormand-prince", "bogacki-shampine", "ros34pw2",
                                      "rosenbrock23"};

  printf("\n");
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    sal_tableau_text *solver = solver_named(names[i]);
    check_method(&solver->method);
    sal_tableau_text_free(solver);
  }
}

/* The cubic polynomial between the steps of a method of order 5: events repeat the step then. */
static void a_poor_dense_output_leaves_the_order_at_events(void)
{
  SAL_OWN char *text = solver_text("dormand-prince");

  *strstr(text, "dense:") = '\0';
  sal_tableau_text *solver = solver_of(text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(solver);
  CU_ASSERT_EQUAL(solver->method.dense_order, 4);
  check_method(&solver->method);
  sal_tableau_text_free(solver);
}

SAL_TEST_MAIN("orders of solvers from texts", NULL,
              {"texts have the order that they state", texts_have_the_order_that_they_state},
              {"a poor dense output leaves the order at events",
               a_poor_dense_output_leaves_the_order_at_events})
