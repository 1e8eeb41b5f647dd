/** Divisors of the number of returns, the least first. */
#include "cycle.h"
#include "memory.h"

/* Visits that differ by less than this, over the unknowns' sizes, are one. */
static const double same_visit = 1e-6;

int sal_least_returns_in_log(const sal_return_map *map, const sal_events *log, const double y[])
{
  const sal_section *x = &map->model.section;
  const int all = map->setup.returns;
  int done = 0;

  for (int64_t e = 0; e < log->n && e < log->capacity && !x->period; ++e) {
    const sal_event *at = &log->event[e];
    if (at->guard != x->contact || at->closes != x->closes) continue;
    if (all % ++done == 0 && sal_cycle_residual(map, y, at->y) < same_visit) return done;
  }
  return all;
}

/* Cells that are found and have not closed sooner, as points; returns how many there are. */
static int64_t list_open(const sal_return_map *map, int64_t n, const sal_cycle cell[],
                         sal_return point[], double end[])
{
  const int64_t ns = map->model.n_state;
  int64_t open = 0;

  for (int64_t i = 0; i < n; ++i) {
    if (cell[i].why != SAL_CYCLE_FOUND || cell[i].least < map->setup.returns) continue;
    point[open] = (sal_return){.param = cell[i].param,
                               .start = cell[i].y,
                               .closed = cell[i].closed,
                               .end = end + open * ns};
    ++open;
  }
  return open;
}

/* Which of the cells close after as many returns as `fewer` makes? */
static sal_err try_divisor(const sal_return_map *map, const sal_return_map *fewer, int64_t n,
                           sal_cycle cell[], sal_return point[], double end[])
{
  const int64_t open = list_open(map, n, cell, point, end);

  SAL_TRY(sal_return_map_run(fewer, open, point));
  for (int64_t i = 0, p = 0; i < n && p < open; ++i) {
    if (cell[i].why != SAL_CYCLE_FOUND || cell[i].least < map->setup.returns) continue;
    const sal_return *at = &point[p++];
    if (at->why == SAL_RETURN_MADE && sal_cycle_residual(map, cell[i].y, at->end) < same_visit)
      cell[i].least = fewer->setup.returns;
  }
  return SAL_OK;
}

sal_err sal_least_returns_run(const sal_return_map *map, int64_t n, sal_cycle cell[])
{
  if (!map->model.section.period || map->setup.returns < 2) return SAL_OK;
  sal_return_setup setup = map->setup;
  SAL_OWN sal_return *point = sal_alloc((size_t)n, sizeof *point);
  SAL_OWN double *end = sal_alloc((size_t)(n * map->model.n_state), sizeof *end);

  if (!point || !end)
    return sal_fail(SAL_ERR_MEMORY, "no memory for the returns of %lld orbits", (long long)n);
  for (int d = 1; d < map->setup.returns; ++d) {
    if (map->setup.returns % d != 0) continue;
    SAL_OWN_BY(sal_return_map_destroy) sal_return_map *fewer = NULL;
    setup.returns = d;
    SAL_TRY(sal_return_map_new(&setup, &fewer));
    SAL_TRY(try_divisor(map, fewer, n, cell, point, end));
  }
  return SAL_OK;
}
