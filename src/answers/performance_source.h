/** @file src/answers/performance_source.h
 *  Rows of the performance table of chosen cells, wherever the table is: in memory, or in a cube
 *  that is read by chunks (src/driver/performance_cube.h).
 */
#ifndef SAL_PERFORMANCE_SOURCE_H
#define SAL_PERFORMANCE_SOURCE_H

#include "performance_table.h"

typedef struct {
  const sal_sweep *sweep; /* borrowed */
  const sal_error_metric *by;
  sal_work_weights weights;
  int64_t n_cell; /* of the whole table */
  int n_contender;
  /* Fills rows 0 .. n - 1 of a table of at least n cells with the cells cell[n], in any order and
   * some of them twice.  The table has points where they are asked for, raw values as yet. */
  sal_err (*read)(void *with, int64_t n, const int64_t cell[], sal_performance_table *rows);
  void *with;
} sal_performance_source;

/** The rows of a table in memory, which is borrowed. */
sal_performance_source sal_performance_source_of(const sal_performance_table *table);

#endif
