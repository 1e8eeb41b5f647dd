/** Trajectories of our own methods, written into a file and replayed from it, have the errors and
 *  the counts that they had.
 */
#include "memory.h"
#include "recorded_method.h"
#include "run_one.h"
#include "sal_test.h"
#include "text.h"
#include <string.h>

enum { MESH = 1200, MAX_EVENT = 64 };
static double reference[MESH + 8], state[(MESH + 1) * SAL_MAX_STATE];

/** A model's presets, run by a method. */
typedef struct {
  sal_setup setup;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_event event[MAX_EVENT];
  double at_events[MAX_EVENT * 2 * SAL_MAX_STATE];
  sal_events events;
  sal_record record;
} own_run;

static sal_record run_scored(const sal_setup *setup, own_run *r, double most_work)
{
  const sal_score score = {.reference = reference, .n_mesh = MESH, .epsilon = 0.01, .floor = 0.05};
  const sal_job job = {
      .param = r->param, .initial = r->initial, .score = &score, .most_work = most_work};
  sal_record out;

  run_batch(setup, 1, 1, &job, &out);
  return out;
}

/* `reference` by dop853; then `state` on the mesh, events and record by the method. */
static void run_own(own_run *r, const char *model, const char *method, const char *strategy,
                    double t_end)
{
  sal_samples samples = {.n_mesh = MESH, .state = state};

  r->setup = config(model, "dop853", strategy, 1e-13, t_end);
  r->setup.work = (sal_work_weights){.rhs = 1};
  const sal_model *m = r->setup.model;
  for (int i = 0; i < m->n_param; ++i) r->param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_option; ++i) r->param[m->n_param + i] = 0;
  for (int i = 0; i < m->n_state; ++i) r->initial[i] = m->state[i].preset;
  run_one(&r->setup, r->param, r->initial, &samples, NULL);
  for (int j = 0; j <= MESH; ++j) reference[j] = state[j * m->n_state + m->watch];
  r->events = (sal_events){
      .event = r->event, .capacity = MAX_EVENT, .state = r->at_events, .n_state = m->n_state};
  r->setup.method = sal_registry_method(method);
  r->setup.rtol = r->setup.atol = 1e-5;
  run_one(&r->setup, r->param, r->initial, &samples, &r->events);
  r->record = run_scored(&r->setup, r, 0);
}

static void add_row(sal_text *text, int run, bool inside, double t, int n, const double y[])
{
  sal_text_add(text, "%d,%d,%.17g", run, inside, t);
  for (int i = 0; i < n; ++i) sal_text_add(text, ",%.17g", y[i]);
  sal_text_add(text, "\n");
}

/* Steps of `stride` mesh intervals, of which `inside` are recorded; events end steps. */
static void add_rows(sal_text *text, const own_run *r, int stride, bool inside)
{
  const int n = r->setup.model->n_state;
  int64_t next = 0;

  for (int j = 0; j <= MESH; ++j) {
    const double t = r->setup.t_end * j / MESH;
    for (; next < r->events.n && r->event[next].t <= t; ++next) {
      add_row(text, 2, false, r->event[next].t, n, r->event[next].ahead);
      add_row(text, 2, false, r->event[next].t, n, r->event[next].y);
    }
    if (j % stride == 0 || j == MESH)
      add_row(text, 2, false, t, n, state + j * n);
    else if (inside)
      add_row(text, 2, true, t, n, state + j * n);
  }
}

/* The head of a file of `rows` rows and the first run's; `more`: further lines, `words`: of the second run, whose rows follow. */
static void add_head(sal_text *text, const own_run *r, const char *more, const char *words,
                     int rows)
{
  const sal_model *m = r->setup.model;
  const double zero[SAL_MAX_STATE] = {0};

  sal_text_add(text,
               "# made by a test\n" SAL_RECORDED_KEY ": 1\nmodel: %s\nt_end: %.17g\nstates: [",
               m->name, r->setup.t_end);
  for (int i = 0; i < m->n_state; ++i) sal_text_add(text, "%s%s", i ? ", " : "", m->state[i].name);
  sal_text_add(text, "]\n%scells:\n  - {%s: %.17g}\n  - {%s: %.17g}\nrows: %d\nruns:\n", more,
               m->state[0].name, r->initial[0] + 1, m->param[0].name, r->param[0], rows + 1);
  sal_text_add(text, "  - {cell: 1, strategy: %s, rtol: 1e-05, steps: 0, rhs: 2}\n",
               r->setup.strategy->name);
  sal_text_add(text, "  - {cell: 2, strategy: %s, rtol: 1e-5, %s}\n---\nrun,inside,t",
               r->setup.strategy->name, words);
  for (int i = 0; i < m->n_state; ++i) sal_text_add(text, ",%s", m->state[i].name);
  sal_text_add(text, "\n");
  add_row(text, 1, false, 0, m->n_state, zero);
}

/* The method of a file with a head and the rows. */
static sal_method *make(const own_run *r, const char *more, const char *words, sal_text *rows)
{
  SAL_OWN char *table = sal_text_take(rows);
  sal_text text = {0};
  sal_recorded_file *file = NULL;
  sal_method *method = NULL;
  int n = 0;

  for (const char *p = table; *p; ++p) n += *p == '\n';
  add_head(&text, r, more, words, n);
  sal_text_add(&text, "%s", table);
  CU_ASSERT_EQUAL_FATAL(sal_recorded_parse("made-up.txt", sal_text_take(&text), &file), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_recorded_method("made-up", file, &method), SAL_OK);
  return method;
}

/* The run again, from a file. */
static sal_record replay(own_run *r, const char *more, int stride, bool inside, double most_work)
{
  sal_text rows = {0};
  const double *v = r->record.value;
  sal_setup setup = r->setup;
  char words[256];

  snprintf(words, sizeof words,
           "steps: %g, failed: %g, rhs: %g, events: %g, restarts: %g, seconds: 0.5",
           fmin(v[SAL_METRIC_STEPS], MESH / stride), v[SAL_METRIC_FAILED], v[SAL_METRIC_RHS],
           (double)n_event(&r->record), v[SAL_METRIC_RESTARTS]);
  add_rows(&rows, r, stride, inside);
  sal_method *method = make(r, more, words, &rows);
  setup.method = method;
  const sal_record out = run_scored(&setup, r, most_work);
  sal_recorded_drop(method);
  return out;
}

static bool is_near(double a, double b, double share) { return fabs(a - b) <= share * fabs(b); }

static void errors_and_counts_come_back(void)
{
  static const struct {
    const char *model, *strategy;
    double t_end;
  } runs[] = {{"monopod", "event", 20},
              {"monopod", "switch", 20},
              {"bouncing-ball", "event", 3},
              {"vibro-impact", "event", 10}};
  static const int same[] = {SAL_METRIC_OUTCOME, SAL_METRIC_STEPS,    SAL_METRIC_FAILED,
                             SAL_METRIC_RHS,     SAL_METRIC_RESTARTS, SAL_METRIC_T_REACHED};

  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    own_run r;
    run_own(&r, runs[i].model, "ode45", runs[i].strategy, runs[i].t_end);
    const sal_record out = replay(&r, "", 1, false, 0);
    const double *v = out.value, *w = r.record.value;
    CU_ASSERT_EQUAL(outcome(&r.record), SAL_OUT_DONE);
    CU_ASSERT_TRUE(w[SAL_METRIC_MAX_ERROR] > 1e-15 && w[SAL_METRIC_IAE] > 1e-15);
    CU_ASSERT_TRUE(is_near(v[SAL_METRIC_MAX_ERROR], w[SAL_METRIC_MAX_ERROR], 1e-9));
    CU_ASSERT_TRUE(is_near(v[SAL_METRIC_IAE], w[SAL_METRIC_IAE], 1e-9));
    CU_ASSERT_TRUE(is_near(v[SAL_METRIC_END_ERROR], w[SAL_METRIC_END_ERROR], 1e-6));
    for (size_t k = 0; k < sizeof same / sizeof *same; ++k) CU_ASSERT_EQUAL(v[same[k]], w[same[k]]);
    CU_ASSERT_EQUAL(n_event(&out), n_event(&r.record));
    CU_ASSERT_EQUAL(isnan(v[SAL_METRIC_EVENTS]), isnan(w[SAL_METRIC_EVENTS]));
    CU_ASSERT_TRUE(isnan(v[SAL_METRIC_GAPS])); /* the file does not say */
    CU_ASSERT_EQUAL(v[SAL_METRIC_SD], 0.5);
    CU_ASSERT_EQUAL(v[SAL_METRIC_REASON], SAL_LIBRARY_NONE);
    CU_ASSERT_TRUE(strcmp(runs[i].strategy, "switch") == 0 || n_event(&out) > 3);
  }
}

/* Values between the ends of steps: those of a cubic, of a straight line, or the mesh points themselves. */
static void values_between_points_are_interpolated(void)
{
  own_run r;

  run_own(&r, "linear-ground", "ode45", "switch", 0.5); /* in flight, y = 1 - t^2 / 2 */
  const sal_record flight = replay(&r, "", 30, false, 0);
  CU_ASSERT_TRUE(flight.value[SAL_METRIC_MAX_ERROR] < 1e-14); /* a cubic has no error there */

  run_own(&r, "monopod", "ode45", "event", 20);
  const double exact = r.record.value[SAL_METRIC_MAX_ERROR];
  const sal_record cubic = replay(&r, "between: hermite\n", 6, false, 0);
  const sal_record line = replay(&r, "between: linear\n", 6, false, 0);
  const sal_record all = replay(&r, "between: linear\n", 6, true, 0);
  CU_ASSERT_TRUE(is_near(all.value[SAL_METRIC_MAX_ERROR], exact, 1e-9));
  CU_ASSERT_TRUE(cubic.value[SAL_METRIC_MAX_ERROR] > 1.1 * exact);
  CU_ASSERT_TRUE(cubic.value[SAL_METRIC_MAX_ERROR] < 0.1 * line.value[SAL_METRIC_MAX_ERROR]);
}

/* The polynomial through the points inside a step, where the mesh has none of them. */
static void points_inside_a_step_make_its_polynomial(void)
{
  own_run r;
  sal_text text = {0};

  run_own(&r, "decay", "ode45", "switch", 1);
  sal_setup setup = r.setup;
  const double rate = log(reference[0] / reference[MESH]);
  for (int k = 0; k <= 7; ++k) {
    const double t = k / 7.0, y = reference[0] * exp(-rate * t);
    add_row(&text, 2, k % 7 != 0, t, 1, &y);
  }
  sal_method *method = make(&r, "", "steps: 1, rhs: 1", &text);
  setup.method = method;
  const sal_record out = run_scored(&setup, &r, 0);
  sal_recorded_drop(method);
  CU_ASSERT_TRUE(out.value[SAL_METRIC_MAX_ERROR] < 1e-6 * reference[0]);
  CU_ASSERT_TRUE(out.value[SAL_METRIC_MAX_ERROR] > 1e-13 * reference[0]);
}

/* A run of which the file has the first half. */
static sal_record replay_half(own_run *r, const char *more, const char *line, double tolerance)
{
  sal_text text = {0};
  sal_setup setup = r->setup;

  add_row(&text, 2, false, 0, r->setup.model->n_state, state);
  add_row(&text, 2, false, r->setup.t_end * 0.5, r->setup.model->n_state,
          state + MESH / 2 * r->setup.model->n_state);
  sal_method *method = make(r, more, line, &text);
  setup.method = method;
  setup.rtol = setup.atol = tolerance;
  const sal_record out = run_scored(&setup, r, 0);
  sal_recorded_drop(method);
  return out;
}

static void what_the_file_lacks_is_an_outcome(void)
{
  static const struct {
    const char *more, *line;
    double tolerance;
    sal_outcome outcome;
    sal_library_reason reason;
  } runs[] = {
      {"", "steps: 1, rhs: 1", 1e-5, SAL_OUT_LIBRARY, SAL_LIBRARY_NOT_RECORDED}, /* half of it */
      {"", "steps: 1, rhs: 1", 1e-6, SAL_OUT_LIBRARY, SAL_LIBRARY_NOT_RECORDED},
      {"", "steps: 1, rhs: 1, outcome: step_underflow", 1e-5, SAL_OUT_UNDERFLOW, SAL_LIBRARY_NONE},
      {"", "steps: 1, rhs: 1, outcome: library_failure", 1e-5, SAL_OUT_LIBRARY,
       SAL_LIBRARY_RECORDED_FAILURE},
      {"mesh: 1000\n", "steps: 1, rhs: 1", 1e-5, SAL_OUT_LIBRARY, SAL_LIBRARY_OTHER_MESH}};
  own_run r;

  run_own(&r, "decay", "ode45", "switch", 1);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const sal_record out = replay_half(&r, runs[i].more, runs[i].line, runs[i].tolerance);
    CU_ASSERT_EQUAL(outcome(&out), (int)runs[i].outcome);
    CU_ASSERT_EQUAL(out.value[SAL_METRIC_REASON], (double)runs[i].reason);
    CU_ASSERT_TRUE(isnan(out.value[SAL_METRIC_MAX_ERROR]));
  }
  r.initial[0] *= 2; /* the file's cells begin elsewhere */
  const sal_record other = replay(&r, "", 1, false, 0);
  CU_ASSERT_EQUAL(outcome(&other), SAL_OUT_LIBRARY);
  CU_ASSERT_EQUAL(other.value[SAL_METRIC_REASON], SAL_LIBRARY_NOT_RECORDED);
}

static void caps_hold(void)
{
  own_run r;

  run_own(&r, "decay", "ode45", "switch", 1);
  const double work = r.record.value[SAL_METRIC_RHS];
  const sal_record less = replay(&r, "", 1, false, work - 1), more = replay(&r, "", 1, false, work);
  CU_ASSERT_EQUAL(outcome(&less), SAL_OUT_OVER_CUTOFF);
  CU_ASSERT_TRUE(isnan(less.value[SAL_METRIC_IAE]));
  CU_ASSERT_EQUAL(outcome(&more), SAL_OUT_DONE);
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("recorded", NULL, {"errors and counts come back", errors_and_counts_come_back},
              {"values between points are interpolated", values_between_points_are_interpolated},
              {"points inside a step make its polynomial",
               points_inside_a_step_make_its_polynomial},
              {"what the file lacks is an outcome", what_the_file_lacks_is_an_outcome},
              {"cutoffs hold", caps_hold}, {"memory comes back", memory_comes_back})
