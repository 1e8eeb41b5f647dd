/** @file src/driver/performance_runs.c
 *  A sweep run tile by tile into a table in memory.
 */
#include "performance_runs.h"
#include "tile_run.h"

static sal_err run_tiles(const sal_sweep *sweep, int64_t most, sal_tile_space *space,
                         sal_performance_table *table)
{
  for (int64_t first = 0; first < sweep->n_cell; first += most) {
    const int64_t left = sweep->n_cell - first;
    const sal_tile tile = {first, left < most ? left : most};
    sal_tile_result result = {0};
    const sal_err err = sal_tile_run(space, &tile, &result);
    if (err == SAL_ERR_STOPPED)
      return sal_fail(err, "stopped: %lld of %lld cells have been run", (long long)first,
                      (long long)sweep->n_cell);
    SAL_TRY(err);
    sal_performance_add(table, &result);
    sal_tile_result_free(&result);
  }
  return SAL_OK;
}

static sal_err fill_table(sal_performance_cube *c)
{
  const sal_performance_table is = c->table;
  const int64_t largest = sal_tile_most(&c->sweep);
  const int64_t most = c->sweep.n_cell < largest ? c->sweep.n_cell : largest;
  sal_tile_space *space;

  SAL_TRY(sal_performance_create(&c->sweep, c->sweep.n_cell, &is.weights, false, false, &c->table));
  c->table.by = is.by;
  SAL_TRY(sal_tile_space_create(&c->sweep, most, &space));
  const sal_err err = run_tiles(&c->sweep, most, space, &c->table);
  sal_tile_space_destroy(&space);
  return err == SAL_OK ? sal_performance_cube_counted(&c->table) : err;
}

sal_err sal_performance_runs_now(sal_sweep *sweep, const sal_performance_chooser *chooser,
                                 sal_performance_cube *out)
{
  *out = (sal_performance_cube){.sweep = *sweep, .same_program = true, .sealed = true};
  *sweep = (sal_sweep){0};
  sal_err err = sal_performance_cube_choose(out, chooser);
  if (err == SAL_OK) err = fill_table(out);
  if (err != SAL_OK) sal_performance_cube_free(out);
  return err;
}
