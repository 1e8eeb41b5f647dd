/** Phases much shorter than steps, and contacts that come to rest.  Every method in turn. */
#include "event_log.h"
#include "monopod_sets.h"
#include "sal_test.h"

static logged_run run;

static sal_setup on_ground(const sal_method *method, double tol, double t_end)
{
  return config("linear-ground", method->name, "event", tol, t_end);
}

/* A flight of 0.002 units, a tenth or less of the first step. */
static void a_flight_shorter_than_the_first_step_is_not_lost(void)
{
  static const double param[] = {1, 10, 0.2}, initial[] = {0, 1e-3};

  for (int m = 0; sal_registry_methods[m]; ++m)
    for (double tol = 1e-2; tol > 1e-7; tol /= 100) {
      const sal_setup setup = on_ground(sal_registry_methods[m], tol, 1);
      run_logged(&setup, param, initial, &run);
      CU_ASSERT_EQUAL(outcome(&run.record), SAL_OUT_DONE);
      CU_ASSERT(run.events.n >= 1 && run.event[0].closes && run.event[0].t > 0);
      CU_ASSERT_DOUBLE_EQUAL(run.event[0].t, 2e-3, 1e-3);
      CU_ASSERT(run.event[0].y[1] < 0);
    }
}

/* A first step of order 1 is a straight line, in which no flight can be seen. */
static void a_step_that_cannot_show_the_flight_is_refused_and_counted(void)
{
  static const double param[] = {1, 10, 0.2}, initial[] = {0, 1e-3};
  const sal_setup line = on_ground(sal_registry_method("ode15s"), 1e-2, 1);
  const sal_setup curve = on_ground(sal_registry_method("ode45"), 1e-2, 1);

  run_logged(&line, param, initial, &run);
  CU_ASSERT(run.record.value[SAL_METRIC_GUARDED] >= 1);
  run_logged(&curve, param, initial, &run);
  CU_ASSERT_EQUAL(run.record.value[SAL_METRIC_GUARDED], 0);
}

/* Stances of 3e-4 units in a run of 6 that takes few steps. */
static void steps_far_longer_than_a_stance_do_not_miss_it(void)
{
  static const double hard[] = {1, 1e8, 10}, initial[] = {1, 0};
  const bounces exact = bounces_solve(hard, 1, 0, 6);

  CU_ASSERT_EQUAL(exact.n, 5);
  CU_ASSERT((double)(exact.phase[2].t - exact.phase[1].t) < 4e-4);
  for (int m = 0; sal_registry_methods[m]; ++m) {
    const sal_setup setup = on_ground(sal_registry_methods[m], 1e-4, 6);
    run_logged(&setup, hard, initial, &run);
    CU_ASSERT(log_alternates(&run));
    CU_ASSERT(log_error(&run, &exact) < 5e-3);
    CU_ASSERT(run.record.value[SAL_METRIC_STEPS] < (is_frugal(setup.method) ? 300 : 4000));
  }
}

static void the_shortest_flights_of_the_hopper_do_not_hang(void)
{
  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int set = 9; set < 12; set += 2) {
      const sal_setup setup =
          config("monopod", sal_registry_methods[m]->name, "event", 1e-3, set_span);
      run_logged(&setup, set_param[set], set_initial, &run);
      CU_ASSERT_EQUAL(outcome(&run.record), SAL_OUT_DONE);
      CU_ASSERT(log_alternates(&run));
      CU_ASSERT(run.events.n > 30 && run.event[0].closes);
    }
}

/* The ground may pull, so the mass lands once and stays. */
static void a_damped_mass_settles(void)
{
  static const double dampings[] = {3, 20, 100}, initial[] = {0.02, 0};

  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int i = 0; i < 3; ++i) {
      const double param[] = {1, 100, dampings[i]};
      double state[4];
      sal_samples samples = {.n_mesh = 1, .state = state};
      const sal_setup setup = on_ground(sal_registry_methods[m], 1e-6, 30);
      const sal_record out = run_one(&setup, param, initial, &samples, NULL);
      CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
      CU_ASSERT_EQUAL(n_event(&out), 1);
      CU_ASSERT_DOUBLE_EQUAL(state[2], -0.01, 1e-4);
      CU_ASSERT_DOUBLE_EQUAL(state[3], 0, 1e-4);
      CU_ASSERT(out.value[SAL_METRIC_STEPS] < (is_frugal(setup.method) ? 5000 : 20000));
    }
}

/* Steps far too long for the ground: the stages overflow, or the dense output has a root that the
 * step has not.  {tolerance, b, m1, k, f}. */
static void long_steps_of_a_high_order_neither_overflow_nor_hang(void)
{
  static const double hard[][5] = {
      {1e-3, 25294.1818587, 1.53951863435, 140.180629048, 0.0209273297476},
      {1e-2, 9949.80038574, 7.69959404055, 65.3624337658, 0.0177431814763},
      {1e-2, 8938.89521061, 8.72987839175, 162.316000872, 0.187896953496},
      {1e-2, 12477.9257113, 9.7394034747599996, 144.25803503899999, 0.20433983232799999},
      {1e-2, 11767.1407545, 10.3099395756, 87.2551991813, 0.069894714577799999},
      {1e-2, 30189.942389899999, 8.2264010458300003, 40.943714513800003, 0.065843794040500003}};
  static const double initial[] = {0.5, 0, 1.5, 0};

  for (size_t i = 0; i < sizeof hard / sizeof hard[0]; ++i) {
    const double param[] = {hard[i][1], hard[i][2], hard[i][3], hard[i][4], 0, 0, 0};
    const sal_setup setup = config("monopod", "dop853", "event", hard[i][0], 50);
    const sal_record *r = &run.record;
    run_logged(&setup, param, initial, &run);
    CU_ASSERT_EQUAL(outcome(r), SAL_OUT_DONE);
    CU_ASSERT(r->value[SAL_METRIC_FAILED] > 10 && r->value[SAL_METRIC_FAILED] < 1000);
    CU_ASSERT(n_event(r) >= 10);
  }
}

SAL_TEST_MAIN("flights and rest", NULL,
              {"a flight shorter than the first step is not lost",
               a_flight_shorter_than_the_first_step_is_not_lost},
              {"a step that cannot show the flight is refused and counted",
               a_step_that_cannot_show_the_flight_is_refused_and_counted},
              {"steps far longer than a stance do not miss it",
               steps_far_longer_than_a_stance_do_not_miss_it},
              {"the shortest flights of the hopper do not hang",
               the_shortest_flights_of_the_hopper_do_not_hang},
              {"long steps of a high order neither overflow nor hang",
               long_steps_of_a_high_order_neither_overflow_nor_hang},
              {"a damped mass settles", a_damped_mass_settles})
