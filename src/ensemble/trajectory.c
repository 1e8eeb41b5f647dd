/** One trajectory in full. */
#include "trajectory.h"
#include "array.h"
#include "base.h"

static int64_t count_samples(double t_end, double spacing)
{
  if (spacing == 0) return 0;
  return (int64_t)floor(t_end / spacing * (1 + 1e-12));
}

static sal_err fail_for_memory(sal_trajectory *out)
{
  sal_trajectory_free(out);
  return sal_fail(SAL_ERR_MEMORY, "no memory for the trajectory; a larger --dt helps");
}

/* Rows at the ends of accepted steps while a run makes them. */
typedef struct {
  sal_trajectory *out;
  int n_state;
  int64_t room[3];
  bool lost; /* memory ran out */
} steps;

/* A run may be made twice: its first step begins at 0. */
static void keep_step(void *with, const sal_measured_step *step)
{
  steps *s = with;
  sal_trajectory *o = s->out;
  const size_t row = (size_t)s->n_state * sizeof *o->state;

  if (step->t0 == 0) o->n = 1;
  double *t = sal_array_grow(o->t, o->n, 1, &s->room[0], sizeof *t);
  if (t) o->t = t;
  double *state = sal_array_grow(o->state, o->n, 1, &s->room[1], row);
  if (state) o->state = state;
  uint8_t *closed = sal_array_grow(o->closed, o->n, 1, &s->room[2], sizeof *closed);
  if (closed) o->closed = closed;
  s->lost = s->lost || !t || !state || !closed;
  if (s->lost) return;
  o->t[o->n] = step->t1;
  step->at(step->with, step->t1, o->state + o->n * s->n_state);
  o->closed[o->n++] = o->n_guard > 0 && step->closed[0];
}

/* The length of the event log is known after a run only: the first run counts events, the second
 * one keeps them. */
static bool integrate_with_events(const sal_setup *setup, sal_job *job, sal_trajectory *out)
{
  SAL_OWN void *work = sal_alloc(sal_integrate_bytes(setup, 1), 1);
  sal_events events = {0};

  if (!work) return false;
  job->events = &events;
  sal_integrate(setup, 1, 1, job, &out->record, work);
  out->n_event = events.n;
  out->event = sal_alloc(sal_events_bytes(events.n, setup->model->n_state), 1);
  out->event_closed = sal_alloc((size_t)events.n * (size_t)out->n_guard, sizeof(bool));
  if (out->event && out->event_closed && events.n > 0) {
    events = sal_events_of(out->event, out->n_event, setup->model->n_state);
    events.closed = out->event_closed;
    events.start = out->start_closed;
    sal_integrate(setup, 1, 1, job, &out->record, work);
  }
  job->events = NULL;
  return out->event && out->event_closed;
}

/* Memory of a model for points one after the other. */
static double *open_memory(const sal_model *m)
{
  return m->n_memory > 0 ? sal_alloc((size_t)m->n_memory, sizeof(double)) : NULL;
}

/* The mode where nothing has happened is that of the end; none is kept by a strategy without one. */
static bool keep_modes(const sal_setup *setup, const double param[], sal_trajectory *out)
{
  bool all[SAL_MAX_GUARD];

  if (setup->strategy->held) {
    for (int k = 0; k < out->n_guard && out->n_event == 0; ++k)
      out->start_closed[k] = out->end_closed[k];
    return true;
  }
  const sal_model *m = setup->model;
  double *memory = open_memory(m);
  out->sides = sal_alloc((size_t)(out->n * out->n_guard), sizeof *out->sides);
  for (int64_t j = 0; out->sides && out->n_guard > 0 && j < out->n; ++j) {
    sal_model_mode_on(m, param, memory, out->t[j], out->state + j * m->n_state, all);
    for (int k = 0; k < out->n_guard; ++k) out->sides[j * out->n_guard + k] = all[k];
    out->closed[j] = all[0];
  }
  sal_free(memory);
  sal_free_all(out->start_closed, out->event_closed);
  out->start_closed = out->event_closed = NULL;
  return out->sides != NULL;
}

void sal_trajectory_modes(const sal_model *m, const double param[], int64_t n, const double t[],
                          const double state[], uint8_t closed[])
{
  bool all[SAL_MAX_GUARD];

  if (m->n_guard == 0) return;
  double *memory = open_memory(m);
  for (int64_t j = 0; j < n; ++j) {
    sal_model_mode_on(m, param, memory, t[j], state + j * m->n_state, all);
    closed[j] = all[0];
  }
  sal_free(memory);
}

/* The end is a row of its own where the mesh stops short of it. */
static void add_end(const sal_setup *setup, int64_t n_mesh, double spacing, sal_trajectory *out)
{
  const int n = setup->model->n_state;

  if (out->n != n_mesh + 1 || !(setup->t_end > (double)n_mesh * spacing * (1 + 1e-12))) return;
  if (!sal_metric_finished(out->record.value[SAL_METRIC_OUTCOME])) return;
  out->t[out->n] = setup->t_end;
  memcpy(out->state + out->n * n, out->end, (size_t)n * sizeof *out->end);
  out->closed[out->n] = out->n_guard > 0 && out->end_closed[0];
  ++out->n;
}

sal_err sal_trajectory_run(const sal_setup *setup, const double param[], const double initial[],
                           double spacing, sal_trajectory *out)
{
  const sal_model *m = setup->model;
  const int64_t n_mesh = count_samples(setup->t_end, spacing);
  const size_t n = (size_t)n_mesh + 2;

  *out = (sal_trajectory){.t = sal_alloc(n, sizeof *out->t),
                          .state = sal_alloc(n * (size_t)m->n_state, sizeof *out->state),
                          .closed = sal_alloc(n, sizeof *out->closed),
                          .end_closed = sal_alloc(SAL_MAX_GUARD, sizeof *out->end_closed),
                          .start_closed = sal_alloc(SAL_MAX_GUARD, sizeof *out->start_closed),
                          .n_guard = setup->n_guard > 0 ? setup->n_guard : m->n_guard};
  if (!out->t || !out->state || !out->closed || !out->end_closed || !out->start_closed)
    return fail_for_memory(out);
  sal_samples samples = {.n_mesh = n_mesh,
                         .span = fmin((double)n_mesh * spacing, setup->t_end),
                         .state = out->state,
                         .closed = out->closed};
  sal_job job = {.param = param,
                 .initial = initial,
                 .samples = n_mesh > 0 ? &samples : NULL,
                 .end = out->end,
                 .end_closed = setup->strategy->held ? out->end_closed : NULL};
  /* all there is without a mesh */
  memcpy(out->state, initial, (size_t)m->n_state * sizeof *initial);
  const sal_measured_list none = {.of = {.n_guard = out->n_guard > 0}};
  steps kept = {out, m->n_state, {(int64_t)n, (int64_t)n, (int64_t)n}, false};
  const sal_measured each = {.list = &none, .step = keep_step, .with = &kept};
  if (spacing == 0) job.measured = &each;
  out->n = 1;
  if (!integrate_with_events(setup, &job, out) || kept.lost) return fail_for_memory(out);
  if (spacing > 0) {
    for (out->n = 0; out->n < n_mesh + 1 && !isnan(out->state[out->n * m->n_state]); ++out->n)
      out->t[out->n] = (double)out->n * spacing;
    add_end(setup, n_mesh, spacing, out);
  }
  return keep_modes(setup, param, out) ? SAL_OK : fail_for_memory(out);
}

/* A contact that is closed at the start leaves no event. */
int sal_trajectory_ending(const sal_trajectory *t, const sal_model *m, const double param[],
                          const double initial[])
{
  bool closed[SAL_MAX_GUARD];

  if (t->record.value[SAL_METRIC_OUTCOME] != SAL_OUT_ENDED) return -1;
  for (int64_t e = t->n_event - 1; e >= 0; --e)
    if (t->event[e].closes && sal_model_contact(m, t->event[e].guard)->ends)
      return t->event[e].guard;
  sal_model_mode(m, param, 0, initial, closed);
  for (int k = 0; k < sal_model_guards(m, param); ++k)
    if (closed[k] && sal_model_contact(m, k)->ends) return k;
  return -1;
}

void sal_trajectory_free(sal_trajectory *t)
{
  sal_free_all(t->t, t->state, t->closed, t->event, t->end_closed, t->start_closed, t->event_closed,
               t->sides);
  *t = (sal_trajectory){0};
}
