/** The ball against its exact impact map: each flight is a parabola, and where it hits the table is a
 *  transcendental equation, solved in long double.
 */
#include "kernels/run_one.h"
#include "model_point.h"
#include "sal_test.h"

enum { G, E, A, W, N_PARAM };
enum { MOST = 1024 };
#define TWO_PI 6.2831853071795864769

static long double height(const double p[], long double t) { return p[A] * sinl(p[W] * t); }
static long double speed(const double p[], long double t) { return p[A] * p[W] * cosl(p[W] * t); }
/** How far the ball is above the table a time s after t0. */
static long double gap_at(const double p[], long double t0, const long double y[], long double s)
{
  return y[0] + s * (y[1] - s * p[G] / 2) - height(p, t0 + s);
}

/** The next impact; y receives the state after it.  Begins with steps of `first`. */
static long double impact_after(const double p[], long double t0, long double y[],
                                long double first)
{
  long double s = 0, step = first, most = 1e-3L * TWO_PI / p[W];

  for (; gap_at(p, t0, y, s + step) > 0; s += step) step = fminl(1.2L * step, most);
  long double lo = s, hi = s + step;
  for (int i = 0; i < 70; ++i) {
    const long double mid = (lo + hi) / 2;
    *(gap_at(p, t0, y, mid) > 0 ? &lo : &hi) = mid;
  }
  const long double t = t0 + hi, v = y[1] - p[G] * hi;
  y[0] = height(p, t);
  y[1] = speed(p, t) - p[E] * (v - speed(p, t));
  return t;
}

typedef struct {
  sal_event event[MOST];
  double at_events[MOST][2 * 2];
  sal_events log;
  sal_record record;
  double end[2];
} logged;

static void run(const char *method, double tol, const double p[], const double initial[],
                double span, logged *out)
{
  sal_setup setup = config("shaking-table", method, "event", tol, span);

  setup.max_attempts = 10000000; /* a fault must not hang */
  out->log =
      (sal_events){.event = out->event, .capacity = MOST, .state = *out->at_events, .n_state = 2};
  const sal_job job = {.param = p, .initial = initial, .events = &out->log, .end = out->end};
  run_batch(&setup, 1, 1, &job, &out->record);
}

/** Times and velocities of the first n impacts. */
typedef struct {
  int n;
  long double t[MOST], v[MOST];
} impacts;

static void follow(const double p[], double y0, long double v0, int n, impacts *out)
{
  long double y[2] = {y0, v0}, t = 0;

  for (out->n = 0; out->n < n; ++out->n) {
    t = impact_after(p, t, y, 1e-5L);
    out->t[out->n] = t;
    out->v[out->n] = y[1];
  }
}

/* Bounces of one period: w' = g T / 2 (1 - e) / (1 + e) at the impact.  They attract their neighbours
 * while 0 < a w^2 sin(phase) / g < 2 (1 + e^2) / (1 + e)^2 (here 0.5 < 1.11), by e at each impact, so
 * that errors die out and a thousand impacts can be compared. */
static void check_periodic(const char *method, double tol, double most)
{
  enum { N = 1000 };
  const double w = TWO_PI, g = 1, e = 0.5, along = M_PI * (1 - e) / (1 + e), across = 0.5;
  const double p[] = {g, e, sqrt(along * along + across * across) * g / (w * w), w};
  const double t = atan2(across, along) / w, rise = g / 2; /* period 1 */
  const double start[] = {(double)height(p, t) + t * (rise - g * t / 2) + 1e-3, g * t - rise};
  static impacts exact;
  static logged found;
  double worst = 0, apart = 0;

  follow(p, start[0], start[1], N, &exact);
  run(method, tol, p, start, (double)exact.t[N - 1] + 0.5, &found);
  CU_ASSERT_FATAL(outcome(&found.record) == SAL_OUT_DONE && found.log.n == N);
  for (int i = 0; i < N; ++i) {
    worst = fmax(worst, fabs(found.event[i].t - (double)exact.t[i]));
    worst = fmax(worst, fabs(found.event[i].y[1] - (double)exact.v[i]));
    apart = fmax(apart, fabs((double)(exact.t[i] - i) - t));
  }
  CU_ASSERT(worst > 0 && worst < most);
  CU_ASSERT(apart > 1e-3); /* it began off the orbit */
  CU_ASSERT_DOUBLE_EQUAL((double)(exact.t[N - 1] - exact.t[N - 2]), 1, 1e-12);
}

static void a_thousand_impacts_by_dop853(void) { check_periodic("dop853", 1e-12, 1e-10); }
static void a_thousand_impacts_by_ode45(void) { check_periodic("ode45", 1e-12, 1e-10); }

/* A neighbour shows how fast errors grow; as long as they stay small the impacts are the same. */
static void chaotic_impacts_agree_while_errors_are_small(void)
{
  enum { N = 120 };
  const double p[] = {1, 0.6, 2 / (TWO_PI * TWO_PI), TWO_PI}, start[] = {0.5, 0};
  const double nudge = 1e-14, error = 1e-13;
  static impacts exact, beside;
  static logged found;
  int same = 0;
  double growth = 0;

  follow(p, start[0], start[1], N, &exact);
  follow(p, start[0], start[1] + (long double)nudge, N, &beside);
  run("dop853", 1e-13, p, start, (double)exact.t[N - 1], &found);
  CU_ASSERT_EQUAL(outcome(&found.record), SAL_OUT_DONE);
  for (int i = 0; i < N; ++i, ++same) {
    growth = fmax(growth, 1 + fabs((double)(beside.t[i] - exact.t[i])) / nudge);
    if (growth * error > 1e-4) break;
    CU_ASSERT_DOUBLE_EQUAL(found.event[i].t, (double)exact.t[i], 10 * growth * error);
  }
  CU_ASSERT(same >= 20 && growth > 1e8);
  double last = 0;
  for (int i = same; i < N && i < found.log.n; ++i)
    last = fmax(last, fabs(found.event[i].t - (double)exact.t[i]));
  CU_ASSERT(last > 1e-3); /* it is chaotic */
}

/* The table falls faster than the ball once a period.  The ball comes to rest before, and takes off
 * at the same phase of each period, whatever was before. */
static void a_ball_at_rest_takes_off(void)
{
  const double p[] = {9.81, 0.3, 0.3, TWO_PI}, start[] = {1, 0};
  const double phase = asin(p[G] / (p[A] * p[W] * p[W])) / p[W];
  long double y[] = {height(p, phase), speed(p, phase)};
  const long double lands = impact_after(p, phase, y, 1e-3L);

  for (int i = 0; sal_registry_methods[i]; ++i) {
    static logged found;
    int releases = 0, landings = 0;
    run(sal_registry_methods[i]->name, 1e-8, p, start, 6, &found);
    CU_ASSERT_EQUAL(outcome(&found.record), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(found.record.value[SAL_METRIC_ZENO], 6);
    CU_ASSERT_EQUAL(found.record.value[SAL_METRIC_GRAZES], 0);
    for (int j = 0; j + 1 < found.log.n; ++j) {
      const sal_event *e = &found.event[j];
      if (e->closes) continue;
      ++releases;
      CU_ASSERT_DOUBLE_EQUAL(e->t, phase + releases, 1e-9);
      CU_ASSERT_DOUBLE_EQUAL(e->y[0], (double)height(p, e->t), 1e-15);
      CU_ASSERT_DOUBLE_EQUAL(e->y[1], (double)speed(p, e->t), 1e-14);
      landings += fabs(e[1].t - releases - (double)lands) < 1e-4 && e[1].closes;
    }
    CU_ASSERT_EQUAL(releases, 5);
    CU_ASSERT_EQUAL(landings, 5);
  }
  CU_ASSERT(lands > phase + 0.3);
}

/* Released flights a little higher than errors of the steps: ode15s, whose first steps are of order 1, falls beneath the
 * table at once.  The flight is over where it comes back, and the ball rests until the next release. */
static void a_flight_lower_than_errors_ends(void)
{
  static const double p[][4] = {
      {8.181404974873189, 0.3817828643032273, 0.14144164660543668, 7.70885790627647},
      {1.956358460788815, 0.3416307998997572, 0.1467554903089027, 3.66360520432693}};
  static const double start[] = {1, 0};
  static logged found, exact;

  for (int c = 0; c < 2; ++c) {
    run("dop853", 1e-10, p[c], start, 5, &exact);
    for (int i = 0; sal_registry_methods[i]; ++i)
      for (double tol = 1e-2; tol > 1e-5; tol /= 10) {
        run(sal_registry_methods[i]->name, tol, p[c], start, 5, &found);
        CU_ASSERT_EQUAL(outcome(&found.record), SAL_OUT_DONE);
        CU_ASSERT_DOUBLE_EQUAL(found.end[0], exact.end[0], 40 * tol);
        CU_ASSERT(found.log.n > 8);
      }
  }
}

/* A table that never falls faster than the ball keeps it. */
static void a_ball_at_rest_stays_on_a_gentle_table(void)
{
  const double p[] = {9.81, 0.3, 0.2, TWO_PI}, start[] = {0.3, 0};

  for (int i = 0; sal_registry_methods[i]; ++i) {
    static logged found;
    run(sal_registry_methods[i]->name, 1e-8, p, start, 5.2, &found);
    CU_ASSERT_EQUAL(outcome(&found.record), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(found.record.value[SAL_METRIC_ZENO], 1);
    CU_ASSERT(found.event[found.log.n - 1].closes && found.event[found.log.n - 1].t < 2);
    CU_ASSERT_DOUBLE_EQUAL(found.end[0], (double)height(p, 5.2), 1e-5);
    CU_ASSERT(found.end[0] > 0.19);
  }
}

/* At rest on the table at the start. */
static void a_run_may_begin_on_the_table(void)
{
  const double p[] = {9.81, 0.3, 0.3, TWO_PI}, start[] = {0, p[A] * p[W]};
  static logged found;

  run("ode45", 1e-10, p, start, 0.4, &found);
  CU_ASSERT_FATAL(outcome(&found.record) == SAL_OUT_DONE && found.log.n == 1);
  CU_ASSERT_DOUBLE_EQUAL(found.event[0].t, asin(p[G] / (p[A] * p[W] * p[W])) / p[W], 1e-12);
  CU_ASSERT(!found.event[0].closes);
}

/* The jump depends on the time: it reverses the velocity against the table, not that of the ball. */
static void the_jump_is_that_of_the_relative_velocity(void)
{
  const sal_model *m = sal_registry_model("shaking-table");
  const double p[] = {9.81, 0.5, 0.3, 2}, t = 0.7;
  double y[] = {0, -3};
  bool closed[] = {true};

  sal_model_jump(m, p, 0, closed, t, y);
  const double w = (double)speed(p, t);
  CU_ASSERT_DOUBLE_EQUAL(y[1] - w, -0.5 * (-3 - w), 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(y[0], (double)height(p, t), 1e-16);
  CU_ASSERT(!closed[0] && fabs(w) > 0.1);
}

/* Free fall onto a table that shakes twenty times meanwhile: f does not need steps shorter than the
 * fall, and the ball is met where the table first rises to it. */
static void no_rise_of_the_table_is_passed_over(void)
{
  const double p[] = {9.81, 0.5, 0.05, 20 * TWO_PI}, start[] = {5, 0}, span = 1.01;
  long double y[] = {5, 0};
  static logged out;

  const double fall = (double)impact_after(p, 0, y, 1e-4L);
  CU_ASSERT(fall > 0.95 && fall < span);
  for (int m = 0; sal_registry_methods[m]; ++m) {
    run(sal_registry_methods[m]->name, 1e-9, p, start, span, &out);
    CU_ASSERT(out.log.n >= 1);
    CU_ASSERT_DOUBLE_EQUAL(out.event[0].t, fall, 1e-7);
    CU_ASSERT(out.record.value[SAL_METRIC_STEPS] >= fall * 20 * 8);
  }
}

SAL_TEST_MAIN("shaking table", NULL, {"a thousand impacts by dop853", a_thousand_impacts_by_dop853},
              {"a thousand impacts by ode45", a_thousand_impacts_by_ode45},
              {"chaotic impacts agree while errors are small",
               chaotic_impacts_agree_while_errors_are_small},
              {"a ball at rest takes off", a_ball_at_rest_takes_off},
              {"a flight lower than errors ends", a_flight_lower_than_errors_ends},
              {"a ball at rest stays on a gentle table", a_ball_at_rest_stays_on_a_gentle_table},
              {"a run may begin on the table", a_run_may_begin_on_the_table},
              {"no rise of the table is passed over", no_rise_of_the_table_is_passed_over},
              {"the jump is that of the relative velocity",
               the_jump_is_that_of_the_relative_velocity})
