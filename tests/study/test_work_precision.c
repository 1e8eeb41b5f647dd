/** Work-precision points: medians over starts. */
#include "calibration.h"
#include "hopper.h"
#include "memory.h"
#include "sal_test.h"
#include <string.h>

enum { MOST = 4 };

static const double at_rest[HOPPER_STATES] = {NAN, 0};

static void make_starts(int n, double start[])
{
  for (int i = 0; i < n; ++i)
    sal_work_precision_start(sal_registry_model("hopper1d"), at_rest, 7, i,
                             start + i * HOPPER_STATES);
}

/* Errors and evaluations of each start by itself, ascending. */
static void measure_alone(const sal_setup *setup, int n, const double start[], double rms[],
                          double rhs[])
{
  const hopper h = hopper_with(200);

  for (int i = 0; i < n; ++i) {
    sal_certified_run y;
    sal_certified_measurement s;
    CU_ASSERT_FATAL(sal_certified_run_create(setup, h.param, start + i * HOPPER_STATES, HOPPER_Z,
                                             HOPPER_MESH, &y) == SAL_OK);
    CU_ASSERT(sal_certified_run_measure(&y, setup, 0, &s) == SAL_OK);
    sal_certified_run_free(&y);
    int r = i, f = i;
    for (; r > 0 && rms[r - 1] > s.rms; --r) rms[r] = rms[r - 1];
    for (; f > 0 && rhs[f - 1] > s.record.value[SAL_METRIC_RHS]; --f) rhs[f] = rhs[f - 1];
    rms[r] = s.rms;
    rhs[f] = s.record.value[SAL_METRIC_RHS];
  }
}

static void medians_are_those_of_the_starts_by_themselves(void)
{
  const long live = sal_memory_live();
  const hopper h = hopper_with(200);
  const sal_setup setup[2] = {hopper_config("event", 1e-6), hopper_config("switch", 1e-3)};
  double start[MOST * HOPPER_STATES], rms[MOST], rhs[MOST];

  make_starts(MOST, start);
  for (int n = 3; n <= MOST; ++n) {
    sal_work_precision_point p[2];
    int used;
    CU_ASSERT_FATAL(sal_work_precision_run(2, setup, h.param, n, start, HOPPER_Z, HOPPER_MESH, 1, p,
                                           &used) == SAL_OK);
    CU_ASSERT_EQUAL(used, n);
    for (int c = 0; c < 2; ++c) {
      measure_alone(&setup[c], n, start, rms, rhs);
      CU_ASSERT_DOUBLE_EQUAL(p[c].rms, n == 3 ? rms[1] : sqrt(rms[1] * rms[2]), 1e-12 * p[c].rms);
      CU_ASSERT_DOUBLE_EQUAL(p[c].rhs, n == 3 ? rhs[1] : sqrt(rhs[1] * rhs[2]), 1e-9);
      CU_ASSERT(p[c].seconds > 0 && p[c].failed == 0);
      CU_ASSERT(rms[0] < 0.99 * rms[n - 1]); /* else any of them would do for the median */
    }
  }
  CU_ASSERT_EQUAL(sal_memory_live(), live);
}

static void runs_that_end_early_count_as_infinitely_wrong_and_cost_nothing(void)
{
  const hopper h = hopper_with(200);
  double start[MOST * HOPPER_STATES];
  sal_work_precision_point p, both[2];
  int used;
  sal_setup setup[2] = {hopper_config("event", 1e-6), hopper_config("event", 1e-6)};

  make_starts(3, start);
  setup[1].max_attempts = 5;
  CU_ASSERT_FATAL(
      sal_work_precision_run(2, setup, h.param, 3, start, HOPPER_Z, 10, 1, both, &used) == SAL_OK);
  CU_ASSERT(used == 3 && both[0].failed == 0 && isfinite(both[0].rms));
  CU_ASSERT(both[1].failed == 3 && isinf(both[1].rms) && isnan(both[1].rhs) &&
            isnan(both[1].seconds));
  /* the first configuration's cutoff is that of the certified run */
  CU_ASSERT_FATAL(sal_work_precision_run(1, &setup[1], h.param, 3, start, HOPPER_Z, 10, 1, &p,
                                         &used) == SAL_OK);
  CU_ASSERT_EQUAL(used, 0);
}

static void start_i_depends_on_seed_and_i_only(void)
{
  const sal_model *m = sal_registry_model("hopper1d");
  const double any[2] = {NAN, NAN};
  double a[2], b[2], lowest = INFINITY, highest = -INFINITY;

  sal_work_precision_start(m, any, 7, 3, a);
  sal_work_precision_start(m, any, 8, 3, b);
  CU_ASSERT(a[0] != b[0] && a[1] != b[1]);
  sal_work_precision_start(m, any, 7, 3, b);
  CU_ASSERT(memcmp(a, b, sizeof a) == 0);
  sal_work_precision_start(m, at_rest, 7, 3, b);
  CU_ASSERT(b[0] == a[0] && b[1] == 0);
  for (int i = 0; i < 200; ++i) {
    sal_work_precision_start(m, any, 7, i, a);
    for (int j = 0; j < 2; ++j) CU_ASSERT(a[j] >= m->state[j].lo && a[j] < m->state[j].hi);
    lowest = fmin(lowest, a[0]);
    highest = fmax(highest, a[0]);
  }
  CU_ASSERT(lowest < m->state[0].lo + 0.05 && highest > m->state[0].hi - 0.05);
}

SAL_TEST_MAIN("curve", NULL,
              {"medians are those of the starts by themselves",
               medians_are_those_of_the_starts_by_themselves},
              {"runs that end early count as infinitely wrong and cost nothing",
               runs_that_end_early_count_as_infinitely_wrong_and_cost_nothing},
              {"start i depends on seed and i only", start_i_depends_on_seed_and_i_only})
