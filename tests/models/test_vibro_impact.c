/** Between impacts the oscillator has a closed form; impacts and releases are chained in long double.
 */
#include "kernels/run_one.h"
#include "sal_test.h"

enum { ZETA, W, A, D, E, N_PARAM };
enum { MOST = 400 };

/** One event: an impact with the velocity after it, or a release. */
typedef struct {
  long double t, v;
  int wall; /* 0 at x = d, 1 at x = -d */
  bool closes;
} turn;

typedef struct {
  const double *p;
  long double floor; /* flights lower than this are not followed */
  int n, rests;
  turn at[MOST];
} chain;

/** (x, v) a time s after (x0, v0) at t0: a forced and a free oscillation. */
static void state_at(const double p[], long double t0, const long double y0[], long double s,
                     long double y[])
{
  const long double z = p[ZETA], w = p[W], detune = 1 - w * w, loss = 2 * z * w;
  const long double size = p[A] / (detune * detune + loss * loss), P = size * detune,
                    Q = size * loss;
  const long double free = sqrtl(1 - z * z), c = cosl(w * t0), q = sinl(w * t0);
  const long double X = y0[0] - P * c - Q * q, V = y0[1] + w * (P * q - Q * c);
  const long double B = (V + z * X) / free, decay = expl(-z * s);
  const long double cf = cosl(free * s), sf = sinl(free * s), t = t0 + s;

  y[0] = P * cosl(w * t) + Q * sinl(w * t) + decay * (X * cf + B * sf);
  y[1] = w * (Q * cosl(w * t) - P * sinl(w * t)) +
         decay * ((free * B - z * X) * cf - (free * X + z * B) * sf);
}

static long double side_of(int wall) { return wall == 0 ? 1 : -1; }

static long double push(const double p[], int wall, long double t)
{
  return side_of(wall) * p[A] * cosl(p[W] * t) - p[D];
}

/** When the wall that carries the mass at t no longer has to push. */
static long double release_after(const double p[], int wall, long double t)
{
  const long double step = 1e-3L;

  while (push(p, wall, t + step) > 0) t += step;
  long double lo = t, hi = t + step;
  for (int i = 0; i < 70; ++i) {
    const long double mid = (lo + hi) / 2;
    *(push(p, wall, mid) > 0 ? &lo : &hi) = mid;
  }
  return hi;
}

/** Follows the mass from (t0, y0) to its next wall; y receives its state there.  Begins with steps
 *  of `first`, far shorter than a flight. */
static long double impact_after(const double p[], long double t0, const long double y0[],
                                long double first, long double y[])
{
  const long double d = p[D];
  long double s = 0, step = first;

  for (;; s += step, step = fminl(1.2L * step, 1e-3L)) {
    state_at(p, t0, y0, s + step, y);
    if (fabsl(y[0]) > d) break;
  }
  long double lo = s, hi = s + step;
  for (int i = 0; i < 70; ++i) {
    const long double mid = (lo + hi) / 2;
    state_at(p, t0, y0, mid, y);
    *(fabsl(y[0]) > d ? &hi : &lo) = mid;
  }
  state_at(p, t0, y0, hi, y);
  return t0 + hi;
}

static void follow(chain *c, double x, double v, double span)
{
  const double *p = c->p;
  long double t = 0, y[2] = {x, v}, end[2], first = 1e-3L;

  while (c->n < MOST - 1) {
    t = impact_after(p, t, y, first, end);
    const int wall = end[0] > 0 ? 0 : 1;
    if (t > span) return;
    y[0] = side_of(wall) * p[D];
    y[1] = -p[E] * end[1];
    const long double pull = fabsl(push(p, wall, t) - 2 * p[ZETA] * fabsl(y[1]));
    if (push(p, wall, t) > 0 && y[1] * y[1] / (2 * pull) < c->floor) { /* chatter comes to rest */
      t = release_after(p, wall, t);
      ++c->rests;
      if (t > span) return;
      c->at[c->n++] = (turn){t, 0, wall, false};
      y[1] = 0;
      first = 1e-3L;
    } else {
      c->at[c->n++] = (turn){t, y[1], wall, true};
      first = fminl(1e-3L, 0.1L * fabsl(y[1]) / pull);
    }
  }
}

typedef struct {
  sal_event event[MOST];
  double at_events[MOST][2 * 2];
  sal_events log;
  sal_record record;
} logged;

static void run(const char *method, double tol, const double p[], const double initial[],
                double span, logged *out)
{
  sal_setup setup = config("vibro-impact", method, "event", tol, span);

  setup.max_attempts = 10000000; /* a fault must not hang */
  out->log =
      (sal_events){.event = out->event, .capacity = MOST, .state = *out->at_events, .n_state = 2};
  out->record = run_one(&setup, p, initial, NULL, &out->log);
}

/** Largest difference in times and velocities of events; infinite where they are not the same.
 *  Impacts of flights that the chain does not follow are passed over. */
static double distance(const chain *exact, const logged *run)
{
  double worst = 0;
  int j = 0;

  for (int i = 0; i < exact->n; ++i, ++j) {
    const turn *e = &exact->at[i];
    while (!e->closes && j < run->log.n && run->event[j].closes && run->event[j].guard == e->wall)
      ++j;
    if (j >= run->log.n || run->event[j].guard != e->wall || run->event[j].closes != e->closes)
      return INFINITY;
    worst = fmax(worst, fabs(run->event[j].t - (double)e->t));
    worst = fmax(worst, fabs(run->event[j].y[1] - (double)e->v));
    CU_ASSERT_EQUAL(fabs(run->event[j].y[0]), exact->p[D]);
  }
  return worst;
}

static const struct {
  double p[N_PARAM], span;
  int impacts, rests; /* at least */
} settings[] = {{{0.05, 1, 1.79, 1, 0.3}, 20, 7, 0},
                {{0.05, 1, 2.0, 1, 0.3}, 20, 9, 0},
                {{0.05, 0.8, 2.0, 1, 0.3}, 40, 20, 1},
                {{0.05, 0.5, 1.79, 1, 0.3}, 20, 15, 2},
                {{0.05, 0.4, 2.0, 1, 0.3}, 20, 12, 2}};
enum { N_SETTING = sizeof settings / sizeof *settings };
static const double start[] = {0, 0};

static void check(const char *method, double tol, double floor, double most)
{
  for (int i = 0; i < N_SETTING; ++i) {
    static chain exact;
    static logged found;
    exact = (chain){.p = settings[i].p, .floor = floor};
    follow(&exact, start[0], start[1], settings[i].span);
    run(method, tol, settings[i].p, start, settings[i].span, &found);
    CU_ASSERT_EQUAL(outcome(&found.record), SAL_OUT_DONE);
    CU_ASSERT(exact.n >= settings[i].impacts && exact.rests >= settings[i].rests);
    const double error = distance(&exact, &found);
    CU_ASSERT(error > 0 && error < most);
    CU_ASSERT_EQUAL(found.record.value[SAL_METRIC_ZENO], exact.rests);
    if (exact.rests == 0) CU_ASSERT_EQUAL(found.log.n, exact.n);
  }
}

static void dop853_meets_the_closed_form(void) { check("dop853", 1e-13, 1e-12, 1e-10); }
static void ode45_meets_the_closed_form(void) { check("ode45", 1e-12, 1e-10, 1e-8); }

/* In chatter every method finds the flights that are higher than its tolerance. */
static void every_method_meets_the_same_impacts(void)
{
  for (int i = 0; sal_registry_methods[i]; ++i)
    check(sal_registry_methods[i]->name, 1e-9, 1e-6, 3e-5);
}

/* To the last flight, which is as high as rounding, and may be lost in each chatter.  Methods that begin
 * with order 1 lose the flights that are lower than their tolerance. */
static void chatter_has_nearly_the_same_number_of_impacts(void)
{
  static logged one, other;

  for (int k = 0; k < N_SETTING; ++k) {
    run("dop853", 1e-9, settings[k].p, start, settings[k].span, &one);
    for (int i = 0; sal_registry_methods[i]; ++i) {
      const sal_method *m = sal_registry_methods[i];
      if (m->min_order < m->order) continue;
      run(m->name, 1e-9, settings[k].p, start, settings[k].span, &other);
      CU_ASSERT(llabs(one.log.n - other.log.n) <= (int)one.record.value[SAL_METRIC_ZENO]);
    }
  }
}

/* Points of a box, evenly: multiples of powers of the root of x^5 = x + 1. */
static void spread(int i, double p[])
{
  static const double lo[N_PARAM] = {0.05, 0.2, 0.5, 0.2, 0.3};
  static const double hi[N_PARAM] = {0.05, 2, 3, 1, 0.8}, root = 1.16730397826141868;

  for (int j = 0; j < N_PARAM; ++j) {
    const double x = 0.5 + i * pow(root, -j);
    p[j] = lo[j] + (x - floor(x)) * (hi[j] - lo[j]);
  }
}

/* At loose tolerances some methods give a flight back what the impact before it took, again and again: then
 * flights cease to become lower long before rounding matters.  They come to rest all the same, as often as
 * those of the reference, and with no more impacts than it has, but for those that tolerance adds; impacts within the tolerance are left out. */
static void chatter_comes_to_rest_at_any_tolerance(void)
{
  enum { CELLS = 24 };
  static logged found;
  double p[N_PARAM], impacts = 0, rests = 0;
  int chattering = 0;

  for (int i = 0; i < CELLS; ++i) {
    spread(i, p);
    run("dop853", 1e-12, p, start, 20, &found);
    impacts += (double)found.log.n;
    rests += found.record.value[SAL_METRIC_ZENO];
    chattering += found.record.value[SAL_METRIC_ZENO] > 0;
  }
  CU_ASSERT(chattering >= 6 && impacts > 400);
  for (int m = 0; sal_registry_methods[m]; ++m)
    for (double tol = 1e-3; tol > 1e-6; tol *= 1e-2) {
      double many = 0, come = 0;
      for (int i = 0; i < CELLS; ++i) {
        spread(i, p);
        run(sal_registry_methods[m]->name, tol, p, start, 20, &found);
        CU_ASSERT_EQUAL(outcome(&found.record), SAL_OUT_DONE);
        many += (double)found.log.n;
        come += found.record.value[SAL_METRIC_ZENO];
      }
      CU_ASSERT(many < 1.1 * impacts && many > 0.4 * impacts);
      /* one that begins with order 1 comes to rest too soon at times, and again */
      CU_ASSERT(come >= rests - 2 && come <= rests + 6);
    }
}

/* The reference of a cell: two tolerances, the same events and, at all times, the same states. */
static void the_reference_is_certified(void)
{
  enum { MESH = 2000 };
  static double state[2][MESH + 1][2];
  sal_record r[2];
  double error = 0, least = 0;

  for (int k = 0; k < N_SETTING; ++k) {
    for (int i = 0; i < 2; ++i) {
      const sal_setup setup =
          config("vibro-impact", "dop853", "event", i ? 1e-13 : 1e-12, settings[k].span);
      sal_samples mesh = {.n_mesh = MESH, .state = state[i][0]};
      r[i] = run_one(&setup, settings[k].p, start, &mesh, NULL);
      CU_ASSERT_EQUAL(outcome(&r[i]), SAL_OUT_DONE);
    }
    for (int j = 0; j <= MESH; ++j) {
      error = fmax(error, fabs(state[0][j][0] - state[1][j][0]));
      error = fmax(error, fabs(state[0][j][1] - state[1][j][1]) * 1e-3); /* jumps between points */
      least = fmin(least, state[0][j][0]);
    }
    CU_ASSERT_EQUAL(n_event(&r[0]), n_event(&r[1]));
  }
  CU_ASSERT(error < 1e-9);
  CU_ASSERT_EQUAL(least, -1);
}

/* While it sticks nothing moves, and what was before is forgotten. */
static void a_mass_at_the_wall_stays_until_it_is_pulled_off(void)
{
  enum { MESH = 1000 };
  static double state[MESH + 1][2];
  const double p[] = {0.05, 0.5, 1.79, 1, 0.3}, begin[] = {1, 0};
  const sal_setup setup = config("vibro-impact", "ode45", "event", 1e-10, 2.5);
  sal_samples mesh = {.n_mesh = MESH, .state = state[0]};
  sal_event event[4] = {0};
  sal_events log = {.event = event, .capacity = 4};
  const sal_record r = run_one(&setup, p, begin, &mesh, &log);
  const double release = acos(p[D] / p[A]) / p[W];

  CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_DONE && log.n == 1);
  CU_ASSERT(!event[0].closes && event[0].guard == 0);
  CU_ASSERT_DOUBLE_EQUAL(event[0].t, release, 1e-13);
  for (int j = 0; j <= MESH; ++j)
    if (2.5 * j / MESH < release) CU_ASSERT(state[j][0] == 1 && state[j][1] == 0);
  CU_ASSERT(state[MESH][0] < 0.99 && state[MESH][1] < 0);
}

/* On the wall at the start, and the force pulls: it leaves at once, by every method. */
static void a_mass_that_is_pulled_leaves_at_once(void)
{
  const double p[] = {0.05, 0.5, 0.5, 1, 0.3};

  for (int i = 0; sal_registry_methods[i]; ++i)
    for (int side = -1; side <= 1; side += 2) {
      static logged found;
      const double begin[] = {side, 0};
      double y[2];
      run(sal_registry_methods[i]->name, 1e-6, p, begin, 1, &found);
      CU_ASSERT_EQUAL(outcome(&found.record), SAL_OUT_DONE);
      CU_ASSERT_FATAL(found.log.n == 1);
      CU_ASSERT(found.event[0].t == 0 && !found.event[0].closes);
      const sal_setup setup =
          config("vibro-impact", sal_registry_methods[i]->name, "event", 1e-6, 1);
      const sal_job job = {.param = p, .initial = begin, .end = y};
      sal_record r;
      long double exact[2];
      run_batch(&setup, 1, 1, &job, &r);
      state_at(p, 0, (long double[]){side, 0}, 1, exact);
      CU_ASSERT_DOUBLE_EQUAL(y[0], (double)exact[0], 1e-3);
      CU_ASSERT(fabs(y[0]) < 0.8);
    }
}

SAL_TEST_MAIN("vibro-impact", NULL,
              {"dop853 matches the closed form", dop853_meets_the_closed_form},
              {"ode45 matches the closed form", ode45_meets_the_closed_form},
              {"every method finds the same impacts", every_method_meets_the_same_impacts},
              {"chatter comes to rest at any tolerance", chatter_comes_to_rest_at_any_tolerance},
              {"chatter has nearly the same number of impacts",
               chatter_has_nearly_the_same_number_of_impacts},
              {"the reference is certified", the_reference_is_certified},
              {"a mass at the wall stays until it is pulled off",
               a_mass_at_the_wall_stays_until_it_is_pulled_off},
              {"a mass that is pulled leaves at once", a_mass_that_is_pulled_leaves_at_once})
