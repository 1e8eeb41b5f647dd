/** Three runs of an orbit: for its events, with tangent vectors, and on a mesh. */
#include "trace.h"
#include "base.h"

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

static sal_err log_events(const sal_return_map *map, const sal_cycle *c, sal_trace *out)
{
  double end[SAL_MAX_STATE];
  sal_return p = {.param = c->param, .start = c->y, .closed = c->closed, .end = end};

  SAL_TRY(run_one(map, &p));
  out->n_event = p.n_event;
  out->event = sal_alloc(sal_events_bytes(p.n_event, map->model.n_state), 1);
  out->modes = sal_alloc((size_t)p.n_event * (size_t)map->n_guard, sizeof *out->modes);
  out->phase = sal_alloc((size_t)p.n_event + 1, sizeof *out->phase);
  if (!out->event || !out->modes || !out->phase) return fail_no_memory();
  sal_events log = sal_events_of(out->event, p.n_event, map->model.n_state);
  log.closed = out->modes;
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

static void find_extremes(sal_trace *t)
{
  const sal_path path = {.n_state = t->model->n_state,
                         .n_mesh = t->n_mesh,
                         .n_event = t->n_event,
                         .end = t->period,
                         .state = t->state,
                         .event = t->event};

  for (int i = 0; i < t->model->n_state; ++i) {
    t->most[i] = sal_extreme_of_path(&path, i, 1);
    t->least[i] = -sal_extreme_of_path(&path, i, -1);
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
  sal_free_all(t->phase, t->monodromy, t->t, t->state, t->mode, t->event, t->modes);
  *t = (sal_trace){0};
}
