/** @file src/driver/performance_rows.h
 *  Rows of the performance table from a cube on the disk: of chosen cells, or of all cells, block by
 *  block.
 */
#ifndef SAL_PERFORMANCE_ROWS_H
#define SAL_PERFORMANCE_ROWS_H

#include "cube_read.h"
#include "performance_table.h"

typedef struct sal_performance_rows sal_performance_rows;

/** Definition of the rows: by, weights, timed, with points or without. */
typedef struct {
  const sal_sweep *sweep; /* borrowed */
  const sal_error_metric *by;
  sal_work_weights weights;
  bool points, timed;
} sal_performance_rows_of;

/** Opens rows of a file, which they take over, also after a failure; sal_performance_rows_close frees. */
SAL_MUST_CHECK sal_err sal_performance_rows_open(sal_cube_file *file,
                                                 const sal_performance_rows_of *of,
                                                 sal_performance_rows **rows);
/** Bytes that are read for the row of a cell. */
double sal_performance_rows_bytes(const sal_performance_rows_of *of, const sal_packed_size *packed);
void sal_performance_rows_close(sal_performance_rows **rows);
sal_cube_file *sal_performance_rows_file(const sal_performance_rows *rows);

/** Chosen cells, which may be any and some of them twice; nothing is kept of them.  One thread at a
 *  time. */
sal_performance_source sal_performance_rows_source(sal_performance_rows *rows);

/** Fills all rows of a table with the cells from `first` on, one after another, which are read at once. */
SAL_MUST_CHECK sal_err sal_performance_rows_run(sal_performance_rows *rows, int64_t first,
                                                sal_performance_table *table);

/** Takes rows of cells first .. first + table->n_cell - 1. */
typedef sal_err sal_performance_rows_take(void *with, int64_t first,
                                          const sal_performance_table *table);
/** Hands over all cells in their order, verified after the last of them.  Ends at the first failure
 *  of `take`. */
SAL_MUST_CHECK sal_err sal_performance_rows_each(sal_performance_rows *rows,
                                                 sal_performance_rows_take *take, void *with);

/** Fills a table of all cells. */
SAL_MUST_CHECK sal_err sal_performance_rows_all(sal_performance_rows *rows,
                                                sal_performance_table *table);

#endif
