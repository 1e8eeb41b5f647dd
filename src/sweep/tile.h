/** @file src/sweep/tile.h
 *  The unit of work and its results.
 */
#ifndef SAL_TILE_H
#define SAL_TILE_H

#include "metric.h"
#include <stdint.h>

/** A run of cells handed to one worker: first .. first + count - 1. */
typedef struct {
  int64_t first, count;
} sal_tile;

/** The records of a run of cells; both arrays are freed with sal_free by their owner. */
typedef struct {
  int64_t          first, count;
  sal_cell_record *cell;   /* [count] */
  sal_record      *record; /* [count][n_tolerance][n_strategy][n_method] */
} sal_tile_result;

#endif
