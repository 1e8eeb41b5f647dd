/** The metrics of a cube that are cut into chunks, shuffled and deflated: those of more than 1 MB, where a
 *  chunk has 4 kB.  All others, and all else along cells, is in one piece.
 */
#pragma once

#include "sweep.h"

/** Cells of a chunk, of all metrics alike: as few as take 32 kB of counts, but that there are at most half a
 *  million chunks.  1 where no metric is cut. */
int64_t sal_cube_chunk(const sal_sweep *sweep);
/** Is metric i cut?  They are counted as their sums are: those of trajectories, then those of cells. */
bool sal_cube_chunk_is_cut(const sal_sweep *sweep, int i);
enum { SAL_CUBE_CHUNK_DIMS = 4 };
/** Shape of a chunk of that metric: its cells, and, of trajectories, tolerances, strategies, methods, of rows
 *  exponents, or states and visits; returns the number of dimensions. */
int sal_cube_chunk_shape(const sal_sweep *sweep, int i, int64_t dim[SAL_CUBE_CHUNK_DIMS]);
/** Bytes of a cell of that metric. */
int64_t sal_cube_chunk_row(const sal_sweep *sweep, int i);
/** The same of the metric with most that the sweep requests. */
int64_t sal_cube_chunk_longest_row(const sal_sweep *sweep);
/** Values of that metric of a result's cells, in the order of the cube: packed [count][row]. */
void sal_cube_chunk_pack(const sal_sweep *sweep, int i, const sal_tile_result *result,
                         char packed[]);
