/** Maps and Newton's iteration. */
#include "base.h"
#include "cell_cycle.h"
#include "registry.h"

enum { MOST_ATTEMPTS = 20000 }; /* steps of a return; a run that takes more has lost its way */

sal_err sal_cell_search_map(sal_cell_cycles *c, int k, const sal_return_map **out)
{
  const sal_long_run *o = &c->sweep->orbit;
  const sal_return_setup setup = {.model = c->sweep->model,
                                  .method = sal_registry_reference(c->sweep->model),
                                  .rtol = o->tolerance,
                                  .atol = o->tolerance,
                                  .t_most = o->longest * k,
                                  .max_attempts = (int64_t)MOST_ATTEMPTS * k,
                                  .returns = k,
                                  .width = c->width,
                                  .n_guard = c->sweep->n_guard};

  assert(k >= 1 && k <= SAL_SEED_PERIODS);
  if (!c->made[k - 1]) SAL_TRY(sal_return_map_create(&setup, &c->map[k - 1]));
  c->made[k - 1] = true;
  *out = &c->map[k - 1];
  return SAL_OK;
}

void sal_cell_search_copy(const sal_cell_cycles *c, const double y[], const bool closed[],
                          double to[], bool to_closed[])
{
  memcpy(to, y, (size_t)c->n_state * sizeof *y);
  memcpy(to_closed, closed, (size_t)c->n_guard * sizeof *closed);
}

sal_err sal_cell_search_newton(sal_cell_cycles *c, int k, int iterations, int64_t n,
                               const double *const param[])
{
  const sal_cycle_setup s = {.accept = c->sweep->orbit.closure, .max_iterations = iterations};
  const sal_return_map *map;

  SAL_TRY(sal_cell_search_map(c, k, &map));
  for (int64_t i = 0; i < n; ++i)
    c->trial[i] = (sal_cycle){.param = param[i],
                              .y = c->y + c->index[i] * c->n_state,
                              .closed = c->closed + c->index[i] * c->n_guard};
  return sal_cycle_find(map, &s, n, c->trial);
}

sal_err sal_cell_search_take(sal_cell_cycles *c, sal_cycle *found, int k, sal_long_run_seed from,
                             sal_cell_cycle *out)
{
  const sal_cycle_setup s = {.accept = c->sweep->orbit.closure};
  const sal_return_map *map;

  if (found->least > 0 && found->least < k) {
    const int least = found->least;
    bool reduced = false;
    SAL_TRY(sal_cell_search_map(c, least, &map));
    SAL_TRY(sal_cycle_reduce(map, &s, found, &reduced));
    if (reduced) k = least;
  }
  out->verdict = SAL_IS_CYCLE;
  out->from = from;
  out->k = k;
  out->cycle = *found;
  return SAL_OK;
}
