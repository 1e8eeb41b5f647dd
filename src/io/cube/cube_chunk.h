/** The metrics of a cube that are cut into chunks, shuffled and deflated: those of more than 1 MB, where a
 *  chunk has 4 kB.  All others, and all else along cells, is in one piece.
 */
#pragma once

#include "sweep.h"
#include <stdbool.h>
#include <stdint.h>

/** Cells of a chunk, of all metrics alike: as few as take 32 kB of counts, but that there are at most half a
 *  million chunks.  1 where no metric is cut. */
int64_t sal_cube_chunk(const sal_sweep *sweep);
/** Is metric i cut?  They are counted as their sums are: those of trajectories, then those of cells. */
bool sal_cube_chunk_is_cut(const sal_sweep *sweep, int i);
/** Dimensions of that metric: cells, and, of trajectories, tolerances, strategies, methods. */
int sal_cube_chunk_dims(int i);
/** Bytes of a cell of that metric. */
int64_t sal_cube_chunk_row(const sal_sweep *sweep, int i);
