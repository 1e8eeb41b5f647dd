/** @file src/sched/mpi_call.h
 *  A failed MPI call as an error of ours, with the call in the message; a communicator that returns
 *  errors is the exception, so the words need not be better.
 */
#ifndef SAL_MPI_CALL_H
#define SAL_MPI_CALL_H

#include "err.h"
#include <mpi.h>

#define SAL_TRY_MPI_CALL(call)                                                                     \
  do {                                                                                             \
    if ((call) != MPI_SUCCESS) return sal_fail(SAL_ERR_COMM, "MPI failed in " #call);              \
  } while (0)

#endif
