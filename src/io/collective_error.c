/** @file src/io/collective_error.c
 *  Ranks that fail together.
 */
#include "collective_error.h"
#include <stdio.h>

sal_err sal_collective_error_fail(int mpi_code)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int  length;

  MPI_Error_string(mpi_code, text, &length);
  return sal_fail(SAL_ERR_COMM, "MPI: %s", text);
}

sal_err sal_collective_error(MPI_Comm comm, sal_err here)
{
  struct {
    sal_err code;
    char    text[2048];
  } failure = {.code = here};
  int rank, size, first;

  SAL_TRY_MPI(MPI_Comm_rank(comm, &rank));
  SAL_TRY_MPI(MPI_Comm_size(comm, &size));
  const int mine = here == SAL_OK ? size : rank;
  SAL_TRY_MPI(MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm));
  if (first == size) return SAL_OK;

  if (rank == first) snprintf(failure.text, sizeof failure.text, "%s", sal_err_message());
  SAL_TRY_MPI(MPI_Bcast(&failure, (int)sizeof failure, MPI_BYTE, first, comm));
  if (rank != first) sal_err_clear(); /* one story on all ranks */
  return rank == first ? here : sal_fail(failure.code, "%s", failure.text);
}
