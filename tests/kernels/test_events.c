/** @file tests/kernels/test_events.c
 *  Where event location fails elsewhere: on the surface, at the end, grazing, twice in a step,
 * twice at the same root, in unusual units.  Every method in turn.
 */
#include "event_log.h"
#include "sal_test.h"

static const double soft[] = {1, 10, 0.2};
static logged_run   run;

static sal_setup on_ground(const sal_method *method, double tol, double t_end)
{
  return contender("linear-ground", method->name, "event", tol, t_end);
}

static void a_start_on_the_surface_belongs_to_the_side_it_moves_to(void)
{
  for (int m = 0; sal_methods[m]; ++m)
    for (int up = 0; up < 2; ++up) {
      const sal_setup setup     = on_ground(sal_methods[m], 1e-7, 3);
      const double    initial[] = {0, up ? 0.5 : -0.5};
      const bounces   exact     = bounces_solve(soft, initial[0], initial[1], 3);
      run_logged(&setup, soft, initial, &run);
      CU_ASSERT_EQUAL(run.events.n, 2);
      CU_ASSERT_EQUAL(run.event[0].closes, up == 1);
      CU_ASSERT(log_error(&run, &exact, 1) < 1e-4);
      CU_ASSERT(log_alternates(&run));
    }
}

/* Falls from 1 under g = 2, so that it is on the ground at t = 1 exactly. */
static void an_event_at_the_very_end_is_counted_once_at_most(void)
{
  static const double fall[] = {2, 10, 0.2}, initial[] = {1, 0};

  for (int m = 0; sal_methods[m]; ++m)
    for (int late = -1; late <= 1; ++late) {
      const double    t_end = 1 + 1e-4 * late;
      const sal_setup setup = on_ground(sal_methods[m], 1e-7, t_end);
      run_logged(&setup, fall, initial, &run);
      CU_ASSERT_EQUAL(outcome(&run.record), SAL_OUT_DONE);
      CU_ASSERT_EQUAL(run.record.value[SAL_METRIC_T_REACHED], t_end);
      CU_ASSERT(run.events.n >= (late > 0) && run.events.n <= (late >= 0));
      CU_ASSERT(log_alternates(&run));
      CU_ASSERT(run.events.n == 0 || (run.event[0].closes && run.event[0].t <= t_end));
    }
}

/* Let go on the undamped spring at its free length, the mass comes back to y = 0 with v = 0 once
 * per period: y = -(g/k) (1 - cos w t). */
static void a_contact_that_only_grazes_does_no_harm(void)
{
  static const double undamped[] = {1, 10, 0}, initial[] = {0, 0};
  enum { MESH = 100 };

  for (int m = 0; sal_methods[m]; ++m) {
    double      state[(MESH + 1) * 2], worst = 0, lowest = 0;
    sal_samples samples  = {.n_mesh = MESH, .state = state};
    sal_setup   setup    = on_ground(sal_methods[m], 1e-7, 10);
    setup.max_attempts   = 100000;
    const sal_record out = run_one(&setup, undamped, initial, &samples, NULL);
    CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
    CU_ASSERT(n_event(&out) <= 12);
    for (int j = 0; j <= MESH; ++j) {
      worst  = fmax(worst, fabs(state[2 * j] + 0.1 * (1 - cos(sqrt(10) * 0.1 * j))));
      lowest = fmin(lowest, state[2 * j]);
    }
    CU_ASSERT(worst < 1e-3);
    CU_ASSERT(lowest < -0.199);
  }
}

/* One fixed step from contact to contact, with a lift-off and, in the frozen mode, a return inside;
 * and one that stays below. */
static void two_crossings_inside_one_step_are_not_lost(void)
{
  static const double slow[] = {0.1, 1, 0};

  for (int m = 0; sal_methods[m]; ++m)
    for (int high = 0; high < 2; ++high) {
      const double size      = high ? 0.15 : 0.07;
      const double initial[] = {-0.1 + size * cos(1.1), size * sin(1.1)};
      sal_setup    setup     = on_ground(sal_methods[m], 1e-4, 2.2);
      setup.fixed_step       = 2.2;
      setup.max_step         = 3;
      run_logged(&setup, slow, initial, &run);
      CU_ASSERT_EQUAL(outcome(&run.record), SAL_OUT_DONE);
      CU_ASSERT_EQUAL(run.events.n, high);
      if (!high) continue;
      CU_ASSERT(!run.event[0].closes);
      CU_ASSERT_DOUBLE_EQUAL(run.event[0].t, 1.1 - acos(0.1 / 0.15), 0.05);
    }
}

/* The toe swings over the ground under a weightless body, y1 = height + 0.03 cos(2 pi t): what it
 * dips below is far shorter than a step. */
static void a_dip_far_shorter_than_a_step_is_found(void)
{
  static const double param[] = {1951, 1.88, 22.8, 0, 0};
  const double        swing = 0.03, share = 1 - 1.88 / (4 * M_PI * M_PI);

  for (int m = 0; sal_methods[m]; ++m) {
    if (sal_methods[m]->order < 5) continue;
    for (int dips = 0; dips < 2; ++dips) {
      const double    height = swing + (dips ? -1e-6 : 1e-6), leg = swing / share;
      const double    initial[] = {height + swing, 0, height + swing + 1 - leg, 0};
      const sal_setup setup     = contender("monopod", sal_methods[m]->name, "event", 1e-11, 0.9);
      run_logged(&setup, param, initial, &run);
      CU_ASSERT_EQUAL_FATAL(run.events.n, 2 * dips);
      CU_ASSERT(log_alternates(&run));
      if (!dips) continue;
      const double half = acos(1 - 1e-6 / swing) / (2 * M_PI);
      CU_ASSERT_DOUBLE_EQUAL(run.event[0].t, 0.5 - half, 1e-5);
      CU_ASSERT_DOUBLE_EQUAL(run.event[1].t, 0.5 + half, 1e-5);
      CU_ASSERT(half > 1e-3 && 0.9 / run.record.value[SAL_METRIC_STEPS] > 1e-3);
    }
  }
}

static void no_root_fires_twice(void)
{
  static const double initial[] = {1, 0};
  const bounces       exact     = bounces_solve(soft, 1, 0, 12);

  CU_ASSERT_EQUAL(exact.n, 8);
  for (int m = 0; sal_methods[m]; ++m)
    for (double tol = 1e-4; tol > 1e-9; tol /= 100) {
      const sal_setup setup = on_ground(sal_methods[m], tol, 12);
      run_logged(&setup, soft, initial, &run);
      CU_ASSERT(log_alternates(&run));
      CU_ASSERT_EQUAL(run.record.value[SAL_METRIC_RESTARTS], 7);
      CU_ASSERT(log_error(&run, &exact, 1) < (tol < 1e-7 ? 1e-4 : 0.1));
    }
}

static void units_of_time_and_length_change_nothing(void)
{
  static const double scales[][2] = {{1e-8, 1}, {1e8, 1}, {1, 1e-100}, {1, 1e100}};
  const bounces       exact       = bounces_solve(soft, 1, 0, 12);

  for (int m = 0; sal_methods[m]; ++m)
    for (int i = 0; i < 4; ++i) {
      const double rate = scales[i][0], length = scales[i][1];
      const double param[]   = {soft[0] * rate * rate * length, soft[1] * rate * rate,
                                soft[2] * rate};
      const double initial[] = {length, 0};
      sal_setup    setup     = on_ground(sal_methods[m], 1e-8, 12 / rate);
      setup.atol *= length * fmin(1, rate);
      run_logged(&setup, param, initial, &run);
      CU_ASSERT(log_alternates(&run));
      CU_ASSERT(log_error(&run, &exact, 1 / rate) < 1e-4);
    }
}

SAL_TEST_MAIN("events", NULL,
              {"a start on the surface belongs to the side it moves to",
               a_start_on_the_surface_belongs_to_the_side_it_moves_to},
              {"an event at the very end is counted once at most",
               an_event_at_the_very_end_is_counted_once_at_most},
              {"a contact that only grazes does no harm", a_contact_that_only_grazes_does_no_harm},
              {"two crossings inside one step are not lost",
               two_crossings_inside_one_step_are_not_lost},
              {"a dip far shorter than a step is found", a_dip_far_shorter_than_a_step_is_found},
              {"no root fires twice", no_root_fires_twice},
              {"units of time and length change nothing", units_of_time_and_length_change_nothing})
