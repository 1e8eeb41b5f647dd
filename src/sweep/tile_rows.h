/** Room for the records of cells, and the numbers of a cell's metrics. */
#pragma once

#include "sweep.h"

/** Values of a cell of metric i of all (metric.h). */
int64_t sal_tile_rows_values(const sal_sweep *sweep, int i);
/** Where the values of a row metric, i from SAL_METRICS_BEFORE_ROWS on, begin in a cell's row, of those that the
 *  sweep requests; of SAL_METRICS_ALL: the numbers of a row. */
int64_t sal_tile_rows_at(const sal_sweep *sweep, int i);
/** Bytes of the records of a cell in memory. */
int64_t sal_tile_rows_bytes(const sal_sweep *sweep);

/** Room for `count` cells in arrays that are NULL; false for want of memory. */
bool sal_tile_rows_alloc(const sal_sweep *sweep, int64_t count, sal_tile_result *result);
/** Copies `count` cells with n_config configurations from place `there` of one result to place `at` of another. */
void sal_tile_rows_copy(sal_tile_result *to, int64_t at, const sal_tile_result *from, int64_t there,
                        int64_t count, int64_t n_config);
