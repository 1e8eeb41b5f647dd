/** The unit of work and its results. */
#pragma once

#include "memory.h"
#include "metric.h"
#include <stdint.h>

/** A run of cells handed to one worker: first .. first + count - 1. */
typedef struct {
  int64_t first, count;
} sal_tile;

/** The records of a run of cells; its owner frees it with sal_tile_result_free. */
typedef struct {
  int64_t first, count;
  sal_cell_record *cell; /* [count] */
  sal_record *record;    /* [count][n_tolerance][n_strategy][n_method] */
} sal_tile_result;

/** Finished trajectories of an unfinished tile; its owner frees both. */
typedef struct {
  sal_tile_result result; /* record: NULL where none is there; cell: of use when fresh > 0 */
  uint8_t *done;          /* [count][configurations] which records are there */
  int64_t fresh;          /* trajectories that the last run of the tile has added */
} sal_tile_kept;

/** Bytes of the records of a cell with so many configurations, in memory. */
static inline int64_t sal_tile_cell_bytes(int n_config)
{
  return (int64_t)sizeof(sal_cell_record) + n_config * (int64_t)sizeof(sal_record);
}
static inline void sal_tile_result_free(sal_tile_result *result)
{
  sal_free(result->cell);
  sal_free(result->record);
  *result = (sal_tile_result){0};
}
