/** @file src/driver/performance_runs.h
 *  A performance table of runs that are made now, in this process alone: no cube, no MPI.
 */
#ifndef SAL_PERFORMANCE_RUNS_H
#define SAL_PERFORMANCE_RUNS_H

#include "performance_cube.h"
#include "reference_fate.h"

/** Runs the sweep, which `out` takes over, also after a failure, on the threads of this process: out is a cube whose
 *  table is whole and that has no file; sal_performance_cube_free frees it.  chooser NULL: all, or the presets of the sweep.
 *  SAL_ERR_STOPPED, with a message, when the flag of stop.h is raised meanwhile. */
SAL_MUST_CHECK sal_err sal_performance_runs_now(sal_sweep *sweep,
                                                const sal_performance_chooser *chooser,
                                                sal_performance_cube *out);

/** The same of runs that have been made: the records of all cells, and what became of their references. */
SAL_MUST_CHECK sal_err sal_performance_runs_made(sal_sweep *sweep,
                                                 const sal_performance_chooser *chooser,
                                                 const sal_tile_result *result,
                                                 const sal_reference_fate *fate,
                                                 sal_performance_cube *out);

#endif
