/** Ranks that fail together. */
#include "collective_error.h"
#include <stdio.h>

sal_err sal_collective_error_fail(int mpi_code)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;

  MPI_Error_string(mpi_code, text, &length);
  return sal_fail(SAL_ERR_COMM, "MPI: %s", text);
}

int sal_collective_rank(MPI_Comm comm)
{
  int rank = 0;

  if (comm != MPI_COMM_NULL) MPI_Comm_rank(comm, &rank);
  return rank;
}

int sal_collective_ranks(MPI_Comm comm)
{
  int n = 1;

  if (comm != MPI_COMM_NULL) MPI_Comm_size(comm, &n);
  return n;
}

sal_err sal_collective_share(MPI_Comm comm, void *value, size_t bytes)
{
  if (comm != MPI_COMM_NULL) SAL_TRY_MPI(MPI_Bcast(value, (int)bytes, MPI_BYTE, 0, comm));
  return SAL_OK;
}

sal_err sal_collective_error(MPI_Comm comm, sal_err here)
{
  struct {
    sal_err code;
    char text[2048];
  } failure = {.code = here};
  enum { FIRST, MAY_GO_ON, N_WORD };
  const int rank = sal_collective_rank(comm), size = sal_collective_ranks(comm);
  int mine[N_WORD], least[N_WORD];

  if (comm == MPI_COMM_NULL) return here;
  mine[FIRST] = here == SAL_OK ? size : rank;
  mine[MAY_GO_ON] = !sal_err_must_abort();
  SAL_TRY_MPI(MPI_Allreduce(mine, least, N_WORD, MPI_INT, MPI_MIN, comm));
  const int first = least[FIRST];
  if (first == size) return SAL_OK;

  if (rank == first) snprintf(failure.text, sizeof failure.text, "%s", sal_err_message());
  SAL_TRY_MPI(MPI_Bcast(&failure, (int)sizeof failure, MPI_BYTE, first, comm));
  if (rank != first) { /* one message on all ranks */
    sal_err_clear();
    (void)sal_fail(failure.code, "%s", failure.text);
  }
  if (!least[MAY_GO_ON]) sal_err_set_abort();
  return failure.code;
}
