/** @file src/driver/surrogate_cube.c
 *  The surrogate of a cube.
 */
#include "surrogate_cube.h"
#include "surrogate_view.h"

enum { WHOLE = 1000000 }; /* runs: a table with fewer is read whole; of others the rows needed */

sal_err sal_surrogate_cube_open(sal_performance_cube *cube, sal_performance_source *source,
                                sal_surrogate **surrogate)
{
  sal_surrogate_fit fit;
  bool there, possible;

  *source = sal_performance_cube_source(cube);
  SAL_TRY(sal_surrogate_possible(&cube->sweep, &possible));
  if (!possible) {
    const sal_err err = sal_surrogate_open(source, NULL, surrogate);
    if (err == SAL_ERR_INPUT) sal_err_add("; `saltus map` shows the winner of each cell");
    return err;
  }
  SAL_TRY(sal_performance_cube_fit(cube, &fit, &there));
  if (cube->rows && (double)cube->sweep.n_cell * source->n_config < WHOLE) {
    SAL_TRY(sal_performance_cube_table(cube));
    *source = sal_performance_source_of(&cube->table);
  }
  return sal_surrogate_open(source, there ? &fit : NULL, surrogate);
}
