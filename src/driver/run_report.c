/** @file src/driver/run_report.c
 *  The times of all ranks on the first one.
 */
#include "run_report.h"
#include "collective_error.h"
#include "memory.h"

sal_err sal_run_report_gather(MPI_Comm comm, const sal_run_use *mine, sal_run_use **use)
{
  int rank, n, ready;

  *use = NULL;
  SAL_TRY_MPI(MPI_Comm_rank(comm, &rank));
  SAL_TRY_MPI(MPI_Comm_size(comm, &n));
  if (rank == 0) *use = sal_alloc((size_t)n, sizeof **use);
  ready = *use != NULL;
  SAL_TRY_MPI(MPI_Bcast(&ready, 1, MPI_INT, 0, comm));
  if (ready)
    SAL_TRY_MPI(MPI_Gather(mine, sizeof *mine, MPI_BYTE, *use, sizeof *mine, MPI_BYTE, 0, comm));
  return SAL_OK;
}
