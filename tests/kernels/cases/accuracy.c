/** Cases 20, 23 and 24: orders, kinks and sensitivities across events. */
#include "cases.h"
#include "kernels/order.h"

static case_run run;

/* ---- 20 ------------------------------------------------------------------------------------- */

/* Largest error of the times of eight events over four turns, with fixed steps. */
static double error_of_times(const sal_method *method, int max_order, int n_step)
{
  enum { EVENTS = 8 };
  static const double param[ROTOR_PARAMS] = {1, 0.3, -9, -9, 1, 0, 0}, top[] = {0, 1}, span = 25;
  static case_event expected[EVENTS];
  const case_pair pair = {.method = method, .strategy = sal_registry_strategy("event")};
  sal_setup setup = case_setup(&pair, &rotor, 1e-13, span, 1);
  logged_run *log = &run.log;

  setup.fixed_step = span / n_step;
  setup.max_step = span;
  setup.max_order = max_order;
  log->events = log_of(&setup, log);
  log->record = run_one(&setup, param, top, NULL, &log->events);
  const double worst = case_error(&run, case_rotor_events(param, span, EVENTS, expected), expected);
  return isfinite(worst) ? worst : NAN;
}

/* As good as the steps that lead there, where they are made to end on the event, else as the dense
 * output that it is found on.  After each event a multistep method starts from tiny steps; at high
 * order it reaches rounding before an order could be seen. */
void order_of_event_times(void)
{
  order_member member[64];
  const int n = order_members(64, member);

  printf("\n");
  for (int i = 0; i < n; ++i) {
    const order_member *m = &member[i];
    if ((m->max_order > 0 && m->theory > 5) || !sal_method_solves(m->method, &rotor)) continue;
    const int theory = m->method->restep ? m->theory : order_between(m);
    const double off = order_off(error_of_times, m, theory, 25000, 1e-12);
    CU_ASSERT(off > -0.35 && off < 0.75);
  }
}

/* ---- 23 ------------------------------------------------------------------------------------- */

/* Largest error of a mass that bounces while no strategy locates events. */
static double bounce_blindly(const case_pair *pair, double tol)
{
  static const double param[] = {1, 100, 1}, initial[] = {1, 0}, span = 6;
  const sal_setup setup = case_setup(pair, sal_registry_model("linear-ground"), tol, span, 1);
  const bounces exact = bounces_solve(param, 1, 0, span);
  double worst = 0;

  case_do(pair, &setup, param, initial, &run);
  CASE_EXPECT(pair, exact.n == 5 && outcome(&run.log.record) == SAL_OUT_DONE);
  CASE_EXPECT(pair, n_event(&run.log.record) == 0);
  CASE_EXPECT(pair, case_metric(&run, SAL_METRIC_FAILED) >= exact.n - 1); /* one for each kink */
  for (int j = 0; j <= CASE_MESH; ++j) {
    long double right[2];
    bounces_at(&exact, (long double)span * j / CASE_MESH, right);
    worst = fmax(worst, fabs((double)(run.state[2 * j] - right[0])));
  }
  return worst;
}

/* A force that acts for less than a step may be missed altogether.  That cannot be counted, but the
 * error shows it; `event` finds the pulse (case 1). */
static void miss_a_pulse(const case_pair *pair, bool *missed)
{
  enum { MESH = 100 };
  static const double param[] = {[PULSE_MIDDLE] = 0.537, [PULSE_HALF] = 0.01}, still[] = {0};
  double right[MESH + 8] = {0};
  const sal_score score = {.reference = right, .n_mesh = MESH, .epsilon = 1e-3, .floor = 1e-3};
  const sal_setup setup = case_setup(pair, &pulse, 1e-6, 1, 1);
  const sal_job job = {.param = param, .initial = still, .score = &score};
  sal_record out;

  for (int j = 0; j <= MESH; ++j) right[j] = fmin(fmax(0.01 * j - 0.527, 0), 0.02);
  run_batch(&setup, 1, 1, &job, &out);
  const double error = out.value[SAL_METRIC_MAX_ERROR];
  const bool saw = out.value[SAL_METRIC_FAILED] > 0;
  CASE_EXPECT(pair, outcome(&out) == SAL_OUT_DONE);
  CASE_EXPECT(pair, saw ? error < 1e-3 : fabs(error - 0.02) < 1e-12);
  CASE_EXPECT(pair, saw || !isnan(out.value[SAL_METRIC_DT]));
  *missed |= !saw;
}

void kinks_under_switch(void)
{
  bool missed = false;

  for (case_pair pair = {0}; case_next(&pair, &pulse, SAL_CASE_EVERY);) {
    if (!case_is(&pair, "switch")) continue;
    for (double tol = 1e-3; tol > 1e-10; tol /= 100) {
      const double worst = bounce_blindly(&pair, tol);
      CASE_EXPECT(&pair, worst < 10 * pow(tol, 2.0 / 3) && worst > 1e-2 * tol);
    }
    miss_a_pulse(&pair, &missed);
  }
  CU_ASSERT(missed);
}

/* ---- 24 ------------------------------------------------------------------------------------- */

typedef struct {
  double a[2][2];
} matrix;

static matrix times(matrix p, matrix q)
{
  matrix r;

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) r.a[i][j] = p.a[i][0] * q.a[0][j] + p.a[i][1] * q.a[1][j];
  return r;
}

/* d(y, v)/d(y0, v0) over a time s inside one phase. */
static matrix inside(const bounces *b, bool closed, double s)
{
  const double half = (double)b->d / 2, k = (double)b->k, w = sqrt(k - half * half);
  const double e = exp(-half * s), c = e * cos(w * s), d = e * sin(w * s) / w;

  if (!closed) return (matrix){{{1, s}, {0, 1}}};
  return (matrix){{{c + half * d, d}, {-k * d, c - half * d}}};
}

/* The derivative of the end with respect to the start: phases, and at each event the saltation
 * I + (f+ - f-) n' / (n' f-) with n = (1, 0).  Only the damper acts at y = 0. */
static matrix sensitivity(const bounces *b, double span, bool saltations)
{
  matrix all = {{{1, 0}, {0, 1}}};

  for (int i = 0; i < b->n; ++i) {
    const double begin = (double)b->phase[i].t,
                 end = i + 1 < b->n ? (double)b->phase[i + 1].t : span;
    const double kick = b->phase[i].closed ? (double)-b->d : (double)b->d;
    if (i > 0 && saltations) all = times((matrix){{{1, 0}, {kick, 1}}}, all);
    all = times(inside(b, b->phase[i].closed, end - begin), all);
  }
  return all;
}

/* The same for a ball on a rigid floor: impacts reset, Xi = DR + (f+ - DR f-) n' / (n' f-). */
static matrix ball_sensitivity(double e, double y, double span)
{
  const double g = 9.81, fall = sqrt(2 * y / g);
  double t = fall, v = -g * fall;
  matrix all = {{{1, fall}, {0, 1}}};

  while (t < span) {
    const double flown = fmin(span - t, -2 * e * v / g);
    all = times((matrix){{{-e, 0}, {-(1 + e) * g / v, -e}}}, all);
    all = times((matrix){{{1, flown}, {0, 1}}}, all);
    t += flown;
    v *= e;
  }
  return all;
}

/* A model, its parameters, where it starts from rest and ends, and its events between. */
typedef struct {
  const char *model;
  const double param[4];
  double y, span;
  int events;
} flight;

static void end_of(const case_pair *pair, const flight *f, const double from[], double to[])
{
  const sal_model *model = sal_registry_model(f->model);
  const sal_setup setup = case_setup(pair, model, 1e-11, f->span, 1);

  case_do(pair, &setup, f->param, from, &run);
  CASE_EXPECT(pair, outcome(&run.log.record) == SAL_OUT_DONE && run.log.events.n == f->events);
  for (int i = 0; i < 2; ++i) to[i] = case_end(&run, model, i);
}

/* Largest difference between the columns and differences of two runs `apart`. */
static double difference(const case_pair *pair, const flight *f, matrix exact, double apart)
{
  double worst = 0;

  for (int j = 0; j < 2; ++j) {
    double ahead[2], behind[2];
    end_of(pair, f, (double[]){f->y + (j == 0) * apart, (j == 1) * apart}, ahead);
    end_of(pair, f, (double[]){f->y - (j == 0) * apart, -(j == 1) * apart}, behind);
    for (int i = 0; i < 2; ++i)
      worst = fmax(worst, fabs((ahead[i] - behind[i]) / (2 * apart) - exact.a[i][j]));
  }
  return worst;
}

/* Differences of runs with the same contacts converge to the closed form, quadratically. */
static void check_sensitivity(const case_pair *pair, const flight *f, matrix exact)
{
  const double far = difference(pair, f, exact, 4e-3), near = difference(pair, f, exact, 1e-3);

  CASE_EXPECT(pair, far / near > 14 && far / near < 18);
  CASE_EXPECT(pair, near < 1e-5 && fabs(exact.a[1][0]) > 1);
}

void saltation(void)
{
  static const flight one = {"hopper1d", {9.81, 200, 1, 1}, 2, 2, 4};
  static const flight ground = {"linear-ground", {1, 10, 0.5}, 1, 7, 4};
  static const flight ball = {"bouncing-ball", {9.81, 0.8}, 1, 2.2, 3};
  static const flight low = {"bouncing-ball", {9.81, 0.8}, 0.04, 0.4, 3};
  const bounces free = bounces_solve((double[]){9.81, 200, 0}, one.y - 1, 0, one.span);
  const bounces damped = bounces_solve(ground.param, ground.y, 0, ground.span);
  const matrix salted = sensitivity(&damped, ground.span, true);
  const matrix plain = sensitivity(&damped, ground.span, false);
  const matrix high = ball_sensitivity(0.8, ball.y, ball.span);
  double apart = 0;

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) apart = fmax(apart, fabs(salted.a[i][j] - plain.a[i][j]));
  CU_ASSERT(apart > 0.01); /* 1e-5 is asked for */
  for (case_pair pair = {0}; case_next(&pair, &pulse, SAL_CASE_LOCATING);) {
    check_sensitivity(&pair, &one, sensitivity(&free, one.span, true));
    check_sensitivity(&pair, &ground, salted);
    check_sensitivity(&pair, &ball, high);
    /* the nearer to grazing, the smaller the changes that the linear map may be used for */
    CASE_EXPECT(&pair, difference(&pair, &low, ball_sensitivity(0.8, low.y, low.span), 4e-3) >
                           100 * difference(&pair, &ball, high, 4e-3));
  }
}
