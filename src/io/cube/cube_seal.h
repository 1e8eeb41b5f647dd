/** @file src/io/cube/cube_seal.h
 *  What is known of the metrics only when all are written: checksums, and which counts are missing.
 */
#ifndef SAL_CUBE_SEAL_H
#define SAL_CUBE_SEAL_H

#include "block_sums.h"
#include "err.h"
#include "sweep.h"
#include <mpi.h>
#include <stdbool.h>

/** This rank's share; zero at first, but for blocks.n_cell.  sal_block_sums_free(&blocks) frees it. */
typedef struct {
  uint64_t sum[SAL_BLOCK_METRICS];       /* of checksums */
  uint64_t missing[SAL_BLOCK_METRICS];   /* values */
  uint64_t column[1 + SAL_MAX_QUANTITY]; /* checksums of what is along cells */
  sal_block_sums blocks;
} sal_cube_seal_share;

/** Adds metric number i (sal_block_metric) of `count` cells from `first` on: `each` values of a cell,
 *  packed.  They follow those added before of the metric that has begun in share->blocks. */
void sal_cube_seal_add(sal_cube_seal_share *share, int i, int64_t first, int64_t count, int each,
                       const void *packed);

/** Collective.  The shares of all ranks in the metrics that the sweep asks for into path.part, which is closed: its checksums become
 *  valid, counts that are missing somewhere get their _FillValue, and the cube its seal. */
SAL_MUST_CHECK sal_err sal_cube_seal(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                                     sal_cube_seal_share *share);

#endif
