/** @file src/io/cube/cube_seal.h
 *  What is known of the metrics only when all are written: checksums, and which counts are missing.
 */
#ifndef SAL_CUBE_SEAL_H
#define SAL_CUBE_SEAL_H

#include "datatype.h"
#include "err.h"
#include "sweep.h"
#include <mpi.h>
#include <stdbool.h>

/** This rank's share; zero at first. */
typedef struct {
  uint64_t sum[SAL_N_METRIC + SAL_N_CELL_METRIC];     /* of checksums */
  uint64_t missing[SAL_N_METRIC + SAL_N_CELL_METRIC]; /* values */
  uint64_t column[1 + SAL_MAX_QUANTITY];              /* checksums of what is along cells */
} sal_cube_seal_share;

/** Adds metric m, of cells or of trajectories, of `count` cells from `first` on: `each` values of a
 *  cell, packed. */
void sal_cube_seal_add(sal_cube_seal_share *share, bool of_cell, int m, int64_t first,
                       int64_t count, int each, const void *packed);

/** Collective.  The shares of all ranks in the metrics that the sweep asks for into path.part, which is closed: its checksums become
 *  valid, and counts that are missing somewhere get their _FillValue. */
SAL_MUST_CHECK sal_err sal_cube_seal(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                                     const sal_cube_seal_share *share);

#endif
