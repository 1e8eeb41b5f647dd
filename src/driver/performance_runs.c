/** A sweep run tile by tile into a table in memory. */
#include "performance_runs.h"

/* Cells that are run first, lest all are where no solver reaches the end. */
enum { FIRST = 4 };

static sal_err run_tiles(const sal_sweep *sweep, int64_t most, sal_tile_space *space,
                         sal_performance_table *table, sal_reference_fate *fate)
{
  for (int64_t first = 0, count; first < sweep->n_cell; first += count) {
    const int64_t left = sweep->n_cell - first, now = first == 0 && FIRST < most ? FIRST : most;
    const sal_tile tile = {first, count = left < now ? left : now};
    sal_tile_result result = {0};
    const sal_err err = sal_tile_run(space, &tile, &result);
    if (err == SAL_ERR_STOPPED)
      return sal_fail(err, "stopped: %lld of %lld cells have been run", (long long)first,
                      (long long)sweep->n_cell);
    SAL_TRY(err);
    sal_performance_add(table, &result);
    sal_reference_fate_add(fate, &result);
    sal_tile_result_free(&result);
    if (fate->without == fate->cells) return SAL_OK; /* nothing will count */
  }
  return SAL_OK;
}

static sal_err begin_table(sal_performance_cube *c)
{
  const sal_performance_table is = c->table;

  SAL_TRY(sal_performance_create(&c->sweep, c->sweep.n_cell, &is.weights, false, false, &c->table));
  c->table.by = is.by;
  return SAL_OK;
}

/* A table in which nothing counts is refused with what has become of the references. */
static sal_err end_table(sal_performance_cube *c, const sal_reference_fate *fate)
{
  char text[SAL_FATE_TEXT];
  const sal_err err = sal_performance_cube_counted(&c->table);

  if (err != SAL_OK && sal_reference_fate_text(fate, &c->sweep, text)[0]) sal_err_add(": %s", text);
  return err;
}

static sal_err fill_table(sal_performance_cube *c)
{
  const int64_t largest = sal_tile_most(&c->sweep);
  const int64_t most = c->sweep.n_cell < largest ? c->sweep.n_cell : largest;
  sal_reference_fate fate = {0};
  sal_tile_space *space;

  SAL_TRY(begin_table(c));
  SAL_TRY(sal_tile_space_create(&c->sweep, most, &space));
  const sal_err err = run_tiles(&c->sweep, most, space, &c->table, &fate);
  sal_tile_space_destroy(&space);
  return err == SAL_OK ? end_table(c, &fate) : err;
}

/* result NULL: of runs that are made now. */
static sal_err make_cube(sal_sweep *sweep, const sal_performance_chooser *chooser,
                         const sal_tile_result *result, const sal_reference_fate *fate,
                         sal_performance_cube *out)
{
  *out = (sal_performance_cube){.sweep = *sweep, .same_program = true};
  *sweep = (sal_sweep){0};
  sal_err err = sal_performance_cube_choose(out, chooser);
  if (err == SAL_OK) err = result ? begin_table(out) : fill_table(out);
  if (err == SAL_OK && result) {
    sal_performance_add(&out->table, result);
    if (fate) err = end_table(out, fate);
  }
  if (err != SAL_OK) sal_performance_cube_free(out);
  return err;
}

sal_err sal_performance_runs_now(sal_sweep *sweep, const sal_performance_chooser *chooser,
                                 sal_performance_cube *out)
{
  return make_cube(sweep, chooser, NULL, NULL, out);
}

sal_err sal_performance_runs_made(sal_sweep *sweep, const sal_performance_chooser *chooser,
                                  const sal_tile_result *result, const sal_reference_fate *fate,
                                  sal_performance_cube *out)
{
  return make_cube(sweep, chooser, result, fate, out);
}
