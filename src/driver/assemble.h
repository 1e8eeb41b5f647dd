/** @file src/driver/assemble.h
 *  The cube from journals, in rounds that bound the memory of each rank.
 */
#ifndef SAL_ASSEMBLE_H
#define SAL_ASSEMBLE_H

#include "cube.h"
#include "journal.h"

/** Collective.  Gives the points and writes the cube, kept trajectories included; the journals
 *  hold all cells.  SAL_ERR_STOPPED after a signal.  The failure is
 *  SAL_ERR_COMM when a file is half open in parallel: MPI_Finalize might not return. */
SAL_MUST_CHECK sal_err sal_assemble(const sal_journal *journal, const char *path,
                                    const sal_cube_origin *origin);

#endif
