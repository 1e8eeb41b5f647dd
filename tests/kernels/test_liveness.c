/** A projection cannot start on a surface that both fields lead to; the outcome reports it. */
#include "run_one.h"
#include "sal_test.h"
#include "two_fields.h"

enum { OPEN, CLOSED };

static sal_record run(const char *strategy, double open, double closed, double *end)
{
  double state[2];
  sal_samples ends = {.n_mesh = 1, .state = state};
  sal_setup setup = config("decay", "ode45", strategy, 1e-6, 2);
  const double param[] = {[OPEN] = open, [CLOSED] = closed}, start[] = {1};

  setup.model = &two_fields;
  setup.max_attempts = 100000;
  const sal_record r = run_one(&setup, param, start, &ends, NULL);
  *end = state[1];
  return r;
}

static void a_surface_that_is_crossed_is_live(void)
{
  static const char *const strategies[] = {"ess", "ess2", "event"};

  for (int i = 0; i < 3; ++i) {
    double end;
    const sal_record r = run(strategies[i], -1, -3, &end);
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(n_event(&r), 1);
    CU_ASSERT_DOUBLE_EQUAL(end, -3, 1e-12);
  }
}

static void a_surface_that_both_fields_lead_to_is_not(void)
{
  static const char *const strategies[] = {"ess", "ess2"};

  for (int i = 0; i < 2; ++i) {
    double end;
    const sal_record r = run(strategies[i], -1, 3, &end);
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_NOT_EVENT_SELECTED);
    CU_ASSERT_DOUBLE_EQUAL(r.value[SAL_METRIC_T_REACHED], 1, 1e-9);
    CU_ASSERT(isnan(end));
  }
}

/* A contact that is only grazed is turned back by the field on either side, which is not a lack of
 * liveness.  Gravity points up here. */
static void a_graze_is_no_lack_of_liveness(void)
{
  static const double param[] = {-1, 10, 0.2}, start[] = {1e-8, -1e-4};
  double state[4];
  sal_samples ends = {.n_mesh = 1, .state = state};
  sal_setup setup = config("linear-ground", "ode45", "ess2", 1e-8, 0.1);
  const sal_record r = run_one(&setup, param, start, &ends, NULL);

  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  CU_ASSERT(r.value[SAL_METRIC_PROJECTIONS] >= 2);
  CU_ASSERT_DOUBLE_EQUAL(state[2], 0.5 * 0.01, 2e-5);
}

SAL_TEST_MAIN("liveness", NULL,
              {"a surface that is crossed is live", a_surface_that_is_crossed_is_live},
              {"a surface that both fields lead to is not",
               a_surface_that_both_fields_lead_to_is_not},
              {"a graze is not a lack of liveness", a_graze_is_no_lack_of_liveness})
