/** Cycles from simulations. */
#include "cell_cycle.h"
#include "stiffness.h"
#include <string.h>

/* For a simulation that did not come back to the section: does a contact stay closed, and is the
 * equilibrium not unstable?  Else it just takes long. */
static bool is_at_rest(const sal_cell_cycles *c, const sal_seed *s)
{
  const sal_model *m = c->sweep->model;
  bool any = false;

  for (int k = 0; k < sal_model_guards(m, s->param); ++k) any = any || s->closed[k];
  return any && !(sal_stiffness_slowest_rate(m, s->param).re > 0);
}

static sal_verdict verdict_of_seed(const sal_cell_cycles *c, const sal_seed *s)
{
  if (s->why == SAL_RETURN_RESTS || s->why == SAL_RETURN_LOST)
    return is_at_rest(c, s) ? SAL_IS_EQUILIBRIUM : SAL_IS_NO_RETURN;
  return sal_cell_visits_verdict(s->why);
}

/* Newton's iteration from where a single simulation is; k returns. */
static sal_err try_from(sal_cell_cycles *c, int64_t cell, int k, sal_cell_cycle *out)
{
  const sal_seed *s = &c->seed[cell];
  const double *const param = s->param;
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];

  sal_cell_search_copy(c, s->y, s->closed, y, closed);
  c->index[0] = cell;
  SAL_TRY(sal_cell_search_newton(c, k, 0, 1, &param));
  if (c->trial[0].why == SAL_CYCLE_FOUND)
    return sal_cell_search_take(c, &c->trial[0], k, SAL_LONG_RUN_SIMULATION, out);
  sal_cell_search_copy(c, y, closed, s->y, s->closed); /* the simulation goes on from there */
  return SAL_OK;
}

/* A cell whose visits seemed to repeat, but led to no cycle: on, by itself. */
static sal_err go_on(sal_cell_cycles *c, int64_t cell, sal_cell_cycle *out)
{
  const sal_long_run *o = &c->sweep->orbit;
  sal_seed *s = &c->seed[cell];
  const sal_return_map *map;

  SAL_TRY(sal_cell_search_map(c, 1, &map));
  while (out->k == 0 && s->returns > 0 && s->n_visit < o->returns) {
    const sal_seed_setup setup = {
        .max_visits = o->returns - s->n_visit, .close = o->alike, .bound = o->bound};
    SAL_TRY(sal_seed_find(map, &setup, 1, s));
    if (s->returns > 0 && s->returns <= o->period) SAL_TRY(try_from(c, cell, s->returns, out));
  }
  if (out->k == 0 && sal_seed_goes_on(s)) {
    SAL_TRY(try_from(c, cell, 1, out));
    if (out->k > 0) out->verdict = SAL_IS_CYCLE_BESIDE;
  }
  if (out->k == 0) out->verdict = verdict_of_seed(c, s);
  return SAL_OK;
}

/* All cells whose visits repeat after k returns, together. */
static sal_err close_cycles(sal_cell_cycles *c, int k, int64_t count, sal_cell_cycle out[])
{
  const double *param[SAL_TILE_MOST];
  int64_t n = 0;

  for (int64_t i = 0; i < count; ++i) {
    const sal_seed *s = &c->seed[i];
    if (out[i].k > 0 || !s->param || s->returns != k) continue;
    sal_cell_search_copy(c, s->y, s->closed, c->last + i * c->n_state,
                         c->last_closed + i * c->n_guard);
    param[n] = s->param;
    c->index[n++] = i;
  }
  if (n == 0) return SAL_OK;
  SAL_TRY(sal_cell_search_newton(c, k, 0, n, param));
  for (int64_t j = 0; j < n; ++j) {
    const int64_t i = c->index[j];
    if (c->trial[j].why == SAL_CYCLE_FOUND)
      SAL_TRY(sal_cell_search_take(c, &c->trial[j], k, SAL_LONG_RUN_SIMULATION, &out[i]));
    else
      sal_cell_search_copy(c, c->last + i * c->n_state, c->last_closed + i * c->n_guard,
                           c->seed[i].y, c->seed[i].closed);
  }
  return SAL_OK;
}

sal_err sal_cell_seeds_find(sal_cell_cycles *c, int64_t count, const double param[],
                            const double initial[], sal_cell_cycle out[])
{
  const sal_long_run *o = &c->sweep->orbit;
  const sal_seed_setup setup = {.max_visits = o->returns, .close = o->alike, .bound = o->bound};
  const sal_return_map *map;
  sal_seed sought[SAL_TILE_MOST];
  int64_t index[SAL_TILE_MOST], n = 0;

  for (int64_t i = 0; i < count; ++i) {
    c->seed[i].param = NULL;
    if (out[i].k > 0) continue;
    sought[n] = (sal_seed){.param = param + i * c->n_param,
                           .y = c->y + i * c->n_state,
                           .closed = c->closed + i * c->n_guard,
                           .memory = c->memory + i * SAL_SEED_PERIODS * c->n_state};
    memcpy(sought[n].y, initial + i * c->n_state, (size_t)c->n_state * sizeof *initial);
    index[n++] = i;
  }
  SAL_TRY(sal_cell_search_map(c, 1, &map));
  SAL_TRY(sal_seed_find(map, &setup, n, sought));
  for (int64_t j = 0; j < n; ++j) c->seed[index[j]] = sought[j];
  for (int k = 1; k <= o->period; ++k) SAL_TRY(close_cycles(c, k, count, out));
  for (int64_t j = 0; j < n; ++j) {
    const int64_t i = index[j];
    if (out[i].k == 0) SAL_TRY(go_on(c, i, &out[i]));
    out[i].tried = c->seed[i].n_visit;
  }
  return SAL_OK;
}
