/** The measured time of each cell of a cube, and sizes of its sweep. */
#pragma once

#include "packed_size.h"

typedef struct {
  int64_t cells, scale;   /* of the cube; the grid is so many times as large */
  double *seconds;        /* [cells] CPU time of each */
  double sum, heaviest;   /* of all cells of the cube, and of one of them [s] */
  sal_sweep sweep;        /* of the scaled grid, for its sizes */
  sal_packed_size packed; /* of some of the cells */
} sal_cell_times;

/** Reads the cube at `path`.  The caller frees *times with sal_cell_times_free, after a failure, too. */
sal_err sal_cell_times_read(const char *path, int64_t scale, sal_cell_times *times);
void sal_cell_times_free(sal_cell_times *times);
