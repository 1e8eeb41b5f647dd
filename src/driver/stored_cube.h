/** @file src/driver/stored_cube.h
 *  Chosen cells run once more, and their trajectories put into a cube.
 */
#ifndef SAL_STORED_CUBE_H
#define SAL_STORED_CUBE_H

#include "cube_read.h"
#include "err.h"
#include "sweep.h"
#include <mpi.h>

/** Collective.  Fills the group `trajectories` of path.part, a whole cube of the sweep, with what
 *  sweep->stored selects; path.part keeps its name.  Where `recorded` is not NULL the runs must be
 *  those that this cube holds: outcomes, ends and steps are compared.  A signal ends it with
 *  SAL_ERR_STOPPED, and the message is the caller's to give; after a failure that leaves the file
 *  half open in parallel sal_err_must_abort returns true. */
SAL_MUST_CHECK sal_err sal_stored_cube_fill(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                                            sal_cube_file *recorded);

#endif
