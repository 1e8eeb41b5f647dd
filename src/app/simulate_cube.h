/** @file src/app/simulate_cube.h
 *  What a simulation takes from a cube: the measured time of its cells, and sizes.
 */
#ifndef SAL_SIMULATE_CUBE_H
#define SAL_SIMULATE_CUBE_H

#include "err.h"
#include "simulate_print.h"
#include <stdbool.h>

/** Fills work (cells, sum, heaviest), the sizes in *machine, and *seconds [cells], CPU time of each
 *  cell, which the caller frees with sal_free, after a failure, too.  work->path and scale are
 *  given; journal: finished tiles are written at once. */
SAL_MUST_CHECK sal_err sal_simulate_cube_read(bool journal, sal_simulated_work *work,
                                              sal_sim_machine *machine, double **seconds);

#endif
