/** Runs that have been made as a table in memory. */
#include "performance_runs.h"

/* A table in which nothing counts is refused with what has become of the references. */
static sal_err end_table(sal_performance_cube *c, const sal_reference_fate *fate)
{
  char text[SAL_FATE_TEXT];
  const sal_err err = sal_performance_cube_counted(&c->table);

  if (err != SAL_OK && sal_reference_fate_text(fate, &c->sweep, text)[0]) sal_err_add(": %s", text);
  return err;
}

sal_err sal_performance_runs_made(sal_sweep *sweep, const sal_performance_chooser *chooser,
                                  const sal_tile_result *result, const sal_reference_fate *fate,
                                  sal_performance_cube *out)
{
  *out = (sal_performance_cube){.sweep = *sweep, .same_program = true};
  *sweep = (sal_sweep){0};
  sal_err err = sal_performance_cube_choose(out, chooser);
  const sal_performance_table is = out->table;
  if (err == SAL_OK)
    err = sal_performance_create(&out->sweep, out->sweep.n_cell, is.by, &is.weights, false, false,
                                 &out->table);
  if (err == SAL_OK) {
    sal_performance_add(&out->table, result);
    if (fate) err = end_table(out, fate);
  }
  if (err != SAL_OK) sal_performance_cube_free(out);
  return err;
}
