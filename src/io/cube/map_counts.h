/** @file src/io/cube/map_counts.h
 *  How many cells of a cube its map answers, and why it does not answer the others.
 */
#ifndef SAL_MAP_COUNTS_H
#define SAL_MAP_COUNTS_H

#include "h5.h"
#include "map.h"

/** Cells, by an asked largest error; together they are all cells. */
typedef struct {
  double error;
  int64_t answered, no_contender;
  int64_t no_reference; /* the reference is worse than the error, or did not come to its end */
} sal_map_count;

/** The attribute of the group that names the error of a map; maps of older programs have none. */
#define SAL_MAP_ERROR_METRIC "error_metric"

/** Counts for all errors that the map of an open cube answers, and which error it is; *n is 0 when it
 *  has no such map. */
SAL_MUST_CHECK sal_err sal_map_counts_read(const sal_h5 *file, int64_t n_cell, int *n,
                                           const sal_error_metric **by,
                                           sal_map_count count[SAL_MAX_QUESTION]);

#endif
