/** @file src/driver/row_exchange.c
 *  Counts first, then rows.
 */
#include "row_exchange.h"
#include "collective_error.h"
#include "memory.h"

static sal_err fail_memory(void) { return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map"); }

sal_err sal_row_exchange_begin(MPI_Comm comm, int64_t n, size_t size, sal_row_exchange *x)
{
  *x = (sal_row_exchange){.size = size, .n_out = n};
  SAL_TRY_MPI(MPI_Comm_size(comm, &x->n_rank));
  x->to = sal_alloc((size_t)x->n_rank, sizeof *x->to);
  x->work = sal_alloc((size_t)x->n_rank * 3, sizeof *x->work);
  x->out = sal_alloc((size_t)n + 1, size);
  return x->to && x->work && x->out ? SAL_OK : fail_memory();
}

/* Where what goes to each rank begins, or comes from it; returns the sum. */
static int64_t lay_out(int n, const int count[], int at[])
{
  int64_t sum = 0;

  for (int r = 0; r < n; ++r) {
    at[r] = (int)sum;
    sum += count[r];
  }
  return sum;
}

static sal_err make_room(MPI_Comm comm, sal_row_exchange *x)
{
  int *from = x->work;

  SAL_TRY_MPI(MPI_Alltoall(x->to, 1, MPI_INT, from, 1, MPI_INT, comm));
  x->n_in = lay_out(x->n_rank, from, from + x->n_rank);
  lay_out(x->n_rank, x->to, from + 2 * (ptrdiff_t)x->n_rank);
  x->in = sal_alloc((size_t)x->n_in + 1, x->size);
  return sal_collective_error(comm, x->in ? SAL_OK : fail_memory());
}

static sal_err move_rows(MPI_Comm comm, MPI_Datatype row, sal_row_exchange *x)
{
  const int *from = x->work, *at = from + x->n_rank, *to_at = at + x->n_rank;

  SAL_TRY_MPI(MPI_Alltoallv(x->out, x->to, to_at, row, x->in, from, at, row, comm));
  return SAL_OK;
}

sal_err sal_row_exchange_run(MPI_Comm comm, sal_err here, sal_row_exchange *x)
{
  MPI_Datatype row;

  SAL_TRY(sal_collective_error(comm, here));
  SAL_TRY(make_room(comm, x));
  SAL_TRY_MPI(MPI_Type_contiguous((int)x->size, MPI_BYTE, &row));
  SAL_TRY_MPI(MPI_Type_commit(&row));
  const sal_err err = move_rows(comm, row, x);
  MPI_Type_free(&row);
  return err;
}

void sal_row_exchange_free(sal_row_exchange *x)
{
  sal_free(x->to);
  sal_free(x->work);
  sal_free(x->out);
  sal_free(x->in);
  *x = (sal_row_exchange){0};
}
