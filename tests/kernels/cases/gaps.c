/** Cases 2, 15, 16 and 17: what gaps can look like. */
#include "cases.h"

enum { EVENTS = 16 };

static const double top[] = {0, 1}; /* where the rotor starts: s = cos t */
static case_run run, other;

/* ---- 2 -------------------------------------------------------------------------------------- */

static void set_level(double param[], double level)
{
  for (int k = 0; k < ROTOR_LEVELS; ++k) param[ROTOR_LEVEL + k] = k == 0 ? level : -9;
}

/* The pointer's lowest point against a level a hair above it, at it and below it.  A hair is 1e-5:
 * the dip lasts 0.009, and the steps around it are longer except at low orders. */
static void pass_the_bottom(const case_pair *pair, double deep)
{
  double param[ROTOR_PARAMS] = {[ROTOR_RATE] = 1, [ROTOR_SCALE] = 1};
  case_event expected[EVENTS];
  const sal_setup setup = case_setup(pair, &rotor, 1e-9, 6, 1);
  const sal_event *e = run.log.event;

  set_level(param, -1 + deep);
  case_do(pair, &setup, param, top, &run);
  CASE_EXPECT(pair, outcome(&run.log.record) == SAL_OUT_DONE);
  if (deep > 0) {
    const int n = case_rotor_events(param, 6, EVENTS, expected);
    CASE_EXPECT(pair, case_error(&run, n, expected) < (pair->strategy->fixed ? 4e-4 : 2e-5));
    CASE_EXPECT(pair, n == 2 && expected[1].t - expected[0].t > 8e-3);
  } else if (deep < 0) {
    CASE_EXPECT(pair, run.log.events.n == 0);
  } else { /* rounding decides whether it is touched; then it is left again */
    CASE_EXPECT(pair, run.log.events.n == 0 || run.log.events.n == 2);
    for (int i = 0; i < run.log.events.n; ++i) CASE_EXPECT(pair, fabs(e[i].t - M_PI) < 1e-3);
  }
}

/* Let go on the undamped spring at its free length, the mass comes back to y = 0 with v = 0 once
 * per period: y = -(g/k) (1 - cos w t). */
static void come_back_without_speed(const case_pair *pair)
{
  static const double undamped[] = {1, 10, 0}, initial[] = {0, 0};
  const sal_setup setup = case_setup(pair, sal_registry_model("linear-ground"), 1e-7, 10, 1);
  double worst = 0, lowest = 0;

  case_do(pair, &setup, undamped, initial, &run);
  CASE_EXPECT(pair, outcome(&run.log.record) == SAL_OUT_DONE);
  CASE_EXPECT(pair, run.log.events.n <= 12); /* 5 periods */
  for (int j = 0; j <= CASE_MESH; ++j) {
    const double t = 10.0 * j / CASE_MESH;
    worst = fmax(worst, fabs(run.state[2 * j] + 0.1 * (1 - cos(sqrt(10) * t))));
    lowest = fmin(lowest, run.state[2 * j]);
  }
  CASE_EXPECT(pair, worst < 1e-3);
  CASE_EXPECT(pair, lowest < -0.19);
}

void grazing(void)
{
  for (case_pair pair = {0}; case_next(&pair, &rotor, SAL_CASE_HELD);) {
    pass_the_bottom(&pair, 1e-5);
    pass_the_bottom(&pair, -1e-5);
    pass_the_bottom(&pair, 0);
    come_back_without_speed(&pair);
  }
}

/* ---- 15 ------------------------------------------------------------------------------------- */

static bool same_events(const case_run *a, const case_run *b)
{
  bool same = a->log.events.n == b->log.events.n;

  for (int i = 0; same && i < a->log.events.n; ++i)
    same = a->log.event[i].t == b->log.event[i].t && a->log.event[i].guard == b->log.event[i].guard;
  return same;
}

/* A gap in other units changes no bit; the product of two of the smallest is far below 1e-308. */
static void scale_the_gaps(const case_pair *pair)
{
  static const double scale[] = {0x1p-664, 0x1p664, 0x1p-996}; /* 1e-200, .. */
  double param[ROTOR_PARAMS] = {1, 0.3, -0.2, 0.1, 1, 0, 0};
  const sal_setup setup = case_setup(pair, &rotor, 1e-9, 6, 1);
  case_event expected[EVENTS];
  const int n = case_rotor_events(param, 6, EVENTS, expected);

  case_do(pair, &setup, param, top, &run);
  CASE_EXPECT(pair, n == 6 && case_error(&run, n, expected) < case_bound(pair, 1e-9));
  for (int i = 0; i < 3; ++i) {
    param[ROTOR_SCALE] = scale[i];
    case_do(pair, &setup, param, top, &other);
    CASE_EXPECT(pair, same_events(&run, &other));
  }
}

/* The same with states that are as small or large as their gaps. */
static void scale_the_lengths(const case_pair *pair, double length)
{
  const double param[] = {length, 10, 0.2}, initial[] = {length, 0}, unit[] = {1, 10, 0.2};
  const bounces exact = bounces_solve(unit, 1, 0, 12);
  sal_setup setup = case_setup(pair, sal_registry_model("linear-ground"), 1e-8, 12, 1);

  setup.atol *= length;
  case_do(pair, &setup, param, initial, &run);
  CASE_EXPECT(pair, log_alternates(&run.log));
  CASE_EXPECT(pair, log_error(&run.log, &exact) < case_bound(pair, 1e-8));
}

void tiny_gaps(void)
{
  for (case_pair pair = {0}; case_next(&pair, &rotor, SAL_CASE_HELD);) {
    scale_the_gaps(&pair);
    scale_the_lengths(&pair, 1e-100);
    scale_the_lengths(&pair, 1e100);
  }
}

/* ---- 16 ------------------------------------------------------------------------------------- */

/* Runs with the gap, then with its sign only. */
static void pass_a_boolean(const case_pair *pair)
{
  double param[ROTOR_PARAMS] = {[ROTOR_RATE] = 1, [ROTOR_SCALE] = 1};
  const sal_setup setup = case_setup(pair, &rotor, 1e-9, 6, 1);

  set_level(param, 0.3);
  case_do(pair, &setup, param, top, &other);
  CASE_EXPECT(pair, other.log.events.n == 2);
  param[ROTOR_BOOLEAN] = 1;
  case_do(pair, &setup, param, top, &run);
}

/* The first one is located as sharply as its smooth twin, the steps up to it being the same; after it
 * they need not be.  No step can be made to end on a gap without a rate: such a method locates it on its
 * dense output, or the outcome reports that it has not. */
void boolean_gaps(void)
{
  for (case_pair pair = {0}; case_next(&pair, &rotor, SAL_CASE_LOCATING);) {
    pass_a_boolean(&pair);
    if (pair.method->restep && outcome(&run.log.record) != SAL_OUT_DONE) continue;
    CASE_EXPECT(&pair, outcome(&run.log.record) == SAL_OUT_DONE && run.log.events.n == 2);
    for (int i = 0; i < 2; ++i) {
      const double sharp = pair.method->restep ? 1e-8 : i == 0 ? 2e-13 : 1e-9;
      CASE_EXPECT(&pair, run.log.event[i].closes == (i == 0));
      CASE_EXPECT(&pair, fabs(run.log.event[i].t - other.log.event[i].t) < sharp);
    }
  }
}

/* Events at which the gap leapt, or surfaces that projections never met. */
void boolean_gaps_are_counted(void)
{
  for (case_pair pair = {0}; case_next(&pair, &rotor, SAL_CASE_HELD);) {
    pass_a_boolean(&pair);
    CASE_EXPECT(&pair, case_metric(&other, SAL_METRIC_LEAPS) == 0);
    CASE_EXPECT(&pair, case_metric(&other, SAL_METRIC_UNMET) == 0);
    CASE_EXPECT(&pair,
                case_metric(&run, pair.strategy->zoned ? SAL_METRIC_UNMET : SAL_METRIC_LEAPS) ==
                    (pair.strategy->zoned ? 1 : 2));
  }
}

/* ---- 17 ------------------------------------------------------------------------------------- */

/* From (1, 0) the pointer rises to the level first, or, turning the other way, last. */
static void turn(const case_pair *pair, double way)
{
  enum { TURNS = 3 };
  static const double right[] = {1, 0};
  double param[ROTOR_PARAMS] = {[ROTOR_RATE] = way, [ROTOR_SCALE] = 1};
  const sal_setup setup = case_setup(pair, &rotor, 1e-8, TURNS * 2 * M_PI, 1);
  case_event expected[2 * TURNS];

  set_level(param, 0.3);
  for (int i = 0; i < 2 * TURNS; ++i) {
    const double up = way > 0 ? asin(0.3) : M_PI + asin(0.3), down = up + M_PI - 2 * asin(0.3);
    expected[i] = (case_event){i / 2 * 2 * M_PI + (i % 2 ? down : up), 0, i % 2};
  }
  case_do(pair, &setup, param, right, &run);
  CASE_EXPECT(pair, case_error(&run, 2 * TURNS, expected) < case_bound(pair, 1e-8));
  for (int i = 0; i < run.log.events.n; ++i) /* s' = way c */
    CASE_EXPECT(pair, run.log.event[i].closes == (way * run.log.event[i].y[0] < 0));
}

void directions(void)
{
  for (case_pair pair = {0}; case_next(&pair, &rotor, SAL_CASE_HELD);) {
    turn(&pair, 1);
    turn(&pair, -1);
  }
}
