/** @file src/app/simulate_cube.h
 *  What a simulation takes from a cube: the measured time of its cells, and sizes.
 */
#ifndef SAL_SIMULATE_CUBE_H
#define SAL_SIMULATE_CUBE_H

#include "err.h"
#include "simulate_print.h"

/** Fills work (cells, contenders, sum, heaviest, sweep, whose cells are those of the scaled grid) and
 *  *seconds [cells], CPU time of each cell; the caller frees these with sal_free and work->sweep with
 *  sal_sweep_free, after a failure, too.  work->path and scale are given. */
SAL_MUST_CHECK sal_err sal_simulate_cube_read(sal_simulated_work *work, double **seconds);

#endif
