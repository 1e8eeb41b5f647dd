/** The block against its closed form: a straight line while it sticks, a damped harmonic arc while it
 *  slips, joined in long double.
 */
#include "kernels/run_one.h"
#include "sal_test.h"

enum { M, C, K, VB, FS, FK, N_PARAM };
enum { X, V, SENSE, N_STATE };
enum { MOST = 64 };

/** An event and the state after it. */
typedef struct {
  long double t, x, v, sense;
  bool sticks;
} turn;

typedef struct {
  int n;
  turn at[MOST];
} chain;

/** (x, v) a time s after (x0, v0) of a block that slips. */
static void slide(const double p[], const turn *from, long double s, long double y[])
{
  const long double k = (long double)p[K] / p[M], d = (long double)p[C] / p[M] / 2;
  const long double w = sqrtl(k - d * d), rest = -from->sense * p[FK] / p[K], X0 = from->x - rest;
  const long double B = (from->v + d * X0) / w, c = cosl(w * s), q = sinl(w * s), e = expl(-d * s);

  y[0] = rest + e * (X0 * c + B * q);
  y[1] = e * ((w * B - d * X0) * c - (w * X0 + d * B) * q);
}

/** The block reaches the speed of the belt: it sticks, or goes on in the sense of the pull. */
static turn end_of_slide(const double p[], const turn *from)
{
  const long double step = 1e-3L;
  long double s = step, y[2], lo, hi;

  for (;; s += step) {
    slide(p, from, s + step, y);
    if (from->sense * (y[1] - p[VB]) < 0) break;
  }
  lo = s, hi = s + step;
  for (int i = 0; i < 70; ++i) {
    const long double mid = (lo + hi) / 2;
    slide(p, from, mid, y);
    *(from->sense * (y[1] - p[VB]) < 0 ? &hi : &lo) = mid;
  }
  slide(p, from, hi, y);
  const long double pull = p[K] * y[0] + p[C] * (long double)p[VB];
  const bool on = fabsl(pull) <= p[FS];
  return (turn){from->t + hi, y[0], p[VB], on ? from->sense : (pull > 0 ? -1 : 1), on};
}

static turn end_of_stick(const double p[], const turn *from)
{
  const long double along = p[VB] > 0 ? 1 : -1;
  const long double x = (along * p[FS] - p[C] * (long double)p[VB]) / p[K];

  return (turn){from->t + (x - from->x) / p[VB], x, p[VB], -along, false};
}

static chain follow(const double p[], const double start[], double span)
{
  chain c = {0};
  turn here = {0, start[X], start[V], start[SENSE], false};

  while (c.n < MOST) {
    here = here.sticks ? end_of_stick(p, &here) : end_of_slide(p, &here);
    if (here.t > span) break;
    c.at[c.n++] = here;
  }
  return c;
}

typedef struct {
  sal_event event[MOST];
  double at_events[MOST][2 * N_STATE];
  sal_events log;
  sal_record record;
} logged;

static void run(const char *method, double tol, const double p[], const double start[], double span,
                logged *out)
{
  const sal_setup setup = config("stick-slip", method, "event", tol, span);

  out->log = (sal_events){
      .event = out->event, .capacity = MOST, .state = *out->at_events, .n_state = N_STATE};
  out->record = run_one(&setup, p, start, NULL, &out->log);
}

static const struct {
  double p[N_PARAM], start[N_STATE];
  int passes; /* times that it goes through the belt's speed without sticking */
} settings[] = {{{1, 0, 1, 0.2, 1, 0.6}, {0, 0, -1}, 0},
                {{2, 0.1, 1.5, 0.2, 1, 0.6}, {0, 0, -1}, 0},
                {{1, 0, 1, -0.2, 1, 0.6}, {0, 0, 1}, 0},
                {{1, 0, 1, 0.2, 1, 0.6}, {4, 0, -1}, 2},
                {{1, 0.05, 1, 0.3, 1, 0.5}, {5, 1, 1}, 4}};
enum { N_SETTING = sizeof settings / sizeof *settings };

/* Times and states of all events; the sense changes in jumps alone, to that of the closed form. */
static void check(const char *method, double tol, double most)
{
  for (int i = 0; i < N_SETTING; ++i) {
    static logged found;
    const chain exact = follow(settings[i].p, settings[i].start, 30);
    double worst = 0;
    int passes = 0;
    run(method, tol, settings[i].p, settings[i].start, 30, &found);
    CU_ASSERT_FATAL(outcome(&found.record) == SAL_OUT_DONE && found.log.n == exact.n);
    for (int j = 0; j < exact.n; ++j) {
      const turn *a = &exact.at[j];
      const sal_event *b = &found.event[j];
      worst = fmax(worst, fabs(b->t - (double)a->t));
      worst = fmax(worst, fabs(b->y[X] - (double)a->x));
      CU_ASSERT_EQUAL(b->y[V], settings[i].p[VB]);
      CU_ASSERT_EQUAL(b->y[SENSE], (double)a->sense);
      passes += b->closes && !a->sticks;
    }
    CU_ASSERT(worst > 0 && worst < most);
    CU_ASSERT(passes == settings[i].passes && exact.n >= 5);
  }
}

static void dop853_follows_the_closed_form(void) { check("dop853", 1e-13, 1e-12); }
static void ode45_follows_the_closed_form(void) { check("ode45", 1e-12, 1e-9); }
static void every_method_follows_the_closed_form(void)
{
  for (int i = 0; sal_registry_methods[i]; ++i) check(sal_registry_methods[i]->name, 1e-8, 1e-3);
}

/* Without damping: 2 D / vb on the belt with D = (fs - fk) / k, and the rest of a turn off it. */
static void the_period_is_that_of_the_limit_cycle(void)
{
  const double *p = settings[0].p, D = (p[FS] - p[FK]) / p[K], w = sqrt(p[K] / p[M]);
  const double period = 2 * D / p[VB] + 2 / w * (M_PI - atan(w * D / p[VB]));
  static logged found;

  run("ode45", 1e-12, p, settings[0].start, 60, &found);
  CU_ASSERT_FATAL(outcome(&found.record) == SAL_OUT_DONE && found.log.n >= 14);
  for (int i = 3; i < found.log.n; ++i) {
    CU_ASSERT(found.event[i].closes == (i % 2 == 0));
    CU_ASSERT_DOUBLE_EQUAL(found.event[i].t - found.event[i - 2].t, period, 1e-9);
  }
  CU_ASSERT(period > 8);
}

/* On the belt at the start, with a pull that friction holds or not, and with a sense of slip that the
 * velocity contradicts: the mode is right at once, by every method. */
static void a_run_may_begin_anywhere(void)
{
  const double *p = settings[0].p;
  const struct {
    double start[N_STATE], t, sense; /* of the first event */
    bool closes;
  } cases[] = {{{0.5, 0.2, -1}, 2.5, -1, false},
               {{0.5, 0.2, 1}, 2.5, -1, false},
               {{1.5, 0.2, 1}, 0, -1, false},
               {{-1.5, 0.2, -1}, 0, 1, false},
               {{-0.5, 0.5, -1}, 0, 1, true}};

  for (int m = 0; sal_registry_methods[m]; ++m)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
      static logged found;
      run(sal_registry_methods[m]->name, 1e-6, p, cases[i].start, 3, &found);
      CU_ASSERT_EQUAL(outcome(&found.record), SAL_OUT_DONE);
      CU_ASSERT_FATAL(found.log.n >= 1);
      CU_ASSERT_DOUBLE_EQUAL(found.event[0].t, cases[i].t, 1e-9);
      CU_ASSERT_EQUAL(found.event[0].y[SENSE], cases[i].sense);
      CU_ASSERT_EQUAL(found.event[0].closes, cases[i].closes);
    }
}

/* A projection onto the speed of the belt: what holds the block there is another gap, which may well
 * approach its own surface. */
static void projections_meet_it_too(void)
{
  const char *const strategies[] = {"ess", "ess2"};
  const double span = 26; /* three times stuck, three times loose again */

  for (int i = 0; i < 2; ++i) {
    const sal_setup setup = config("stick-slip", "ode45", strategies[i], 1e-7, span);
    sal_event event[8];
    sal_events log = {.event = event, .capacity = 8};
    const chain exact = follow(settings[0].p, settings[0].start, span);
    const sal_record r = run_one(&setup, settings[0].p, settings[0].start, NULL, &log);
    CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_DONE && log.n == exact.n && exact.n == 7);
    for (int j = 0; j < exact.n; ++j)
      CU_ASSERT_DOUBLE_EQUAL(event[j].t, (double)exact.at[j].t, 2e-3);
    CU_ASSERT(r.value[SAL_METRIC_PROJECTIONS] >= 7);
  }
}

static void it_cannot_be_had_by_an_if_in_the_right_hand_side(void)
{
  const sal_model *m = sal_registry_model("stick-slip");

  CU_ASSERT(!sal_strategy_meets_jumps(sal_registry_strategy("switch"), m));
  CU_ASSERT(sal_strategy_meets_jumps(sal_registry_strategy("event"), m));
  CU_ASSERT_PTR_NULL(m->flaw(m->inner, settings[0].p));
  CU_ASSERT_PTR_NOT_NULL(m->flaw(m->inner, (double[]){1, 0, 1, 0.2, 0.6, 0.6}));
}

SAL_TEST_MAIN("stick-slip", NULL,
              {"dop853 follows the closed form", dop853_follows_the_closed_form},
              {"ode45 follows the closed form", ode45_follows_the_closed_form},
              {"every method follows the closed form", every_method_follows_the_closed_form},
              {"the period is that of the limit cycle", the_period_is_that_of_the_limit_cycle},
              {"a run may begin anywhere", a_run_may_begin_anywhere},
              {"projections meet it, too", projections_meet_it_too},
              {"it cannot be had by an if in the right-hand side",
               it_cannot_be_had_by_an_if_in_the_right_hand_side})
