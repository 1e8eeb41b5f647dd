/** Errors against a certified trajectory. */
#include "hopper.h"
#include "memory.h"
#include "sal_test.h"
#include "trajectory.h"

/* y' = -lambda y, whose solution needs no certificate. */
static void the_error_is_the_one_against_the_exact_solution(void)
{
  enum { N = 200 };
  const sal_setup setup = {.model = sal_registry_model("decay"),
                           .method = sal_registry_method("ode45"),
                           .strategy = sal_registry_strategy("switch"),
                           .rtol = 1e-4,
                           .atol = 1e-4,
                           .t_end = 2};
  const double lambda[1] = {1.5}, one[1] = {1};
  const long live = sal_memory_live();
  double sum = 0;
  sal_certified_run y;
  sal_trajectory tr;
  sal_certified_measurement s;

  CU_ASSERT_FATAL(sal_trajectory_run(&setup, lambda, one, 2.0 / N, &tr) == SAL_OK);
  for (int j = 0; j <= N; ++j) sum += pow(tr.state[j] - exp(-lambda[0] * tr.t[j]), 2);
  CU_ASSERT_FATAL(sal_certified_run_create(&setup, lambda, one, 0, N, &y) == SAL_OK);
  CU_ASSERT(sal_certified_run_measure(&y, &setup, 0, &s) == SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(s.rms, sqrt(sum / (N + 1)), 1e-12);
  CU_ASSERT(s.rms > 1e-9);
  CU_ASSERT(y.error < 1e-11 && y.error > 0);
  sal_trajectory_free(&tr);
  sal_certified_run_free(&y);
  CU_ASSERT_EQUAL(sal_memory_live(), live);
}

static double hopper_rms(int watch)
{
  const hopper h = hopper_with(200);
  const sal_setup setup = hopper_config("event", 1e-6);
  sal_certified_run y;
  sal_certified_measurement s;

  CU_ASSERT_FATAL(sal_certified_run_create(&setup, h.param, h.initial, watch, HOPPER_MESH, &y) ==
                  SAL_OK);
  CU_ASSERT(sal_certified_run_measure(&y, &setup, 0, &s) == SAL_OK);
  sal_certified_run_free(&y);
  return s.rms;
}

static void all_states_together_are_as_wrong_as_their_errors_squared_and_summed(void)
{
  const double z = hopper_rms(HOPPER_Z), v = hopper_rms(HOPPER_V), all = hopper_rms(SAL_ALL_STATES);

  CU_ASSERT_DOUBLE_EQUAL(all, hypot(z, v), 1e-9 * all);
  CU_ASSERT(z > 1e-8 && v > 2 * z); /* with z alone, or v alone, the sum would be another */
}

static void what_ends_early_is_infinitely_wrong(void)
{
  const hopper h = hopper_with(200);
  sal_setup setup = hopper_config("event", 1e-6);
  sal_certified_run y;
  sal_certified_measurement s;

  CU_ASSERT_FATAL(sal_certified_run_create(&setup, h.param, h.initial, HOPPER_Z, 10, &y) == SAL_OK);
  CU_ASSERT(isfinite(y.error) && y.record.value[SAL_METRIC_OUTCOME] == SAL_OUT_DONE);
  setup.max_attempts = 5;
  CU_ASSERT(sal_certified_run_measure(&y, &setup, 0, &s) == SAL_OK);
  CU_ASSERT(isinf(s.rms) && s.record.value[SAL_METRIC_OUTCOME] == SAL_OUT_STEP_CAP);
  sal_certified_run_free(&y);
  CU_ASSERT_FATAL(sal_certified_run_create(&setup, h.param, h.initial, HOPPER_Z, 10, &y) == SAL_OK);
  CU_ASSERT(isinf(y.error) && y.record.value[SAL_METRIC_OUTCOME] == SAL_OUT_STEP_CAP);
  sal_certified_run_free(&y);
}

static void a_run_is_timed_when_asked_for(void)
{
  const hopper h = hopper_with(200);
  const sal_setup setup = hopper_config("event", 1e-12);
  sal_certified_run y;
  sal_certified_measurement s;

  CU_ASSERT_FATAL(sal_certified_run_create(&setup, h.param, h.initial, HOPPER_Z, 10, &y) == SAL_OK);
  CU_ASSERT(sal_certified_run_measure(&y, &setup, 0, &s) == SAL_OK);
  CU_ASSERT(isnan(s.record.value[SAL_METRIC_SD]));
  CU_ASSERT(sal_certified_run_measure(&y, &setup, 3, &s) == SAL_OK);
  CU_ASSERT(s.record.value[SAL_METRIC_SD] > 0 && s.record.value[SAL_METRIC_SD] < 1);
  sal_certified_run_free(&y);
}

SAL_TEST_MAIN("certified", NULL,
              {"the error is the one against the exact solution",
               the_error_is_the_one_against_the_exact_solution},
              {"all states together are as wrong as their errors squared and summed",
               all_states_together_are_as_wrong_as_their_errors_squared_and_summed},
              {"what ends early is infinitely wrong", what_ends_early_is_infinitely_wrong},
              {"a run is timed when asked for", a_run_is_timed_when_asked_for})
