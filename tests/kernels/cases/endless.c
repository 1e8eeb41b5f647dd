/** Cases 8, 9 and 11: infinitely many events in a finite time, or in none. */
#include "cases.h"
#include "kernels/two_fields.h"

static case_run run;

/* ---- 8 -------------------------------------------------------------------------------------- */

typedef struct {
  double fall, rests; /* the first impact; the instant after infinitely many */
} drop_times;

static drop_times drop_of(double e)
{
  const double fall = sqrt(2 / 9.81);

  return (drop_times){fall, fall * (1 + e) / (1 - e)};
}

/* Drops a ball from 1 for twice the time it takes to come to rest. */
static drop_times drop_a_ball(const case_pair *pair, double e, double tolerance)
{
  static const double start[] = {1, 0};
  const double param[] = {9.81, e};
  const sal_model *model = sal_registry_model("bouncing-ball");
  const drop_times is = drop_of(e);
  const sal_setup setup = case_setup(pair, model, tolerance, 2 * is.rests, 1);
  double lowest = 0;

  case_do(pair, &setup, param, start, &run);
  for (int j = 0; j <= CASE_MESH; ++j) lowest = fmin(lowest, run.state[2 * j]);
  CASE_EXPECT(pair, outcome(&run.log.record) == SAL_OUT_DONE);
  CASE_EXPECT(pair, fabs(run.log.event[0].t - is.fall) < 1e-6 + 10 * tolerance);
  /* half a fixed step of free fall */
  CASE_EXPECT(pair, lowest > -2e-5 - 10 * tolerance);
  CASE_EXPECT(pair, fabs(case_end(&run, model, 0)) < 2e-5);
  return is;
}

/* All impacts, then rest: an order-1 start of ode15s sees the last flights as straight lines. */
static void come_to_rest(const case_pair *pair, double e)
{
  const drop_times is = drop_a_ball(pair, e, 1e-8);
  const int64_t n = run.log.events.n;
  const double late =
      pair->method->min_order == 1 || pair->strategy->zoned ? 5e-3 : 1e-8 * is.rests;

  CASE_EXPECT(pair, n > 3 && n < 150);
  CASE_EXPECT(pair, n > 3 && fabs(run.log.event[n - 1].t - is.rests) < late);
  CASE_EXPECT(pair, case_metric(&run, SAL_METRIC_ZENO) == 1);
}

/* Impacts until the flights that are left are lower, slower and shorter than the tolerance resolves, and two more. */
static int impacts_above(double e, double tolerance)
{
  const drop_times is = drop_of(e);
  double speed = e * 9.81 * is.fall, t = is.fall;

  for (int n = 2;; ++n) {
    t += 2 * speed / 9.81;
    speed *= e; /* of the flight to come */
    if (speed * speed / (2 * 9.81) <= tolerance && speed <= tolerance &&
        is.rests - t <= tolerance * t)
      return n + 1;
  }
}

/* The same number of impacts by all methods, and by all tolerances no more than they resolve. */
static void rest_within_tolerance(const case_pair *pair, double e)
{
  for (double tolerance = 1e-2; tolerance > 1e-7; tolerance /= 10) {
    const drop_times is = drop_a_ball(pair, e, tolerance);
    const int64_t n = run.log.events.n;
    CASE_EXPECT(pair, llabs(n - impacts_above(e, tolerance)) <= 1);
    CASE_EXPECT(pair, n > 3 && fabs(run.log.event[n - 1].t - is.rests) < 2 * tolerance * is.rests);
  }
}

void zeno(void)
{
  const sal_model *model = sal_registry_model("bouncing-ball");

  for (case_pair pair = {0}; case_next(&pair, model, SAL_CASE_HELD);) {
    drop_a_ball(&pair, 0,
                1e-8); /* without rebound there is nothing to be counted but the one impact */
    CASE_EXPECT(&pair, run.log.events.n == 1 && case_metric(&run, SAL_METRIC_ZENO) == 0);
    drop_a_ball(&pair, 0.5, 1e-8);
    CASE_EXPECT(&pair, run.log.events.n > 8);
  }
  for (case_pair pair = {0}; case_next(&pair, model, SAL_CASE_LOCATING);) {
    come_to_rest(&pair, 0.5);
    if (pair.method->min_order == 1) continue;
    come_to_rest(&pair, 0.8);
    rest_within_tolerance(&pair, 0.7);
  }
}

void zeno_at_once(void)
{
  const sal_model *model = sal_registry_model("bouncing-ball");

  for (case_pair pair = {0}; case_next(&pair, model, SAL_CASE_LOCATING);)
    for (double e = 1e-3; e < 0.9; e *= 3) come_to_rest(&pair, e);
  for (case_pair pair = {0}; case_next(&pair, model, SAL_CASE_HELD);) {
    come_to_rest(&pair, 0.5);
    if (pair.strategy->zoned) come_to_rest(&pair, 0.8); /* errors of projections feed flights */
  }
}

/* ---- 9 -------------------------------------------------------------------------------------- */

/* Both fields lead to 0, which is reached at t = 1.  Without events the error test crawls along it,
 * in the end by the thousand; with them it is a name. */
static void chatter_along(const case_pair *pair)
{
  static const double towards[] = {-1, 1}, start[] = {1};
  sal_setup setup = case_setup(pair, &two_fields, 1e-6, 2, 1);
  double far = 0;

  setup.max_attempts = 20000;
  case_do(pair, &setup, towards, start, &run);
  const int out = outcome(&run.log.record);
  const double t = case_metric(&run, SAL_METRIC_T_REACHED);
  const bool crawled = out == SAL_OUT_STEP_CAP || out == SAL_OUT_UNDERFLOW ||
                       (out == SAL_OUT_DONE && case_metric(&run, SAL_METRIC_STEPS) > 1000);
  for (int j = CASE_MESH / 2; j <= CASE_MESH; ++j)
    if (!isnan(run.state[j])) far = fmax(far, fabs(run.state[j]));
  CASE_EXPECT(pair, t > 1 - 1e-6 && far < 1e-4);
  CASE_EXPECT(pair, !isnan(run.state[CASE_MESH / 2 - 1]) && run.state[0] == 1);
  if (!pair->strategy->held) {
    CASE_EXPECT(pair, crawled && case_metric(&run, SAL_METRIC_FAILED) > 0);
    return;
  }
  CASE_EXPECT(pair, out == (pair->strategy->zoned ? SAL_OUT_NOT_EVENT_SELECTED : SAL_OUT_STUCK));
  CASE_EXPECT(pair, fabs(t - 1) < 1e-9);
  CASE_EXPECT(pair, pair->strategy->zoned || case_metric(&run, SAL_METRIC_GRAZES) > 0);
  CASE_EXPECT(pair, n_event(&run.log.record) >= 1 && n_event(&run.log.record) < 20);
}

void chatter(void)
{
  for (case_pair pair = {0}; case_next(&pair, &two_fields, SAL_CASE_EVERY);) chatter_along(&pair);
}

/* ---- 11 ------------------------------------------------------------------------------------- */

/* Runs the dominoes from these heights. */
static void push(const case_pair *pair, bool ring, const double height[], int n,
                 const case_event expected[])
{
  const double param[] = {ring};
  const sal_setup setup = case_setup(pair, &dominoes, 1e-6, 1, 1);

  case_do(pair, &setup, param, height, &run);
  if (!ring) {
    CASE_EXPECT(pair, case_error(&run, n, expected) < 1e-9);
    return;
  }
  CASE_EXPECT(pair, outcome(&run.log.record) ==
                        (pair->strategy->zoned ? SAL_OUT_NOT_EVENT_SELECTED : SAL_OUT_STUCK));
  CASE_EXPECT(pair, fabs(case_metric(&run, SAL_METRIC_T_REACHED) - 0.5) < 1e-9);
  CASE_EXPECT(pair, run.log.events.n >= 1 && run.log.events.n < 100);
}

static const double lined_up[] = {0.5, 10, 10, 10, 10};
static const case_event all_fall[] = {
    {0.5, 0, true}, {0.5, 1, true}, {0.5, 2, true}, {0.5, 3, true}, {0.5, 4, true}};

/* The third stone falls on its own, and is put up again when the cascade comes to it. */
static const double one_early[] = {0.5, 10, 0.3, 10, 10};
static const case_event two_waves[] = {{0.3, 2, true},  {0.3, 3, true}, {0.3, 4, true},
                                       {0.5, 0, true},  {0.5, 1, true}, {0.5, 2, false},
                                       {0.5, 3, false}, {0.5, 4, false}};

void cascades(void)
{
  for (case_pair pair = {0}; case_next(&pair, &dominoes, SAL_CASE_HELD);) {
    if (!case_is(&pair, "ess2")) {
      push(&pair, false, lined_up, 5, all_fall);
      CASE_EXPECT(&pair, case_metric(&run, SAL_METRIC_RESTARTS) == 5);
    }
    push(&pair, true, lined_up, 0, NULL);
  }
}

void cascades_far_from_the_surface(void)
{
  for (case_pair pair = {0}; case_next(&pair, &dominoes, SAL_CASE_HELD);) {
    push(&pair, false, lined_up, 5, all_fall);
    if (!pair.strategy->zoned) push(&pair, false, one_early, 8, two_waves);
  }
}
