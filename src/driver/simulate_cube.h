/** @file src/driver/simulate_cube.h
 *  What a simulation takes from a cube: the measured time of its cells, and sizes.
 */
#ifndef SAL_SIMULATE_CUBE_H
#define SAL_SIMULATE_CUBE_H

#include "err.h"
#include "packed_size.h"
#include "sweep.h"

/** Data that all simulated runs share. */
typedef struct {
  const char *path;
  int64_t cells, scale; /* of the cube; the grid is so many times as large */
  int threads, configs;
  double sum, heaviest;   /* CPU time of these cells, and of one of them [s] */
  sal_sweep sweep;        /* of the scaled grid, for its sizes */
  sal_packed_size packed; /* of some of the cells */
} sal_simulated_work;

/** Fills work (cells, configurations, sum, heaviest, packed, sweep, whose cells are those of the scaled grid) and
 *  *seconds [cells], CPU time of each cell; the caller frees these with sal_free and work->sweep with
 *  sal_sweep_free, after a failure, too.  work->path, scale and threads are given. */
SAL_MUST_CHECK sal_err sal_simulate_cube_read(sal_simulated_work *work, double **seconds);

#endif
