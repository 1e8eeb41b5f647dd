/** Stored trajectories in a cube: the group `trajectories`, which opens by itself:
 *  xarray.open_dataset(f, group="trajectories", engine="h5netcdf").
 *
 *  Along cell (numbers of the chosen ones), rtol, strategy, solver, t: each state of the model, NaN
 *  after the end of a failed run, and mode (open, closed, ended, incompatible).  Along cell, t:
 *  reference_<state> and reference_mode.
 */
#pragma once

#include "sweep.h"
#include <mpi.h>

typedef struct sal_stored_file sal_stored_file;

/** Collective: puts the group, without values, into path.part, a whole cube, in place of the one it has, claims the disk
 *  space of the values, and opens the file to fill it.  After a failure, too, sal_stored_write_close. */
sal_err sal_stored_write_open(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                              sal_stored_file **out);
/** By one rank for itself: writes a trajectory.  at: place in
 *  sweep->stored.cell; configuration: in the cube's order, after the last one the reference; state
 *  [n_mesh + 1][n_state]; mode [n_mesh + 1]: 0 open, 1 closed, 2 ended, 3 left out. */
sal_err sal_stored_write_put(sal_stored_file *file, int64_t at, int config, const double state[],
                             const int8_t mode[]);
/** Collective: the group is whole, or err, the failure before, comes back. */
sal_err sal_stored_write_close(sal_stored_file **file, sal_err err);

/** Does a cube have the group? */
sal_err sal_stored_write_exists(const char *path, bool *there);
