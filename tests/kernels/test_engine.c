/** A method that owns its loop: the classical Runge-Kutta method with fixed steps, which bisects for
 *  events on the step itself, has the records that the trajectory loop's methods have.
 */
#include "engine.h"
#include "sal_test.h"
#include "scored_run.h"
#include <string.h>

typedef struct {
  double h;
} settings;

typedef struct {
  sal_engine_run *run;
  double t, h, y[4];
} place;

static void step_from(sal_engine_run *run, double t, const double y[], double h, double out[])
{
  double k[4][4], x[4];
  const double c[] = {0, 0.5, 0.5, 1};
  const int n = run->n;

  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < n; ++i) x[i] = y[i] + (s ? c[s] * h * k[s - 1][i] : 0);
    sal_engine_rhs(run, t + c[s] * h, x, k[s]);
  }
  for (int i = 0; i < n; ++i)
    out[i] = y[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static void value_at(void *with, double t, double y[])
{
  const place *p = with;
  step_from(p->run, p->t, p->y, t - p->t, y);
}

/* Halves the step until the first gap below 0 is met; which have fired there. */
static double bisect(sal_engine_run *run, place *p, double h, double y1[], bool fired[])
{
  double low = 0, high = h, gap[2], y[4];

  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    step_from(run, p->t, p->y, middle, y);
    sal_engine_gaps(run, p->t + middle, y, gap);
    bool below = false;
    for (int k = 0; k < run->n_gap; ++k) below = below || gap[k] < 0;
    *(below ? &high : &low) = middle;
  }
  step_from(run, p->t, p->y, high, y1);
  sal_engine_gaps(run, p->t + high, y1, gap);
  for (int k = 0; k < run->n_gap; ++k) fired[k] = gap[k] < 0;
  return high;
}

static void run_rk4(sal_engine_run *run, void *own)
{
  const settings *s = run->setup->method->engine->settings;
  double gap[2] = {1, 1}, y1[4];
  bool fired[2];

  CU_ASSERT_PTR_EQUAL(own, (const void *)run->setup->model);
  for (bool goes_on = true; goes_on; ++run->steps) {
    place p = {.run = run, .t = run->t};
    double h = fmin(s->h, run->t_end - run->t);
    memcpy(p.y, run->y, (size_t)run->n * sizeof *run->y);
    step_from(run, p.t, p.y, h, y1);
    if (run->n_gap > 0) sal_engine_gaps(run, p.t + h, y1, gap);
    bool below = false;
    for (int k = 0; k < run->n_gap; ++k) below = below || gap[k] < 0;
    if (below) h = bisect(run, &p, h, y1, fired);
    const double t1 = h < s->h && !below ? run->t_end : p.t + h;
    goes_on = below ? sal_engine_meet(run, t1, y1, fired, value_at, &p)
                    : sal_engine_advance(run, t1, y1, value_at, &p);
  }
}

/* ---- engines that pass over contacts ------------------------------------------------------------ */

typedef struct {
  double h;
  bool looks; /* does it watch the gaps, for signs that change between the ends of a step? */
  bool heeds; /* does it take the first step that the run requests? */
} careless;

static bool has_fired(const double before[], const double now[], int n, bool fired[])
{
  bool any = false;

  for (int k = 0; k < n; ++k) {
    fired[k] = before[k] > 0 && now[k] < 0;
    any = any || fired[k];
  }
  return any;
}

/* The step over which a gap changes its sign, halved until the times cannot be distinguished. */
static double cut(sal_engine_run *run, const place *p, const double before[], double h,
                  bool fired[])
{
  double low = 0, high = h, gap[2], y[4];

  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    step_from(run, p->t, p->y, middle, y);
    sal_engine_gaps(run, p->t + middle, y, gap);
    *(has_fired(before, gap, run->n_gap, fired) ? &high : &low) = middle;
  }
  step_from(run, p->t, p->y, high, y);
  sal_engine_gaps(run, p->t + high, y, gap);
  (void)has_fired(before, gap, run->n_gap, fired);
  return high;
}

static void run_careless(sal_engine_run *run, void *own)
{
  const careless *s = run->setup->method->engine->settings;
  double before[2], gap[2], y1[4];
  bool fired[2], goes_on = true;

  (void)own;
  while (goes_on) {
    place p = {.run = run, .t = run->t};
    double h = fmin(s->heeds ? fmin(s->h, run->first) : s->h, run->t_end - run->t);
    bool meet = false;
    memcpy(p.y, run->y, (size_t)run->n * sizeof *run->y);
    step_from(run, p.t, p.y, h, y1);
    if (s->looks) {
      sal_engine_gaps(run, p.t, p.y, before);
      sal_engine_gaps(run, p.t + h, y1, gap);
      meet = has_fired(before, gap, run->n_gap, fired);
    }
    if (meet) step_from(run, p.t, p.y, h = cut(run, &p, before, h, fired), y1);
    const double t1 = h < run->t_end - p.t ? p.t + h : run->t_end;
    goes_on = meet ? sal_engine_meet(run, t1, y1, fired, value_at, &p)
                   : sal_engine_advance(run, t1, y1, value_at, &p);
    const bool anew = !goes_on && sal_engine_begins_anew(run);
    *(anew ? &run->failed : &run->steps) += 1;
    goes_on = goes_on || anew;
  }
}

static void *open_rk4(const sal_setup *setup, int n)
{
  CU_ASSERT_EQUAL(n, sal_model_continuous(setup->model));
  return (void *)(uintptr_t)setup->model;
}
static void *open_nothing(const sal_setup *setup, int n)
{
  (void)setup, (void)n;
  return NULL;
}
static const char *version(void) { return "1"; }

static const settings fine = {1e-3}, coarse = {2e-3};
static const sal_engine engines[] = {
    {.library = "test", .version = version, .settings = &coarse, .open = open_rk4, .run = run_rk4},
    {.library = "test", .version = version, .settings = &fine, .open = open_rk4, .run = run_rk4},
    {.library = "test",
     .version = version,
     .settings = &fine,
     .open = open_nothing,
     .run = run_rk4}};
static const sal_method methods[] = {
    {.name = "rk4", .order = 4, .min_order = 4, .engine = &engines[0], SAL_ENGINE_OPS},
    {.name = "rk4-fine", .order = 4, .min_order = 4, .engine = &engines[1], SAL_ENGINE_OPS},
    {.name = "rk4-unprepared", .order = 4, .min_order = 4, .engine = &engines[2], SAL_ENGINE_OPS}};

static const sal_work_stairs *stairs; /* of the runs below */

static sal_record run_engine(const char *model, const sal_method *method, const char *strategy,
                             double t_end, double most_work)
{
  sal_setup setup = config(model, "dop853", strategy, 1e-6, t_end);
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE], end[SAL_MAX_STATE];
  const sal_score score = {.reference = reference, .n_mesh = MESH, .epsilon = 0.01, .floor = 0.05};
  const sal_job job = {.param = param,
                       .initial = initial,
                       .score = &score,
                       .end = end,
                       .most_work = most_work,
                       .stairs = stairs};
  sal_record out;

  setup.method = method;
  setup.work = (sal_work_weights){.rhs = 1};
  presets(setup.model, param, initial);
  run_batch(&setup, 4, 1, &job, &out);
  return out;
}

static void events_are_those_of_the_loop(void)
{
  static const struct {
    const char *model;
    double t_end;
  } runs[] = {{"monopod", 30}, {"bouncing-ball", 3}, {"vibro-impact", 20}};

  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const sal_record truth = make_reference(runs[i].model, "event", runs[i].t_end);
    const sal_record c = run_engine(runs[i].model, &methods[0], "event", runs[i].t_end, 0);
    const sal_record f = run_engine(runs[i].model, &methods[1], "event", runs[i].t_end, 0);
    const double error = f.value[SAL_METRIC_MAX_ERROR];
    CU_ASSERT_EQUAL(outcome(&truth), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(outcome(&f), SAL_OUT_DONE);
    CU_ASSERT_TRUE(n_event(&truth) > 3);
    CU_ASSERT_EQUAL(n_event(&f), n_event(&truth));
    CU_ASSERT_EQUAL(f.value[SAL_METRIC_RESTARTS], truth.value[SAL_METRIC_RESTARTS]);
    CU_ASSERT_EQUAL(f.value[SAL_METRIC_REASON], SAL_LIBRARY_NONE);
    CU_ASSERT_TRUE(error < 1e-6);
    CU_ASSERT_TRUE(error > 0);
    CU_ASSERT_TRUE(f.value[SAL_METRIC_IAE] > 0);
    CU_ASSERT_TRUE(f.value[SAL_METRIC_STEPS] > c.value[SAL_METRIC_STEPS]);
  }
}

/* Counts that are reported stand in the record; what is not known is missing.  Slopes cost nothing. */
static void report_half(sal_engine_run *run, void *own)
{
  const sal_engine_counts counts = {NAN, 700, 50, 3, 2, NAN, 0.25};
  double dy[4], y1[4] = {-0.01, -1, 1, 0}, rising[4] = {0.01, -1, 1, 0};

  (void)own;
  sal_engine_slope(run, 0, run->y, dy);
  CU_ASSERT_TRUE(dy[1] != 0 && run->n == 4);
  sal_engine_read_mode(run, 1, y1); /* below the ground: the force acts */
  sal_engine_slope(run, 1, y1, dy);
  const double stance = dy[1];
  sal_engine_read_mode(run, 1, rising);
  sal_engine_slope(run, 1, y1, dy); /* the mode is frozen: the same state in flight */
  CU_ASSERT_TRUE(fabs(stance - dy[1]) > 1);
  CU_ASSERT_EQUAL(run->y[0], 0.5); /* the run has not moved */
  run->steps = 40;
  run->factorisations = 5;
  sal_engine_report(run, &counts);
  sal_engine_used_up(run);
}

static void reported_counts_stand_in_the_record(void)
{
  const sal_engine engine = {
      .library = "test", .version = version, .replays = true, .run = report_half};
  const sal_method method = {.name = "reported", .engine = &engine, SAL_ENGINE_OPS};

  make_reference("monopod", "event", 30);
  const sal_record out = run_engine("monopod", &method, "event", 30, 0);
  const sal_record capped = run_engine("monopod", &method, "event", 30, 699);
  const double *v = out.value;
  CU_ASSERT_EQUAL(v[SAL_METRIC_RHS], 700);
  CU_ASSERT_EQUAL(v[SAL_METRIC_JACOBIANS], 50);
  CU_ASSERT_EQUAL(v[SAL_METRIC_STEPS], 40);
  CU_ASSERT_EQUAL(v[SAL_METRIC_FACTORISATIONS], 5);
  CU_ASSERT_EQUAL(v[SAL_METRIC_EVENTS], 3);
  CU_ASSERT_EQUAL(v[SAL_METRIC_RESTARTS], 2);
  CU_ASSERT_EQUAL(v[SAL_METRIC_SD], 0.25);
  CU_ASSERT_TRUE(isnan(v[SAL_METRIC_FAILED]) && isnan(v[SAL_METRIC_GAPS]));
  CU_ASSERT_EQUAL(outcome(&capped), SAL_OUT_OVER_CUTOFF);
}

/* Without events the order is seen in the error. */
static void error_has_the_order_of_the_method(void)
{
  make_reference("decay", "switch", 10);
  const sal_record c = run_engine("decay", &methods[0], "switch", 10, 0);
  const sal_record f = run_engine("decay", &methods[1], "switch", 10, 0);
  CU_ASSERT_EQUAL(outcome(&f), SAL_OUT_DONE);
  CU_ASSERT_TRUE(f.value[SAL_METRIC_END_ERROR] < 1e-11);
  CU_ASSERT_TRUE(isnan(f.value[SAL_METRIC_EVENTS]));
  CU_ASSERT_TRUE(fabs(c.value[SAL_METRIC_STEPS] * 2 - f.value[SAL_METRIC_STEPS]) <= 2);
}

static sal_record run_past(const careless *care, const char *strategy, double end[],
                           sal_samples *samples)
{
  const sal_engine engine = {
      .library = "test", .version = version, .settings = care, .run = run_careless};
  const sal_method method = {.name = "careless", .order = 4, .engine = &engine, SAL_ENGINE_OPS};
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_setup setup = config("bouncing-ball", "dop853", "event", 1e-6, 8);
  sal_record out;

  setup.method = &method;
  setup.strategy = sal_registry_strategy(strategy);
  presets(setup.model, param, initial);
  const sal_job job = {.param = param, .initial = initial, .samples = samples, .end = end};
  run_batch(&setup, 1, 1, &job, &out);
  return out;
}

/* The ball touches the floor at sqrt(2 / g) = 0.45, and rests from 4.06 on. */
static void no_contact_is_passed_over(void)
{
  static double trajectory[81 * 2];
  const careless blind = {.h = 0.05}, deaf = {.h = 0.05, .looks = true},
                 good = {.h = 0.05, .looks = true, .heeds = true};
  sal_samples samples = {.n_mesh = 80, .state = trajectory};
  double end[SAL_MAX_STATE];
  const sal_record never = run_past(&blind, "event", end, &samples);
  const double fall = sqrt(2 / 9.81);

  CU_ASSERT_EQUAL(outcome(&never), SAL_OUT_MISSED);
  CU_ASSERT_EQUAL(never.value[SAL_METRIC_UNMET], 1);
  CU_ASSERT(never.value[SAL_METRIC_T_REACHED] < fall);
  CU_ASSERT(never.value[SAL_METRIC_T_REACHED] > fall - 0.05);
  CU_ASSERT(end[0] > 0);
  CU_ASSERT(isnan(trajectory[10]) && trajectory[8] > 0); /* nothing is stored of refused steps */
  const sal_record smooth = run_past(&blind, "switch", end, NULL);
  CU_ASSERT_EQUAL(outcome(&smooth), SAL_OUT_DONE); /* which looks for no contacts */
  const sal_record once = run_past(&deaf, "event", end, NULL);
  CU_ASSERT_EQUAL(outcome(&once), SAL_OUT_MISSED);
  CU_ASSERT(n_event(&once) > 10);
  CU_ASSERT_EQUAL(end[0], 0); /* where the step began that leapt over a flight */
  CU_ASSERT_EQUAL(once.value[SAL_METRIC_GUARDED], 1);
  const sal_record rest = run_past(&good, "event", end, NULL);
  CU_ASSERT_EQUAL(outcome(&rest), SAL_OUT_DONE);
  CU_ASSERT_EQUAL(rest.value[SAL_METRIC_UNMET], 0);
  CU_ASSERT_EQUAL(rest.value[SAL_METRIC_ZENO], 1);
  CU_ASSERT(rest.value[SAL_METRIC_GUARDED] > 10);
  CU_ASSERT(n_event(&rest) > n_event(&once));
  CU_ASSERT(end[0] == 0 && fabs(end[1]) < 1e-6);
}

/* A mass that swings as `size` cos(t) between walls at -1 and 1, from 0.9 on: the first step ends where it is back. */
static sal_record swing(double size, double h)
{
  const careless deaf = {.h = h, .looks = true};
  const sal_engine engine = {
      .library = "test", .version = version, .settings = &deaf, .run = run_careless};
  const sal_method method = {.name = "careless", .order = 4, .engine = &engine, SAL_ENGINE_OPS};
  const double param[] = {0, 1, 0, 1, 0.5}, initial[] = {0.9, sqrt(size * size - 0.81)};
  sal_setup setup = config("vibro-impact", "dop853", "event", 1e-6, 1.2);
  const sal_job job = {.param = param, .initial = initial};
  sal_record out;

  setup.method = &method;
  run_batch(&setup, 1, 1, &job, &out);
  return out;
}

static void no_dip_within_a_step_is_passed_over(void)
{
  const sal_record over = swing(1.05, 2 * acos(0.9 / 1.05)),
                   below = swing(0.98, 2 * acos(0.9 / 0.98));

  CU_ASSERT_EQUAL(outcome(&over), SAL_OUT_MISSED);
  CU_ASSERT_EQUAL(over.value[SAL_METRIC_UNMET], 1);
  CU_ASSERT_EQUAL(over.value[SAL_METRIC_T_REACHED], 0);
  CU_ASSERT_EQUAL(outcome(&below), SAL_OUT_DONE);
  CU_ASSERT_EQUAL(below.value[SAL_METRIC_UNMET], 0);
}

static void failures_are_outcomes(void)
{
  make_reference("decay", "switch", 10);
  const sal_record all = run_engine("decay", &methods[1], "switch", 10, 0);
  const double work = all.value[SAL_METRIC_RHS];
  const sal_record capped = run_engine("decay", &methods[1], "switch", 10, 0.5 * work);
  const sal_record enough = run_engine("decay", &methods[1], "switch", 10, work + 1);
  const sal_record none = run_engine("decay", &methods[2], "switch", 10, 0);

  CU_ASSERT_EQUAL(outcome(&capped), SAL_OUT_OVER_CUTOFF);
  CU_ASSERT_TRUE(capped.value[SAL_METRIC_T_REACHED] > 4 && capped.value[SAL_METRIC_T_REACHED] < 6);
  CU_ASSERT_TRUE(capped.value[SAL_METRIC_MAX_ERROR_PARTIAL] > 0);
  CU_ASSERT_TRUE(isnan(capped.value[SAL_METRIC_MAX_ERROR]));
  CU_ASSERT_TRUE(isnan(enough.value[SAL_METRIC_MAX_ERROR_PARTIAL]));
  CU_ASSERT_TRUE(isnan(capped.value[SAL_METRIC_IAE]));
  CU_ASSERT_EQUAL(outcome(&enough), SAL_OUT_DONE);
  CU_ASSERT_EQUAL(outcome(&none), SAL_OUT_LIBRARY);
  CU_ASSERT_EQUAL(none.value[SAL_METRIC_REASON], SAL_LIBRARY_UNPREPARED);
}

/* A cutoff falls when the error passes its stair, not before. */
static void caps_fall_with_the_error(void)
{
  make_reference("decay", "switch", 10);
  const sal_record all = run_engine("decay", &methods[0], "switch", 10, 0);
  const double error = all.value[SAL_METRIC_MAX_ERROR], work = all.value[SAL_METRIC_RHS];
  const struct {
    double error, work;
    sal_outcome end;
  } cases[] = {{0.5 * error, 0.5 * work, SAL_OUT_OVER_CUTOFF},
               {2 * error, 0.5 * work, SAL_OUT_DONE},
               {0.5 * error, 2 * work, SAL_OUT_DONE},
               {0.5 * error, 0, SAL_OUT_TOO_INACCURATE},
               {2 * error, 0, SAL_OUT_DONE}};

  CU_ASSERT_TRUE(error > 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const sal_work_stairs down = {2, {-1, cases[i].error}, {3 * work, cases[i].work}};
    stairs = &down;
    const sal_record r = run_engine("decay", &methods[0], "switch", 10, 0);
    CU_ASSERT_EQUAL(outcome(&r), cases[i].end);
  }
  stairs = NULL;
}

/* The same cutoff in lanes: a run of the loop ends where its own work is above it. */
static void caps_hold_in_lanes(void)
{
  sal_setup setup = config("monopod", "ode23s", "event", 1e-5, 20);
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_record free_run, out[5];
  sal_job job[5];

  presets(setup.model, param, initial);
  setup.work = (sal_work_weights){.rhs = 1, .jacobian = 0.5, .factorisation = 2, .solve = 0.25};
  for (int i = 0; i < 5; ++i) job[i] = (sal_job){.param = param, .initial = initial};
  run_batch(&setup, 1, 1, job, &free_run);
  const double *v = free_run.value;
  const double work = v[SAL_METRIC_RHS] + 0.5 * v[SAL_METRIC_JACOBIANS] +
                      2 * v[SAL_METRIC_FACTORISATIONS] + 0.25 * v[SAL_METRIC_SOLVES];
  const double share[] = {0, 0.25, 1, 0.75, 0.999};
  for (int i = 0; i < 5; ++i) job[i].most_work = share[i] * work;
  for (int width = 1; width <= 4; width += 3) {
    run_batch(&setup, width, 5, job, out);
    for (int i = 0; i < 5; ++i) {
      const bool capped = share[i] > 0 && share[i] < 1;
      CU_ASSERT_EQUAL(outcome(&out[i]), capped ? SAL_OUT_OVER_CUTOFF : SAL_OUT_DONE);
      CU_ASSERT_TRUE(!capped || out[i].value[SAL_METRIC_T_REACHED] < 20);
    }
    CU_ASSERT_EQUAL(out[0].value[SAL_METRIC_RHS], v[SAL_METRIC_RHS]);
  }
}

SAL_TEST_MAIN("engine", NULL, {"events are those of the loop", events_are_those_of_the_loop},
              {"reported counts stand in the record", reported_counts_stand_in_the_record},
              {"the error has the order of the method", error_has_the_order_of_the_method},
              {"failures are outcomes", failures_are_outcomes},
              {"no contact is passed over", no_contact_is_passed_over},
              {"no dip within a step is passed over", no_dip_within_a_step_is_passed_over},
              {"cutoffs hold in lanes", caps_hold_in_lanes},
              {"cutoffs fall with the error", caps_fall_with_the_error})
