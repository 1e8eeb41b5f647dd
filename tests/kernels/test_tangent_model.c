/** Tangent vectors through events, against differences of the flow and closed forms; runs that stop
 *  at a section and go on from it.
 */
#include "registry.h"
#include "run_one.h"
#include "sal_test.h"
#include "tangent_model.h"
#include <math.h>
#include <string.h>

enum { MOST = 16 };

static void presets(const sal_model *m, double param[], double y[])
{
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_option; ++i) param[m->n_param + i] = 0;
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
}

static sal_setup event_run(const sal_model *m, double tol, double t_end)
{
  sal_setup setup = config("decay", "dop853", "event", tol, t_end);

  setup.model = m;
  setup.every_contact = true;
  return setup;
}

/* The end of the base's run from y + h e_j. */
static void end_beside(const sal_setup *setup, const double param[], const double y[], int j,
                       double h, double end[], int *events)
{
  double start[SAL_MAX_STATE];
  sal_record r;
  const sal_job job = {.param = param, .initial = start, .end = end};

  memcpy(start, y, (size_t)setup->model->n_state * sizeof *start);
  start[j] += h;
  run_batch(setup, 1, 1, &job, &r);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  *events = (int)r.value[SAL_METRIC_EVENTS];
}

/* The end of the tangent run with the unit vectors of the continuous states. */
static void carry(const sal_tangent_model *t, const double param[], const double y[], double t_end,
                  int width, double end[], double v[])
{
  const sal_setup setup = event_run(&t->model, 1e-12, t_end);
  double full[SAL_MAX_STATE], unit[MOST * MOST] = {0};
  sal_record r;
  const sal_job job = {.param = param, .initial = full, .end = full};

  for (int c = 0; c < t->n_vector; ++c) unit[c * t->n + c] = 1;
  sal_tangent_model_load(t, y, unit, full);
  run_batch(&setup, width, 1, &job, &r);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  sal_tangent_model_read(t, full, end, v, NULL);
}

/* The model itself: at a section vectors would become those of a return map. */
static sal_model without_section(const sal_model *m)
{
  sal_model plain = *m;

  plain.section = (sal_section){0};
  return plain;
}

/* An end ahead of infinitely many impacts: they amplify any difference. */
static double before_rest(const sal_model *m, double t_end)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];
  sal_record r;

  presets(m, param, y);
  for (;; t_end /= 2) {
    const sal_setup setup = event_run(m, 1e-10, t_end);
    r = run_one(&setup, param, y, NULL, NULL);
    if (r.value[SAL_METRIC_ZENO] == 0 && r.value[SAL_METRIC_EVENTS] < 40) return t_end;
  }
}

/* Largest difference of the vectors to central differences, relative to the longest of them. */
static double compare(const sal_model *m, double t_end, int *events)
{
  static sal_tangent_model t;
  const int n = m->n_state, nc = sal_model_continuous(m);
  const sal_setup setup = event_run(m, 1e-13, t_end);
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE], end[SAL_MAX_STATE];
  double v[MOST * MOST], up[SAL_MAX_STATE], down[SAL_MAX_STATE], worst = 0, size = 0;
  int beside;
  const double h = 1e-6;

  presets(m, param, y);
  sal_tangent_model_make(m, nc, &t);
  carry(&t, param, y, t_end, 1, end, v);
  end_beside(&setup, param, y, 0, 0, up, events);
  for (int i = 0; i < n; ++i) CU_ASSERT_DOUBLE_EQUAL(end[i], up[i], 1e-8 * (1 + fabs(up[i])));
  for (int c = 0; c < nc; ++c) {
    end_beside(&setup, param, y, c, h, up, &beside);
    end_beside(&setup, param, y, c, -h, down, &beside);
    for (int i = 0; i < n; ++i) {
      worst = fmax(worst, fabs((up[i] - down[i]) / (2 * h) - v[c * n + i]));
      size = fmax(size, fabs(v[c * n + i]));
    }
  }
  CU_ASSERT(size > 0);
  return worst / size;
}

/* Jumps, gaps by mode, tables that move, footholds: all that the registry has. */
static void vectors_are_derivatives_in_every_model(void)
{
  int through_events = 0;

  for (const sal_model *const *m = sal_registry_models; *m; ++m) {
    int events;
    const sal_model plain = without_section(*m);
    const double off = compare(&plain, before_rest(*m, 3.9), &events);
    if (off > 1e-6 || getenv("SHOW")) printf("\n%s: %.2e, %d events", (*m)->name, off, events);
    CU_ASSERT(off <= 1e-6);
    through_events += events > 0;
  }
  CU_ASSERT(through_events >= 6);
}

/* A ball thrown up with v from height y falls back with s = sqrt(v^2 + 2 g y): by Newton's law of
 * impact it leaves with e s, after (v + s) / g. */
static void a_return_map_has_its_closed_form(void)
{
  static sal_tangent_model t;
  static sal_model ball;
  const double param[] = {9, 0.8}, v0 = 3, y[] = {0, v0};
  const double v[] = {1, 0, 0, 1};
  double full[SAL_MAX_STATE], end[2], dp[4], delay[2];
  bool closed[] = {false}, behind[] = {true};
  sal_record r;

  ball = *sal_registry_model("bouncing-ball");
  ball.section = (sal_section){"impact", 0, true, NULL};
  sal_tangent_model_make(&ball, 2, &t);
  sal_setup setup = event_run(&t.model, 1e-12, 100);
  const sal_job job = {
      .param = param, .initial = full, .end = full, .closed = closed, .end_closed = behind};
  for (int times = 1; times <= 3; ++times) {
    const double shrink = pow(param[1], times), all = (1 - shrink) / (1 - param[1]);
    setup.stop = (sal_stop){0, true, times};
    sal_tangent_model_load(&t, y, v, full);
    run_batch(&setup, 1, 1, &job, &r);
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_ENDED);
    CU_ASSERT_DOUBLE_EQUAL(r.value[SAL_METRIC_T_REACHED], 2 * v0 / 9 * all, 1e-12);
    CU_ASSERT_EQUAL(r.value[SAL_METRIC_EVENTS], times);
    CU_ASSERT(!behind[0]);
    sal_tangent_model_read(&t, full, end, dp, delay);
    CU_ASSERT(end[0] == 0);
    CU_ASSERT_DOUBLE_EQUAL(end[1], shrink * v0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(dp[0], 0, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(dp[1], shrink * 9 / v0, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(dp[2], 0, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(dp[3], shrink, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(delay[1], 2.0 / 9 * all, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(delay[0], 1 / v0 + 2 / v0 * (all - 1), 1e-11);
  }
}

/* The flow's own direction is carried into itself, through any event. */
static void the_flow_is_carried_into_itself(void)
{
  static sal_tangent_model t;
  const sal_model slip = without_section(sal_registry_model("slip")), *m = &slip;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE], end[SAL_MAX_STATE];
  double full[SAL_MAX_STATE], v[SAL_MAX_STATE] = {0}, f[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];

  presets(m, param, y);
  sal_tangent_model_make(m, 1, &t);
  sal_setup setup = event_run(&t.model, 1e-12, 1.5);
  const sal_job job = {.param = param, .initial = full, .end = full, .end_closed = closed};
  sal_record r;
  bool mode[SAL_MAX_GUARD];
  sal_model_mode(m, param, 0, y, mode);
  sal_model_field(m, param, mode, 0, y, v);
  sal_tangent_model_load(&t, y, v, full);
  run_batch(&setup, 1, 1, &job, &r);
  CU_ASSERT(outcome(&r) == SAL_OUT_DONE && r.value[SAL_METRIC_EVENTS] >= 2);
  sal_tangent_model_read(&t, full, end, v, NULL);
  sal_model_field(m, param, closed, 1.5, end, f);
  for (int i = 0; i < sal_model_continuous(m); ++i) CU_ASSERT_DOUBLE_EQUAL(v[i], f[i], 1e-9);
  CU_ASSERT(fabs(f[1]) > 0.01);
}

static void all_widths_give_the_same_bits(void)
{
  static sal_tangent_model t;
  static const char *const name[] = {"slip", "vibro-impact", "shaking-table", "plate"};

  for (size_t i = 0; i < sizeof name / sizeof *name; ++i) {
    const sal_model *m = sal_registry_model(name[i]);
    double param[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE], end[2][SAL_MAX_STATE] = {{0}};
    double v[2][MOST * MOST] = {{0}};
    presets(m, param, y);
    sal_tangent_model_make(m, sal_model_continuous(m), &t);
    for (int w = 0; w < 2; ++w)
      carry(&t, param, y, 2.9, w ? sal_integrate_widest() : 1, end[w], v[w]);
    CU_ASSERT(memcmp(end[0], end[1], sizeof *end) == 0 && memcmp(v[0], v[1], sizeof *v) == 0);
    CU_ASSERT(isfinite(v[0][0]) && end[0][0] != 0);
  }
}

/* From one event to the next, again and again, is one run: the mode is handed on. */
static void runs_go_on_from_where_they_stopped(void)
{
  static const char *const name[] = {"vibro-impact", "slip", "monopod", "plate", "stick-slip"};

  for (size_t i = 0; i < sizeof name / sizeof *name; ++i) {
    const sal_model *m = sal_registry_model(name[i]);
    double param[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE], at_once[SAL_MAX_STATE];
    sal_setup setup = event_run(m, 1e-12, 1000);
    bool closed[SAL_MAX_GUARD] = {false};
    double t = 0, t_once;
    sal_record r;
    presets(m, param, y);
    setup.stop = (sal_stop){0, true, 3};
    const sal_job all = {.param = param, .initial = y, .end = at_once};
    run_batch(&setup, 1, 1, &all, &r);
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_ENDED);
    t_once = r.value[SAL_METRIC_T_REACHED];
    setup.stop.count = 1;
    for (int k = 0; k < 3; ++k) {
      const sal_job one = {.param = param,
                           .initial = y,
                           .end = y,
                           .closed = k ? closed : NULL,
                           .end_closed = closed};
      run_batch(&setup, 1, 1, &one, &r);
      CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_ENDED);
      t += r.value[SAL_METRIC_T_REACHED];
    }
    if (!m->section.period && strcmp(name[i], "vibro-impact") != 0) { /* a drive depends on t */
      CU_ASSERT_DOUBLE_EQUAL(t, t_once, 1e-8 * t_once);
      for (int j = 0; j < m->n_state; ++j)
        CU_ASSERT_DOUBLE_EQUAL(y[j], at_once[j], 1e-7 * (1 + fabs(y[j])));
    }
  }
}

static void the_log_says_how_well_events_were_met(void)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];
  sal_event event[8];
  double at_events[8][2 * 2];
  sal_events log = {.event = event, .capacity = 8, .state = *at_events, .n_state = 2};

  presets(sal_registry_model("bouncing-ball"), param, y);
  const sal_setup setup = event_run(sal_registry_model("bouncing-ball"), 1e-12, 3);
  run_one(&setup, param, y, NULL, &log);
  CU_ASSERT(log.n >= 2);
  for (int i = 0; i < log.n && i < 8; ++i) {
    CU_ASSERT(fabs(event[i].gap) < 1e-13 && event[i].closes);
    CU_ASSERT_DOUBLE_EQUAL(event[i].rate * -param[1], event[i].y[1], 1e-12);
  }
}

SAL_TEST_MAIN("tangent_model", NULL,
              {"vectors are derivatives in every model", vectors_are_derivatives_in_every_model},
              {"a return map has its closed form", a_return_map_has_its_closed_form},
              {"the flow is carried into itself", the_flow_is_carried_into_itself},
              {"all widths give the same bits", all_widths_give_the_same_bits},
              {"runs go on from where they stopped", runs_go_on_from_where_they_stopped},
              {"the log has the accuracy of events", the_log_says_how_well_events_were_met})
