/** @file src/driver/row_exchange.h
 *  Rows of bytes that change ranks, all at once.
 */
#ifndef SAL_ROW_EXCHANGE_H
#define SAL_ROW_EXCHANGE_H

#include "err.h"
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/** What a rank is given; sal_row_exchange_free frees, also after a failure. */
typedef struct {
  int n_rank;
  size_t size; /* of a row [B] */
  int64_t n_out, n_in;
  int *to;   /* [n_rank] rows for each rank */
  char *out; /* [n_out][size] in the order of the ranks; filled by the caller */
  char *in;  /* [n_in][size] in the order of the ranks that they come from */
  int *work; /* [3 n_rank] */
} sal_row_exchange;

/** Not collective.  Room for n rows of `size` bytes that go out; `to` is zero as yet. */
SAL_MUST_CHECK sal_err sal_row_exchange_begin(MPI_Comm comm, int64_t n, size_t size,
                                              sal_row_exchange *exchange);
/** Collective.  here: of what has been prepared; the failure of one rank is that of all. */
SAL_MUST_CHECK sal_err sal_row_exchange_run(MPI_Comm comm, sal_err here,
                                            sal_row_exchange *exchange);
void sal_row_exchange_free(sal_row_exchange *exchange);

/** Of n items dealt out evenly, those of a rank begin here. */
static inline int64_t sal_row_exchange_first(int64_t n, int rank, int n_rank)
{
  return n / n_rank * rank + n % n_rank * rank / n_rank;
}
/** The rank that has an item. */
static inline int sal_row_exchange_owner(int64_t n, int n_rank, int64_t item)
{
  int low = 0, high = n_rank - 1;

  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (sal_row_exchange_first(n, middle, n_rank) <= item)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

#endif
