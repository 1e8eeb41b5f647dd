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
  double *row;           /* [count][n_row] row metrics of each cell, one after the other */
  int64_t n_row;         /* sal_sweep_row */
} sal_tile_result;

/** Finished trajectories of an unfinished tile; its owner frees both. */
typedef struct {
  sal_tile_result result; /* record: NULL where none is there; cell: of use when fresh > 0 */
  uint8_t *done;          /* [count][configurations] which records are there */
  int64_t fresh;          /* trajectories that the last run of the tile has added */
} sal_tile_kept;

/** `count` cells from place `at` of a result on, with n_config configurations; borrowed. */
static inline sal_tile_result sal_tile_result_part(const sal_tile_result *r, int64_t n_config,
                                                   int64_t at, int64_t count)
{
  return (sal_tile_result){.first = r->first + at,
                           .count = count,
                           .cell = r->cell + at,
                           .record = r->record + at * n_config,
                           .row = r->row + at * r->n_row,
                           .n_row = r->n_row};
}
static inline void sal_tile_result_free(sal_tile_result *result)
{
  sal_free(result->cell);
  sal_free(result->record);
  sal_free(result->row);
  *result = (sal_tile_result){0};
}
