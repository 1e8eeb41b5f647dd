/** A trajectory that cannot go on is an outcome in its record: it stops, and stores how far it came.
 */
#include "event_log.h"
#include "sal_test.h"

static logged_run run;

typedef void check_config(const char *method, const char *strategy);

static void for_every_config(check_config *check)
{
  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int s = 0; sal_registry_strategies[s]; ++s)
      if (sal_strategy_drives(sal_registry_strategies[s], sal_registry_methods[m]))
        check(sal_registry_methods[m]->name, sal_registry_strategies[s]->name);
}

static void check_cap(const char *method, const char *strategy)
{
  static const double param[] = {1, 10, 0.2}, initial[] = {1, 0};
  sal_setup setup = config("linear-ground", method, strategy, 1e-9, 12);
  const double *value = run.record.value;

  if (!is_frugal(setup.method)) setup.rtol = setup.atol = 1e-4; /* 50 steps see the impact */

  if (setup.fixed_step > 0) return; /* its steps are too many for this cutoff by design */
  setup.max_attempts = 50;
  run_logged(&setup, param, initial, &run);
  CU_ASSERT_EQUAL(outcome(&run.record), SAL_OUT_STEP_CAP);
  CU_ASSERT(value[SAL_METRIC_T_REACHED] > 0.1 && value[SAL_METRIC_T_REACHED] < 12);
  const double tried =
      value[SAL_METRIC_STEPS] + value[SAL_METRIC_FAILED] + value[SAL_METRIC_GUARDED];
  /* with an old Jacobian an attempt may count twice; one repeated towards a root is in no count */
  CU_ASSERT(tried <= (setup.method->implicit ? 2 : 1) * 50 && tried >= 30);
  setup.max_attempts = 0;
  run_logged(&setup, param, initial, &run);
  CU_ASSERT_EQUAL(outcome(&run.record), SAL_OUT_DONE);
}

static void the_cap_on_attempts_is_kept(void) { for_every_config(check_cap); }

/* A plate so fast that one projection after the other takes it to and fro between two surfaces, and
 * no step comes between. */
static void projections_without_end_are_capped(void)
{
  static const double param[] = {2,           412.518945, 7.65533985, 13.6892399, 3.82759837,
                                 0.495173241, 3.50458222, 7.98250664, 1.15819281, 0.0521456326,
                                 0,           12,         0,          0};
  static const double initial[] = {-280664.415382, 490.520296833, -0.163175831743,
                                   831.401455473,  53.3545838272, -2231167.41225};
  sal_setup setup = config("plate", "ode23s", "ess", 1e-3, 5);

  setup.zone = 4e-3;
  setup.n_guard = 2;
  setup.max_attempts = 20000;
  run_logged(&setup, param, initial, &run);
  CU_ASSERT_EQUAL(outcome(&run.record), SAL_OUT_STEP_CAP);
  CU_ASSERT(run.record.value[SAL_METRIC_PROJECTIONS] > 0.9 * (double)setup.max_attempts);
}

/* The ground's damping is not a number, so the first contact ends the run; or the start is not. */
static void check_not_finite(const char *method, const char *strategy)
{
  static const double broken[] = {1, 10, NAN}, whole[] = {1, 10, 0.2};
  static const double fall[] = {1, 0}, nowhere[] = {NAN, 0}, fast[] = {1, INFINITY};
  const sal_setup setup = config("linear-ground", method, strategy, 1e-5, 12);

  run_logged(&setup, broken, fall, &run);
  CU_ASSERT_NOT_EQUAL(outcome(&run.record), SAL_OUT_DONE);
  CU_ASSERT_NOT_EQUAL(outcome(&run.record), SAL_OUT_STEP_CAP);
  CU_ASSERT_DOUBLE_EQUAL(run.record.value[SAL_METRIC_T_REACHED], sqrt(2), 0.05);
  run_logged(&setup, whole, nowhere, &run);
  CU_ASSERT_EQUAL(outcome(&run.record), SAL_OUT_NOT_FINITE);
  run_logged(&setup, whole, fast, &run);
  CU_ASSERT_EQUAL(outcome(&run.record), SAL_OUT_NOT_FINITE);
  CU_ASSERT_EQUAL(run.record.value[SAL_METRIC_T_REACHED], 0);
}

static void what_is_no_number_is_not_finite(void) { for_every_config(check_not_finite); }

/* After an infinitely stiff wall the error test fails at the smallest step, or a step that is damped
 * without end stays on the surface: what that is called is up to the method, but done it is not, nor does
 * it take for ever, and it is at the wall. */
static void check_wall(const char *method, const char *strategy)
{
  static const double wall[] = {1e200, 1.88, 22.8, 0.051, 0, 0, 0}, initial[] = {0.5, 0, 1.5, 0};
  const sal_setup setup = config("monopod", method, strategy, 1e-5, 12);

  if (strcmp(strategy, "event") != 0) return; /* stages of `switch` may be thrown to infinity */
  run_logged(&setup, wall, initial, &run);
  const int is = outcome(&run.record);
  CU_ASSERT(is != SAL_OUT_DONE && is != SAL_OUT_STEP_CAP);
  CU_ASSERT_DOUBLE_EQUAL(run.record.value[SAL_METRIC_T_REACHED], 4.428, 1e-2);
  CU_ASSERT_EQUAL(run.events.n, 1);
}

static void a_wall_ends_the_run(void) { for_every_config(check_wall); }

/* The surplus of a full log is counted, not stored. */
static void a_full_log_counts_on(void)
{
  static const double param[] = {1, 10, 0.2}, initial[] = {1, 0};
  const sal_setup setup = config("linear-ground", "ode45", "event", 1e-6, 12);
  sal_event event[4];
  sal_events log = {.event = event, .capacity = 3};

  event[3].t = -1;
  const sal_record out = run_one(&setup, param, initial, NULL, &log);
  CU_ASSERT_EQUAL(log.n, 7);
  CU_ASSERT_EQUAL(n_event(&out), 7);
  CU_ASSERT(event[2].t > event[1].t && event[3].t == -1);
}

static void no_jobs_are_no_work(void)
{
  const sal_setup setup = config("linear-ground", "ode45", "event", 1e-6, 12);
  sal_record out = {.value = {42}};

  run_batch(&setup, 1, 0, NULL, &out);
  CU_ASSERT_EQUAL(out.value[0], 42);
}

SAL_TEST_MAIN("outcomes", NULL, {"the cutoff on attempts is kept", the_cap_on_attempts_is_kept},
              {"projections without end are capped", projections_without_end_are_capped},
              {"what is not a number is not finite", what_is_no_number_is_not_finite},
              {"a wall ends the run", a_wall_ends_the_run},
              {"a full log counts on", a_full_log_counts_on},
              {"without jobs there is nothing to do", no_jobs_are_no_work})
