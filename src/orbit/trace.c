/** Three runs of an orbit: for its events, with tangent vectors, and on a mesh. */
#include "trace.h"
#include "memory.h"
#include <math.h>
#include <string.h>

static sal_err fail_no_memory(void)
{
  return sal_fail(SAL_ERR_MEMORY, "no memory for the trajectory of an orbit");
}

static sal_err run_one(const sal_return_map *map, sal_return *p)
{
  SAL_TRY(sal_return_map_run(map, 1, p));
  return p->why == SAL_RETURN_MADE ? SAL_OK
                                   : sal_fail(SAL_ERR_INPUT, "the orbit does not come back: %s",
                                              sal_return_texts[p->why].what);
}

/* ---- events and phases ---------------------------------------------------------------------- */

static sal_err log_events(const sal_return_map *map, const sal_cycle *c, sal_trace *out)
{
  double end[SAL_MAX_STATE];
  sal_return p = {.param = c->param, .start = c->y, .closed = c->closed, .end = end};

  SAL_TRY(run_one(map, &p));
  out->n_event = p.n_event;
  out->event = sal_alloc((size_t)p.n_event, sizeof *out->event);
  out->modes = sal_alloc((size_t)p.n_event * (size_t)map->n_guard, sizeof *out->modes);
  out->phase = sal_alloc((size_t)p.n_event + 1, sizeof *out->phase);
  if (!out->event || !out->modes || !out->phase) return fail_no_memory();
  sal_events log = {.event = out->event, .capacity = p.n_event, .closed = out->modes};
  p.events = &log;
  out->period = p.time;
  return run_one(map, &p);
}

/* The end of the last phase of an orbit that a drive measures; out->state is filled. */
static void set_last_phase(sal_trace *out, sal_trace_phase *at)
{
  at->contact = -1;
  at->end = out->period;
  at->last = out->state + out->n_mesh * out->model->n_state;
  at->gap = at->rate = at->steep = NAN;
}

static void set_phases(const sal_return_map *map, sal_trace *out)
{
  const bool driven = map->model.section.period != NULL;

  out->n = out->n_event + driven;
  for (int64_t i = 0; i < out->n; ++i) {
    sal_trace_phase *at = &out->phase[i];
    const sal_event *before = i > 0 ? &out->event[i - 1] : NULL, *e = &out->event[i];
    at->begin = before ? before->t : 0;
    at->first = before ? before->y : out->start;
    at->closed = before ? out->modes + (i - 1) * map->n_guard : out->start_closed;
    if (i == out->n_event) {
      set_last_phase(out, at);
      continue;
    }
    at->end = e->t;
    at->last = e->ahead;
    at->contact = e->guard;
    at->closes = e->closes;
    at->gap = e->gap;
    at->rate = e->rate;
    at->steep = e->steep;
  }
}

/* ---- the monodromy matrix ------------------------------------------------------------------- */

static sal_err run_monodromy(const sal_return_map *map, const sal_cycle *c, sal_trace *out)
{
  sal_return_setup setup = map->setup;
  SAL_OWN_BY(sal_return_map_destroy) sal_return_map *through = NULL;
  double end[SAL_MAX_STATE];

  setup.every_state = setup.through = true;
  setup.width = 1;
  SAL_TRY(sal_return_map_new(&setup, &through));
  out->n_full = through->n_unknown;
  memcpy(out->full, through->unknown, sizeof out->full);
  out->monodromy = sal_alloc((size_t)out->n_full * (size_t)out->n_full, sizeof *out->monodromy);
  sal_return p = {
      .param = c->param, .start = c->y, .closed = c->closed, .end = end, .dp = out->monodromy};
  return out->monodromy ? run_one(through, &p) : fail_no_memory();
}

/* ---- the trajectory ----------------------------------------------------------------------------- */

static sal_err sample_trajectory(const sal_return_map *map, const sal_cycle *c, int64_t n_mesh,
                                 sal_trace *out)
{
  const size_t n = (size_t)n_mesh + 1;

  out->n_mesh = n_mesh;
  out->t = sal_alloc(n, sizeof *out->t);
  out->state = sal_alloc(n * (size_t)map->model.n_state, sizeof *out->state);
  out->mode = sal_alloc(n, sizeof *out->mode);
  if (!out->t || !out->state || !out->mode) return fail_no_memory();
  for (int64_t j = 0; j <= n_mesh; ++j) out->t[j] = out->period * (double)j / (double)n_mesh;
  return sal_orbit_path_sample(map, c, out->period, n_mesh, out->state, out->mode);
}

enum { POINTS = SAL_EXTREME_POINTS };

/** Points of the mesh inside one phase, around one of them. */
typedef struct {
  int64_t first;   /* of POINTS; -1: there are fewer */
  double from, to; /* the phase's ends, in units of the mesh */
} stencil;

/* At an event the mesh has the state after its jump, which is not a point of the path before it. */
static stencil stencil_at(const sal_trace *t, int64_t j)
{
  const double h = t->period / (double)t->n_mesh, beside = 1e-6;

  for (int64_t i = 0; i < t->n; ++i) {
    const sal_trace_phase *p = &t->phase[i];
    const double begin = p->begin / h, end = p->end / h;
    const int64_t from = i == 0 ? 0 : (int64_t)ceil(begin + beside);
    const int64_t to = p->contact < 0 ? t->n_mesh : (int64_t)ceil(end - beside) - 1;
    if (j < from || j > to) continue;
    if (to - from + 1 < POINTS) break;
    const int64_t first = j - POINTS / 2 > from ? j - POINTS / 2 : from;
    return (stencil){first + POINTS - 1 > to ? to - POINTS + 1 : first, begin, end};
  }
  return (stencil){.first = -1};
}

/* Largest value of sign * state i over the period: on the mesh, beside its largest points, and at the
 * events. */
static double largest(const sal_trace *t, int i, double sign)
{
  const int64_t n = t->model->n_state;
  int64_t at = 0;
  double most = sign * t->state[i], v[POINTS], beside;

  for (int64_t j = 1; j <= t->n_mesh; ++j)
    if (sign * t->state[j * n + i] > most) most = sign * t->state[(at = j) * n + i];
  const stencil s = stencil_at(t, at);
  for (int p = 0; p < POINTS && s.first >= 0; ++p) v[p] = sign * t->state[(s.first + p) * n + i];
  if (s.first >= 0)
    most = fmax(most, sal_extreme_beside(v, (int)(at - s.first), s.from - (double)s.first,
                                         s.to - (double)s.first, &beside));
  for (int64_t e = 0; e < t->n_event; ++e)
    most = fmax(most, fmax(sign * t->event[e].y[i], sign * t->event[e].ahead[i]));
  return most;
}

static void find_extremes(sal_trace *t)
{
  for (int i = 0; i < t->model->n_state; ++i) {
    t->most[i] = largest(t, i, 1);
    t->least[i] = -largest(t, i, -1);
  }
}

sal_err sal_trace_run(const sal_return_map *map, const sal_cycle *c, int64_t n_mesh, sal_trace *out)
{
  *out = (sal_trace){.model = &map->model};
  memcpy(out->start, c->y, (size_t)map->model.n_state * sizeof *c->y);
  memcpy(out->start_closed, c->closed, (size_t)map->n_guard * sizeof *c->closed);
  sal_err err = log_events(map, c, out);
  if (err == SAL_OK) err = run_monodromy(map, c, out);
  if (err == SAL_OK) err = sample_trajectory(map, c, n_mesh > 0 ? n_mesh : 2048, out);
  if (err == SAL_OK) {
    set_phases(map, out);
    find_extremes(out);
  } else {
    sal_trace_free(out);
  }
  return err;
}

void sal_trace_free(sal_trace *t)
{
  void *const own[] = {t->phase, t->monodromy, t->t, t->state, t->mode, t->event, t->modes};

  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) sal_free(own[i]);
  *t = (sal_trace){0};
}
