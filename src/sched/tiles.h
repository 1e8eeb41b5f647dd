/** Cells cut into tiles: the units that are handed out, run and written down. */
#pragma once

#include "err.h"
#include "tile.h"

/** Cuts n_run runs of cells, ascending and apart, into tiles for n_rank ranks, as in guided
 *  self-scheduling: each tile has half of a rank's fair share of what the ones before it leave, at
 *  most `most` cells, and at least enough to fill the lanes once (8) where there are enough; one rank has no
 *  other to wait for, and tiles as large as may be.  A tile of `unit` cells or more is cut down to whole units, and smaller
 *  ones together fill a unit, so that tiles begin where units do if all cells are in one run.  Large
 *  ones are for the beginning of a run, small ones even out its end; they lie mixed, so that the
 *  first ones run are a sample of all cells.  *tile [*n_tile] ascends and is freed by the
 *  caller with sal_free. */
sal_err sal_tiles_cut(int64_t n_run, const sal_tile run[], int n_rank, int64_t most, int64_t unit,
                      sal_tile **tile, int64_t *n_tile);

/** Cells of the largest of these tiles when n_cell cells are to be cut; 1 .. most. */
int64_t sal_tiles_largest(int64_t n_cell, int n_rank, int64_t most);
/** How many these tiles are; *whole: cells of those that have a unit or more. */
int64_t sal_tiles_count(int64_t n_cell, int n_rank, int64_t most, int64_t unit, int64_t *whole);

/** Number k of n places in an order that covers them evenly wherever it is broken off: place [n] is
 *  a permutation of 0 .. n - 1 after van der Corput (0, 1/2, 1/4, 3/4, 1/8, .. of n). */
void sal_tiles_spread(int64_t n, int64_t place[]);

/* A sweep divided into parts that run by themselves, as in a job array.
 *
 * Cells are dealt in blocks by turns, so that each part has some of every region.  Which cell
 * belongs to which part depends on the numbers of cells and parts only. */

/** Part `index`, 1 .. of; {1, 1} is everything. */
typedef struct {
  int index, of;
} sal_job_part;

/** Cells of a part of n_cell. */
int64_t sal_job_part_cells(sal_job_part part, int64_t n_cell);

/** The share of a part in n_run runs of cells, ascending and apart: *out [*n_out], which the caller
 *  frees with sal_free. */
sal_err sal_job_part_cut(sal_job_part part, int64_t n_cell, int64_t n_run, const sal_tile run[],
                         sal_tile **out, int64_t *n_out);
