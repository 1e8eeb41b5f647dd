/** @file src/app/core_share.h
 *  Threads of a rank where OMP_NUM_THREADS does not say how many: its share of the cores that the ranks of its node may use.
 */
#ifndef SAL_CORE_SHARE_H
#define SAL_CORE_SHARE_H

#include "err.h"
#include <mpi.h>

/** Collective over comm.  Without OMP_NUM_THREADS the ranks of a node divide the cores that any of them is
 *  allowed to run on; each has one thread at least.  OpenMP alone would give each rank all cores. */
SAL_MUST_CHECK sal_err sal_core_share_set(MPI_Comm comm);

/** Collective over node, the ranks of one: how many cores any of them is allowed to run on; 0: not known. */
SAL_MUST_CHECK sal_err sal_core_share_count(MPI_Comm node, int *cores);

#endif
