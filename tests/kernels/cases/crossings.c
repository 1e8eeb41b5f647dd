/** Cases 1, 4, 6, 7 and 22: several events in one step or at one instant. */
#include "cases.h"
#include "kernels/three_masses.h"

static case_run run;

/* ---- 1 -------------------------------------------------------------------------------------- */

/* A pulse of 0.02 on a constant y, where steps are as long as they may be. */
static void meet_a_pulse(const case_pair *pair)
{
  static const double param[] = {[PULSE_MIDDLE] = 0.537, [PULSE_HALF] = 0.01}, still[] = {0};
  static const case_event edges[] = {{0.527, 0, true}, {0.547, 0, false}};
  const sal_setup setup = case_setup(pair, &pulse, 1e-6, 1, 1);
  const double bound = pair->strategy->fixed ? 1e-4 : 1e-9;

  case_do(pair, &setup, param, still, &run);
  CASE_EXPECT(pair, case_error(&run, 2, edges) < bound);
  CASE_EXPECT(pair, fabs(case_end(&run, &pulse, 0) - 0.02) < bound);
  if (!pair->strategy->fixed) CASE_EXPECT(pair, 1 / case_metric(&run, SAL_METRIC_STEPS) > 0.02);
}

/* One fixed step from contact to contact, with a lift-off and, in the frozen mode, a return inside;
 * and one that stays below. */
static void step_over_a_flight(const case_pair *pair, bool high)
{
  static const double slow[] = {0.1, 1, 0};
  const double size = high ? 0.15 : 0.07;
  const double initial[] = {-0.1 + size * cos(1.1), size * sin(1.1)};
  sal_setup setup = case_setup(pair, sal_registry_model("linear-ground"), 1e-4, 2.2, 1);
  setup.fixed_step = 2.2;
  setup.max_step = 3;

  case_do(pair, &setup, slow, initial, &run);
  CASE_EXPECT(pair, outcome(&run.log.record) == SAL_OUT_DONE);
  CASE_EXPECT(pair, run.log.events.n == high);
  if (!high) return;
  CASE_EXPECT(pair, !run.log.event[0].closes);
  CASE_EXPECT(pair, fabs(run.log.event[0].t - (1.1 - acos(0.1 / 0.15))) < 0.05);
}

void several_crossings_in_a_step(void)
{
  for (case_pair pair = {0}; case_next(&pair, &pulse, SAL_CASE_HELD);) meet_a_pulse(&pair);
  for (case_pair pair = {0}; case_next(&pair, &pulse, SAL_CASE_LOCATING);) {
    step_over_a_flight(&pair, false);
    step_over_a_flight(&pair, true);
  }
}

/* ---- 4 -------------------------------------------------------------------------------------- */

/* Both edges of the pulse are ends of steps, and their gaps there are exactly 0. */
void end_of_a_step(void)
{
  static const double param[] = {[PULSE_MIDDLE] = 0.75, [PULSE_HALF] = 0.25}, still[] = {0};
  static const case_event edges[] = {{0.5, 0, true}, {1, 0, false}};

  for (case_pair pair = {0}; case_next(&pair, &pulse, SAL_CASE_ADAPTIVE);)
    for (double step = 0.25; step > 0.1; step /= 2) {
      sal_setup setup = case_setup(&pair, &pulse, 1e-6, 1.5, 1);
      setup.fixed_step = step;
      setup.max_step = 1;
      case_do(&pair, &setup, param, still, &run);
      CASE_EXPECT(&pair, case_error(&run, 2, edges) < 1e-12);
      CASE_EXPECT(&pair, case_metric(&run, SAL_METRIC_RESTARTS) == 2);
      CASE_EXPECT(&pair, fabs(case_end(&run, &pulse, 0) - 0.5) < 1e-12);
    }
}

/* ---- 6 -------------------------------------------------------------------------------------- */

/* Largest error of the times of mass k, which falls from `height` as if it were alone; infinite
 * when an event is missing, too many or of the wrong kind. */
static double error_of_mass(int k, double height, const double param[], double span)
{
  const bounces exact = bounces_solve(param, height, 0, span);
  double worst = 0;
  int seen = 0;

  for (int i = 0; i < run.log.events.n; ++i) {
    const sal_event *e = &run.log.event[i];
    if (e->guard != k) continue;
    if (++seen >= exact.n || e->closes != exact.phase[seen].closed) return INFINITY;
    if (e->y[2 * k] != 0) return INFINITY;
    worst = fmax(worst, fabs(e->t - (double)exact.phase[seen].t));
  }
  return seen == exact.n - 1 && seen > 3 ? worst : INFINITY;
}

static void drop(const case_pair *pair, const double height[MASSES])
{
  static const double param[] = {1, 10, 0.2}, span = 8;
  const double initial[2 * MASSES] = {height[0], 0, height[1], 0, height[2], 0};
  const sal_setup setup = case_setup(pair, &three_masses, 1e-8, span, 1);

  case_do(pair, &setup, param, initial, &run);
  CASE_EXPECT(pair, outcome(&run.log.record) == SAL_OUT_DONE);
  for (int k = 0; k < MASSES; ++k)
    CASE_EXPECT(pair, error_of_mass(k, height[k], param, span) < case_bound(pair, 1e-8));
  for (int i = 1; i < run.log.events.n; ++i)
    CASE_EXPECT(pair, run.log.event[i].t >= run.log.event[i - 1].t);
}

/* Located contacts restart once for all of them, projections cross one after the other in no
 * time. */
static void count_restarts(const case_pair *pair, int at_once)
{
  const int each = pair->strategy->zoned ? 1 : at_once, n = (int)run.log.events.n;

  CASE_EXPECT(pair, case_metric(&run, SAL_METRIC_RESTARTS) * each == n && n % at_once == 0);
  for (int i = 0; i < n; ++i)
    CASE_EXPECT(pair, run.log.event[i].t == run.log.event[i - i % at_once].t);
}

void simultaneous_events(void)
{
  static const double apart[] = {1e-2, 1e-5, 1e-9, 1e-13, 3e-16};

  for (case_pair pair = {0}; case_next(&pair, &three_masses, SAL_CASE_HELD);) {
    drop(&pair, (double[]){1, 1, 1});
    count_restarts(&pair, MASSES);
    drop(&pair, (double[]){0.7, 1, 0.7});
    for (int i = 0; i < 5; ++i) { /* less than a step, than a root's resolution; any numbering */
      drop(&pair, (double[]){1, 1 + apart[i], 1 - apart[i]});
      drop(&pair, (double[]){1 + apart[i], 1, 1 + 2 * apart[i]});
    }
  }
}

/* ---- 7 -------------------------------------------------------------------------------------- */

void identical_gaps(void)
{
  static const double param[] = {1, 10, 0.2}, initial[] = {1, 0}, span = 12;
  const bounces exact = bounces_solve(param, 1, 0, span);
  long double end[2];

  bounces_at(&exact, span, end);
  CU_ASSERT_EQUAL(exact.n, 8);
  for (case_pair pair = {0}; case_next(&pair, &twin_ground, SAL_CASE_HELD);) {
    const sal_setup setup = case_setup(&pair, &twin_ground, 1e-8, span, 1);
    double worst = 0;
    case_do(&pair, &setup, param, initial, &run);
    CASE_EXPECT(&pair, outcome(&run.log.record) == SAL_OUT_DONE);
    CASE_EXPECT(&pair, run.log.events.n == 14);
    count_restarts(&pair, 2);
    for (int i = 0; i < run.log.events.n && i < 14; ++i) {
      CASE_EXPECT(&pair, run.log.event[i].guard != run.log.event[i ^ 1].guard);
      worst = fmax(worst, fabs(run.log.event[i].t - (double)exact.phase[i / 2 + 1].t));
    }
    CASE_EXPECT(&pair, worst < case_bound(&pair, 1e-8));
    CASE_EXPECT(&pair,
                fabs(case_end(&run, &twin_ground, 0) - (double)end[0]) < case_bound(&pair, 1e-8));
  }
}

/* ---- 22 ------------------------------------------------------------------------------------- */

/* Levels that the pointer passes on its way down, the highest one last in number. */
static void pass_three_levels(const case_pair *pair, double apart, double step)
{
  static const double start[] = {0, 1};
  const double param[ROTOR_PARAMS] = {1, 0.3, 0.3 - apart, 0.3 + apart, 1, 0, 0};
  sal_setup setup = case_setup(pair, &rotor, 1e-9, 2, 1);
  case_event expected[ROTOR_LEVELS];

  if (step > 0) setup.fixed_step = setup.max_step = step;
  case_do(pair, &setup, param, start, &run);
  CU_ASSERT_EQUAL_FATAL(case_rotor_events(param, 2, ROTOR_LEVELS, expected), ROTOR_LEVELS);
  CU_ASSERT(expected[0].guard == 2 && expected[1].guard == 0 && expected[2].guard == 1);
  CASE_EXPECT(pair, case_error(&run, ROTOR_LEVELS, expected) <
                        (step > 0 ? 0.05 : case_bound(pair, 1e-9)));
  CASE_EXPECT(pair, case_metric(&run, SAL_METRIC_RESTARTS) == ROTOR_LEVELS);
}

/* In one step from 0 to 2 the chord of mass 0, which falls from rest, reaches 0 first; but mass 1,
 * which is thrown down from farther up, is there before it. */
static void overtake(const case_pair *pair)
{
  static const double soft[] = {1, 0.01, 0}, initial[] = {1, 0, 4.32, -3, 100, 0};
  static const case_event order[] = {{1.2, 1, true}, {M_SQRT2, 0, true}};
  sal_setup setup = case_setup(pair, &three_masses, 1e-6, 2, 1);

  setup.fixed_step = setup.max_step = 2;
  case_do(pair, &setup, soft, initial, &run);
  CASE_EXPECT(pair, case_error(&run, 2, order) < 1e-9);
}

void three_guards_in_a_step(void)
{
  for (case_pair pair = {0}; case_next(&pair, &rotor, SAL_CASE_HELD);)
    for (double apart = 1e-2; apart > 1e-12; apart /= 1000) pass_three_levels(&pair, apart, 0);
  for (case_pair pair = {0}; case_next(&pair, &rotor, SAL_CASE_LOCATING);) {
    pass_three_levels(&pair, 0.05, 0.5); /* acos 0.35 .. acos 0.25 lie in [1, 1.5] */
    if (pair.method->min_order == pair.method->order) overtake(&pair); /* exact on parabolas */
  }
}
