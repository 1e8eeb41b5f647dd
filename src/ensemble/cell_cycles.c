/** Room for the cells of a call, the seeds in their order, and what is left to find of a cycle. */
#include "base.h"
#include "cell_cycle.h"
#include "trace.h"

static sal_err fail_no_memory(void)
{
  return sal_fail(SAL_ERR_MEMORY, "no memory for the cycles of cells");
}

static bool make_room(sal_cell_cycles *c)
{
  const size_t cells = SAL_TILE_MOST, ns = (size_t)c->n_state, ng = (size_t)c->n_guard;

  c->y = sal_alloc(cells * ns, sizeof *c->y);
  c->last = sal_alloc(cells * ns, sizeof *c->last);
  c->earlier = sal_alloc(cells * ns, sizeof *c->earlier);
  c->closed = sal_alloc(cells * ng, sizeof *c->closed);
  c->last_closed = sal_alloc(cells * ng, sizeof *c->last_closed);
  c->param = sal_alloc(cells * (size_t)c->n_param, sizeof *c->param);
  c->memory = sal_alloc(cells * ns * SAL_SEED_PERIODS, sizeof *c->memory);
  c->anchor_y = sal_alloc(ns, sizeof *c->anchor_y);
  c->anchor_closed = sal_alloc(ng, sizeof *c->anchor_closed);
  c->trial = sal_alloc(cells, sizeof *c->trial);
  return c->y && c->last && c->earlier && c->closed && c->last_closed && c->param && c->memory &&
         c->anchor_y && c->anchor_closed && c->trial;
}

static bool uses_anchor(const sal_long_run *o)
{
  for (int i = 0; i < o->n_seed; ++i)
    if (o->seed[i] == SAL_LONG_RUN_ANCHOR) return true;
  return false;
}

static const char *path_of(const sal_cell_cycles *c)
{
  return c->sweep->path ? c->sweep->path : "sweep";
}

/* The anchor as Newton's iteration makes it. */
static sal_err polish_anchor(sal_cell_cycles *c)
{
  const sal_long_run_anchor *a = &c->sweep->orbit.anchor;
  const sal_cycle_setup s = {.accept = c->sweep->orbit.closure};
  const sal_return_map *map;
  int contact = 0;
  sal_cycle cycle = {.param = a->param, .y = c->anchor_y, .closed = c->anchor_closed};

  if (!uses_anchor(&c->sweep->orbit)) return SAL_OK;
  memcpy(c->anchor_y, a->state, (size_t)c->n_state * sizeof *c->anchor_y);
  SAL_TRY(sal_cell_search_map(c, a->returns, &map));
  if (a->has_mode)
    memcpy(c->anchor_closed, a->closed, (size_t)c->n_guard * sizeof *c->anchor_closed);
  else if (sal_return_map_begin(map, a->param, c->anchor_y, c->anchor_closed, &contact) !=
           SAL_RETURN_MADE)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: orbit.anchor.state: the gap of contact %d is on the other side than its "
                    "mode after the section",
                    path_of(c), contact + 1);
  SAL_TRY(sal_cycle_find(map, &s, 1, &cycle));
  if (cycle.why == SAL_CYCLE_FOUND) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: orbit.anchor: no cycle of %d return%s there: %s, %s",
                  path_of(c), a->returns, a->returns == 1 ? "" : "s",
                  sal_cycle_texts[cycle.why].label, sal_cycle_texts[cycle.why].what);
}

sal_err sal_cell_cycles_create(const sal_sweep *sweep, int width, sal_cell_cycles **out)
{
  sal_cell_cycles *c = *out = sal_alloc(1, sizeof *c);
  const sal_return_map *map;

  if (!c) return fail_no_memory();
  c->sweep = sweep;
  c->width = width;
  c->n_state = sweep->model->n_state;
  c->n_param = sweep->model->n_param + sweep->model->n_option;
  c->n_guard = sweep->n_guard;
  SAL_TRY(sal_cell_search_map(c, 1, &map));
  return make_room(c) ? polish_anchor(c) : fail_no_memory();
}

void sal_cell_cycles_destroy(sal_cell_cycles **cycles)
{
  sal_cell_cycles *c = *cycles;

  if (!c) return;
  for (int k = 0; k < SAL_SEED_PERIODS; ++k)
    if (c->made[k]) sal_return_map_free(&c->map[k]);
  sal_free_all(c->trial, c->y, c->last, c->earlier, c->closed, c->last_closed, c->param, c->memory,
               c->anchor_y, c->anchor_closed, c);
  *cycles = NULL;
}

const int *sal_cell_cycles_unknowns(const sal_cell_cycles *c, int *n)
{
  *n = c->map[0].n_unknown;
  return c->map[0].unknown;
}

sal_err sal_cell_cycles_find(sal_cell_cycles *c, int64_t count, const double param[],
                             const double initial[], sal_cell_cycle out[])
{
  const sal_long_run *o = &c->sweep->orbit;

  assert(count <= SAL_TILE_MOST);
  for (int64_t i = 0; i < count; ++i) out[i] = (sal_cell_cycle){.verdict = SAL_IS_NO_CONVERGENCE};
  for (int s = 0; s < o->n_seed; ++s)
    SAL_TRY(o->seed[s] == SAL_LONG_RUN_ANCHOR ? sal_cell_paths_find(c, count, param, out)
                                              : sal_cell_seeds_find(c, count, param, initial, out));
  return SAL_OK;
}

double sal_cell_cycles_apex(sal_cell_cycles *c, const double param[], const sal_cell_cycle *of)
{
  sal_cycle at = of->cycle;
  const sal_return_map *map;
  SAL_OWN void *event = sal_alloc(sal_events_bytes(at.n_event, c->sweep->model->n_state), 1);
  sal_events log = sal_events_of(event, at.n_event, c->sweep->model->n_state);
  sal_return p = {.param = param, .start = at.y, .closed = at.closed, .events = &log};
  double most[SAL_MAX_STATE];

  at.param = param;
  if (!event || sal_cell_search_map(c, of->k, &map) != SAL_OK ||
      sal_return_map_run(map, 1, &p) != SAL_OK ||
      sal_orbit_path_most(map, &at, at.period, &log, most) != SAL_OK)
    return NAN;
  return most[c->sweep->model->watch];
}
