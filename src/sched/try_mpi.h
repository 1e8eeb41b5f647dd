/** @file src/sched/try_mpi.h
 *  MPI's return codes as ours.
 */
#ifndef SAL_TRY_MPI_H
#define SAL_TRY_MPI_H

#include "err.h"
#include <mpi.h>

#define SAL_TRY_MPI(call)                                                                          \
  do {                                                                                             \
    if ((call) != MPI_SUCCESS) return sal_fail(SAL_ERR_COMM, "MPI failed in " #call);              \
  } while (0)

#endif
