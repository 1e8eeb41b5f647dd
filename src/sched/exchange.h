/** A sparse exchange: each rank has messages for some others, and no rank counts what will come to it.
 *
 *  A message counts as sent when it is received; a rank that has sent all of its messages enters a barrier, and goes on to
 *  receive until all ranks are there (T. Hoefler et al., PPoPP 2010).
 */
#pragma once

#include "err.h"
#include <mpi.h>
#include <stdint.h>

/** bytes [n] stay as they are until the exchange ends; owned: freed with sal_free once they are sent, or NULL. */
typedef struct {
  int to; /* < 0: there is none left */
  const void *bytes;
  int64_t n;
  void *owned;
} sal_exchange_message;

/** next: fills a message, whose `to` is -1 before.  take: of any rank, in any order, this one among them; bytes are borrowed. */
typedef struct {
  sal_err (*next)(void *with, sal_exchange_message *message);
  sal_err (*take)(void *with, const char *bytes, int64_t n);
  void *with;
} sal_exchange;

/** Collective over comm, which no other message of its tag is under way in.  A rank that fails sends no more and drops what
 *  comes; its failure is that of all ranks (collective_error.h). */
sal_err sal_exchange_run(MPI_Comm comm, const sal_exchange *exchange);

/** Number of the first item of a rank, where n items are dealt out evenly. */
static inline int64_t sal_exchange_first(int64_t n, int rank, int n_rank)
{
  return n / n_rank * rank + n % n_rank * rank / n_rank;
}
/** The rank that has an item. */
static inline int sal_exchange_owner(int64_t n, int n_rank, int64_t item)
{
  int low = 0, high = n_rank - 1;

  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (sal_exchange_first(n, middle, n_rank) <= item)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}
