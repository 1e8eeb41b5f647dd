/** Starts on surfaces, from gaps and rates alone: no model is known here. */
#include "start_check.h"
#include "kernels/run_one.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DRAWS = 24, EVENTS = 512 };

#define EARLIER 1e-6 /* in time; what starts may differ by is so many times some thousand */

/** A start on the surface of contact k, with the contact open. */
typedef struct {
  const sal_model *m;
  int k;
  double p[SAL_MAX_P], y[SAL_MAX_STATE], f[SAL_MAX_STATE], rate;
} start;

/** Results of a run. */
typedef struct {
  sal_event event[EVENTS];
  double at_events[EVENTS * 2 * SAL_MAX_STATE];
  sal_events log;
  sal_record record;
  double end[SAL_MAX_STATE];
} outcome_of_run;

/* ---- making starts -------------------------------------------------------------------------- */

/* Gap and rate of the contact with all surfaces open, and the field there. */
static void look(const start *s, const double y[], double f[], double at[2])
{
  const sal_model *m = s->m;
  bool closed[SAL_MAX_GUARD] = {false};
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];

  for (int pass = 0; pass < 2; ++pass) {
    sal_model_field(m, s->p, closed, 0, y, f);
    sal_model_rates(m, s->p, closed, 0, y, f, gap, rate);
    for (int k = 0; k < m->n_guard && pass == 0; ++k)
      closed[k] = sal_model_contact(m, k)->kind == SAL_CONTACT_SURFACE && gap[k] < 0;
  }
  at[0] = gap[s->k];
  at[1] = rate[s->k];
}

static void gradients(const start *s, double row[2][SAL_MAX_STATE])
{
  double y[SAL_MAX_STATE], f[SAL_MAX_STATE], side[2][2];

  memcpy(y, s->y, sizeof y);
  for (int i = 0; i < sal_model_continuous(s->m); ++i) {
    const double h = 1e-6 * (1 + fabs(s->y[i]));
    for (int a = 0; a < 2; ++a) {
      y[i] = s->y[i] + (a ? h : -h);
      look(s, y, f, side[a]);
    }
    y[i] = s->y[i];
    for (int r = 0; r < 2; ++r) row[r][i] = (side[1][r] - side[0][r]) / (2 * h);
  }
}

/* Moves the state to where the contact has this gap and, if that can be had, this rate (NaN: any), by the
 * shortest way. */
static bool put(start *s, double gap, double rate)
{
  const int n = sal_model_continuous(s->m);
  double row[2][SAL_MAX_STATE] = {{0}}, at[2];

  for (int pass = 0; pass < 12; ++pass) {
    double A[2][2] = {{0}}, by[2];
    look(s, s->y, s->f, at);
    gradients(s, row);
    for (int i = 0; i < n; ++i)
      for (int r = 0; r < 4; ++r) A[r / 2][r % 2] += row[r / 2][i] * row[r % 2][i];
    const double det = A[0][0] * A[1][1] - A[0][1] * A[1][0], off = gap - at[0];
    const bool both = !isnan(rate) && det > 1e-6 * A[0][0] * A[1][1] && A[1][1] > 1e-12;
    if (!(A[0][0] > 1e-12)) return false;
    by[0] = both ? (A[1][1] * off - A[0][1] * (rate - at[1])) / det : off / A[0][0];
    by[1] = both ? (A[0][0] * (rate - at[1]) - A[1][0] * off) / det : 0;
    for (int i = 0; i < n; ++i) s->y[i] += by[0] * row[0][i] + by[1] * row[1][i];
  }
  look(s, s->y, s->f, at);
  s->rate = at[1];
  return fabs(at[0] - gap) <= 1e-14 && (isnan(rate) || fabs(at[1] - rate) <= 1e-9);
}

/* Discrete states of few values take any of them. */
static void draw(flow_stream *from, const sal_model *m, int k, start *s)
{
  const flow_point at = flow_draw_point(from, m, m->n_guard);

  *s = (start){.m = m, .k = k};
  memcpy(s->p, at.param, sizeof s->p);
  for (int i = 0; i < m->n_state; ++i) {
    const sal_field *f = &m->state[i];
    const bool two = i >= sal_model_continuous(m) && f->most - f->least <= 2;
    s->y[i] = !two ? at.y[i] : flow_draw_uniform(from, 0, 1) < 0.5 ? f->least : f->most;
  }
}

/* Is any other surface as near as makes a comparison moot? */
static bool is_crowded(const start *s)
{
  double gap[SAL_MAX_GUARD], unused;

  if (sal_model_beyond(s->m, s->p, s->y, NULL, &unused) >= 0) return true;
  sal_model_gaps(s->m, s->p, 0, s->y, gap);
  for (int k = 0; k < s->m->n_guard; ++k)
    if (k != s->k && sal_model_contact(s->m, k)->kind != SAL_CONTACT_SURFACE && gap[k] < 1e-2)
      return true;
  return false;
}

/* ---- runs ----------------------------------------------------------------------------------- */

static sal_setup setup_of(const start *s, const char *method, const char *strategy)
{
  sal_setup u = config("bouncing-ball", method, strategy, 1e-10, 0.01 * s->m->span);

  u.model = s->m;
  u.max_attempts = 100000;
  return u;
}

static void run(const start *s, const char *method, const char *strategy, const double y[],
                outcome_of_run *out)
{
  const sal_setup u = setup_of(s, method, strategy);

  out->log = (sal_events){
      .event = out->event, .capacity = EVENTS, .state = out->at_events, .n_state = s->m->n_state};
  const sal_job job = {.param = s->p, .initial = y, .events = &out->log, .end = out->end};
  run_batch(&u, 1, 1, &job, &out->record);
}

static double apart(const sal_model *m, const double a[], const double b[])
{
  double far = 0;

  for (int i = 0; i < m->n_state; ++i) far = fmax(far, fabs(a[i] - b[i]) / (1 + fabs(b[i])));
  return far;
}

/* The same bits at every width, in a batch with other jobs. */
static bool is_alike_at_widths(const start *s, const char *method)
{
  const sal_setup u = setup_of(s, method, "event");
  double beside[SAL_MAX_STATE], end[3][9][SAL_MAX_STATE] = {{{0}}};
  bool fine = true;

  for (int i = 0; i < s->m->n_state; ++i) beside[i] = s->m->state[i].preset;
  for (int w = 0; w < n_probe() && (w == 0 || s->m->w4); ++w) {
    sal_job job[9];
    sal_record record[9];
    for (int j = 0; j < 9; ++j)
      job[j] = (sal_job){.param = s->p, .initial = j % 2 ? beside : s->y, .end = end[w][j]};
    run_batch(&u, probes[w].width, 9, job, record);
    for (int j = 0; j < 9; ++j)
      fine = fine && memcmp(end[w][j], end[0][j % 2], sizeof end[w][j]) == 0;
  }
  return fine;
}

static int report(bool fine, const start *s, const char *method, const char *what)
{
  if (!fine)
    printf("\n    %s, %s, contact %d, rate %g: %s", s->m->name, method, s->k, s->rate, what);
  return !fine;
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static outcome_of_run here, beside;

static int same_trajectory(const start *s, const char *method, const double y[], int more)
{
  run(s, method, "event", s->y, &here);
  run(s, method, "event", y, &beside);
  const bool ends = outcome(&here.record) == outcome(&beside.record);
  const bool rests = here.record.value[SAL_METRIC_ZENO] > 0;
  const bool count = rests || here.log.n == beside.log.n + more;
  return report(ends && sal_metric_finished(outcome(&here.record)), s, method, "its end") +
         report(apart(s->m, here.end, beside.end) < 1e4 * EARLIER, s, method, "its last state") +
         report(count, s, method, "its events");
}

/* The contact is met where the run begins, as it is a little later by a run that begins ahead of it. */
static int check_met(const start *s, const char *method)
{
  start ahead = *s;
  const bool grips = sal_model_contact(s->m, s->k)->kind == SAL_CONTACT_FRICTION;

  if (!put(&ahead, -EARLIER * s->rate, NAN)) return report(false, s, method, "no start ahead");
  int wrong = same_trajectory(s, method, ahead.y, grips ? -1 : 0);
  if (grips) return wrong; /* what does not move on the belt holds already */
  const sal_event *a = here.event, *b = beside.event;
  wrong += report(here.log.n > 0 && a->guard == s->k && a->closes && fabs(a->t) < 1e-12, s, method,
                  "its first event");
  wrong += report(beside.log.n > 0 && b->guard == s->k && b->closes && b->t < 3 * EARLIER, s,
                  method, "the first event of the run ahead");
  wrong += report(apart(s->m, a->y, b->y) < 1e4 * EARLIER, s, method, "the state it leaves with");
  if (!sal_strategy_drives(sal_registry_strategy("ess2"), sal_registry_method(method)))
    return wrong;
  run(s, method, "ess2", s->y, &beside);
  return wrong + report(beside.log.n > 0 && b->t == a->t && apart(s->m, a->y, b->y) == 0, s, method,
                        "its first event with ess2");
}

static int check_leaves(const start *s, const char *method)
{
  start later = *s;

  if (!put(&later, EARLIER * s->rate, NAN)) return report(false, s, method, "no start after");
  return same_trajectory(s, method, later.y, 0);
}

/* As one that lands so gently that nothing is left of it. */
static int check_rests(const start *s, const char *method)
{
  start above = *s;

  if (!put(&above, 1e-13, -1e-4)) return 0;
  run(s, method, "event", s->y, &here);
  run(s, method, "event", above.y, &beside);
  return report(outcome(&here.record) == SAL_OUT_DONE, s, method, "its end, at rest") +
         report(apart(s->m, here.end, beside.end) < 1e4 * EARLIER, s, method, "its rest") +
         report(here.log.n <= 2, s, method, "flights of what is at rest");
}

static int check_beyond(const start *s, const char *method)
{
  double gap;

  run(s, method, "event", s->y, &here);
  return report(outcome(&here.record) == SAL_OUT_PENETRATES && here.log.n == 0, s, method,
                "beyond") +
         report(here.record.value[SAL_METRIC_T_REACHED] == 0, s, method, "its time, beyond") +
         report(sal_model_beyond(s->m, s->p, s->y, NULL, &gap) == s->k && fabs(gap + 0.01) < 1e-9,
                s, method, "the contact that is named");
}

int start_check(const sal_model *m, int k, const char *method, start_tally *tally)
{
  const sal_contact *contact = sal_model_contact(m, k);
  const bool stops = contact->kind == SAL_CONTACT_RIGID && !contact->ends;
  const double speeds[] = {-0.7, 0.7, 0, NAN};
  flow_stream from = flow_draw_stream(m->name);
  int wrong = 0;
  start s;

  for (int i = 0; i < DRAWS; ++i) {
    const double speed = speeds[i % 4];
    draw(&from, m, k, &s);
    if (!put(&s, 0, speed) || is_crowded(&s)) continue;
    if (s.rate < -0.05) {
      wrong += check_met(&s, method);
      ++tally->met;
    } else if (s.rate > 0.05 && contact->kind != SAL_CONTACT_FRICTION) {
      wrong +=
          check_leaves(&s, method); /* with more friction at rest than in motion it may do both */
      ++tally->leaves;
    } else if (fabs(s.rate) < 1e-12 && stops) {
      wrong += check_rests(&s, method);
      ++tally->rests;
    }
    wrong += report(is_alike_at_widths(&s, method), &s, method, "bits at other widths");
    if (contact->ends || contact->kind > SAL_CONTACT_COMPLIANT || !put(&s, -0.01, 0.7)) continue;
    double gap;
    if (sal_model_beyond(m, s.p, s.y, NULL, &gap) != k && k > 0)
      continue; /* beyond another one as well */
    wrong += check_beyond(&s, method);
    ++tally->beyond;
  }
  return wrong;
}
