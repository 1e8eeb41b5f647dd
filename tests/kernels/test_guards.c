/** Several contacts at once, in another order than they are numbered; each mass has to bounce as if
 *  it were alone.  Events that coincide: cases/crossings.c.
 */
#include "event_log.h"
#include "sal_test.h"
#include "three_masses.h"
#include <string.h>

static const double param[] = {1, 10, 0.2}, span = 8;
static logged_run run, lane;

static sal_setup masses(const sal_method *method, double tol)
{
  return (sal_setup){.model = &three_masses,
                     .method = method,
                     .strategy = sal_registry_strategy("event"),
                     .rtol = tol,
                     .atol = tol,
                     .t_end = span};
}

/* Largest error of the event times of mass k that falls from `height`; infinite when one is
 * missing, too many or of the wrong kind. */
static double error_of_mass(int k, double height)
{
  const bounces exact = bounces_solve(param, height, 0, span);
  double worst = 0;
  int seen = 0;

  for (int i = 0; i < run.events.n; ++i) {
    if (run.event[i].guard != k) continue;
    if (++seen >= exact.n || run.event[i].closes != exact.phase[seen].closed) return INFINITY;
    worst = fmax(worst, fabs(run.event[i].t - (double)exact.phase[seen].t));
    if (run.event[i].y[2 * k] != 0) return INFINITY;
  }
  return seen == exact.n - 1 && seen > 3 ? worst : INFINITY;
}

static void the_mode_is_one_of_many(void)
{
  const double initial[] = {1, 0, 0.001, 0, 0.3, 0};

  for (int m = 0; sal_registry_methods[m]; ++m) {
    const sal_setup setup = masses(sal_registry_methods[m], 1e-8);
    if (!is_frugal(setup.method)) continue;
    run_logged(&setup, param, initial, &run);
    CU_ASSERT_EQUAL(outcome(&run.record), SAL_OUT_DONE);
    CU_ASSERT(error_of_mass(0, 1) < 1e-4 && error_of_mass(2, 0.3) < 1e-4);
    CU_ASSERT_EQUAL(run.event[0].guard, 1);
  }
}

static void every_width_gives_the_same_bits(void)
{
  const double initial[] = {1, 0, 1 + 1e-13, 0, 0.7, 0};

  for (int m = 0; sal_registry_methods[m]; ++m) {
    const sal_setup setup = masses(sal_registry_methods[m], 1e-6);
    run_logged(&setup, param, initial, &run);
    for (int width = 4; width <= sal_integrate_widest(); width *= 2) {
      sal_events log = log_of(&setup, &lane);
      const sal_job jobs = {.param = param, .initial = initial, .events = &log};
      run_batch(&setup, width, 1, &jobs, &lane.record);
      CU_ASSERT_EQUAL_FATAL(log.n, run.events.n);
      for (int i = 0; i < log.n; ++i) {
        CU_ASSERT(lane.event[i].t == run.event[i].t && lane.event[i].guard == run.event[i].guard);
        CU_ASSERT_EQUAL(memcmp(lane.event[i].y, run.event[i].y, 6 * sizeof(double)), 0);
      }
    }
  }
}

/* Two masses land one shortly after the other and the run ends there, so that the last step is
 * shorter than the resolution of time: the third mass, far away, lands no earlier for that. */
static void a_step_of_some_spacings_meets_what_it_meets(void)
{
  for (int m = 0; sal_registry_methods[m]; ++m) {
    sal_setup setup = masses(sal_registry_methods[m], 1e-9);
    if (!sal_method_solves(setup.method, setup.model) || !is_frugal(setup.method)) continue;
    setup.max_attempts = 20000;
    run_logged(&setup, param, (double[]){1, 0, 2, 0, 3, 0}, &run);
    const double lands = run.event[0].t;
    for (int k = 0; k < 600; k += 7) {
      const double initial[] = {1, 0, 1 + 2 * k * 0x1p-52, 0, 3, 0};
      setup.t_end = lands * (1 + (k + k % 5) * 0x1p-52);
      run_logged(&setup, param, initial, &lane);
      CU_ASSERT_EQUAL(outcome(&lane.record), SAL_OUT_DONE);
      CU_ASSERT(lane.record.value[SAL_METRIC_GRAZES] == 0);
      for (int i = 0; i < lane.events.n && i < LOG_CAPACITY; ++i)
        CU_ASSERT(lane.event[i].guard < 2);
    }
  }
}

SAL_TEST_MAIN("several contacts", NULL, {"the mode is one of many", the_mode_is_one_of_many},
              {"every width gives the same bits", every_width_gives_the_same_bits},
              {"a step of some spacings reaches its own contacts only",
               a_step_of_some_spacings_meets_what_it_meets})
