/** @file src/driver/map_rows.h
 *  The rows that a map is made from: handed over by a run that has the records of all cells at hand, or read from the cube, each
 *  once.  Totals over all of them are counted on the way, and the ranks keep them in boxes of neighbours (row_store.h).
 */
#ifndef SAL_MAP_ROWS_H
#define SAL_MAP_ROWS_H

#include "performance_cube.h"
#include "row_store.h"

/** Totals over all cells. */
typedef struct {
  sal_performance_census of;
  sal_points_range range;
} sal_map_census;

typedef struct sal_map_rows sal_map_rows;

/** Collective.  No rows yet, of a sweep that is borrowed; refused (SAL_ERR_INPUT) where ranks have no room for them.
 *  sal_map_rows_free frees, collectively. */
SAL_MUST_CHECK sal_err sal_map_rows_create(MPI_Comm comm, const sal_performance_rows_of *of,
                                           sal_map_rows **rows);
void sal_map_rows_free(sal_map_rows **rows);

/** Sets the rows that the map of the preset questions is made from; false: its runs lack the error of map.by. */
bool sal_map_rows_presets(const sal_sweep *sweep, sal_performance_rows_of *of);

/** Collective.  Adds results of this rank, n of which there may be 0; each cell is added once, by any rank.  here: a
 *  failure of this rank before, which is then that of all. */
SAL_MUST_CHECK sal_err sal_map_rows_add(sal_map_rows *rows, sal_err here, int n,
                                        const sal_tile_result result[]);
/** Collective.  Adds all cells of a cube, of which each rank reads a run, verified. */
SAL_MUST_CHECK sal_err sal_map_rows_read(sal_map_rows *rows, sal_performance_rows *from);

/** Collective.  Sums the totals of all ranks. */
SAL_MUST_CHECK sal_err sal_map_rows_count(const sal_map_rows *rows, sal_map_census *census);

/** The order in which ranks have runs of cells, and the rows. */
const sal_cell_order *sal_map_rows_order(const sal_map_rows *rows);
sal_row_store *sal_map_rows_store(const sal_map_rows *rows);

/** Collective.  Answers what others ask for until all are here, and brings a failure of one to all. */
SAL_MUST_CHECK sal_err sal_map_rows_agree(const sal_map_rows *rows, sal_err here);

#endif
