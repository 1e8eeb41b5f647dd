/** @file src/driver/map_size.h
 *  What the map of a sweep takes before there is a cube: bytes, memory and time.
 */
#ifndef SAL_MAP_SIZE_H
#define SAL_MAP_SIZE_H

#include "sweep.h"

/** read: of the cube, by all ranks; written: into it; memory: of a rank; seconds: CPU time of all. */
typedef struct {
  double read, written, memory, seconds;
} sal_map_size;

/** Of the preset questions, asked by so many ranks.  A sweep whose n_cell is a multiple of its grid is
 *  sized as if it had as many. */
sal_map_size sal_map_size_of(const sal_sweep *sweep, int n_rank);

/** Cells of the sweep over those of its grid: 1 but where a larger one is simulated. */
double sal_map_size_times(const sal_sweep *sweep);

#endif
