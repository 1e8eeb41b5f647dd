/** Ranks that fail together: a failure on one is a failure on all, with the same message.
 *
 *  A rank that left a collective operation early would leave the others waiting for ever.
 */
#pragma once

#include "err.h"
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/** Leaves the function when an MPI call fails (where the communicator returns errors at all). */
#define SAL_TRY_MPI(call)                                                                          \
  do {                                                                                             \
    const int sal_try_ = (call);                                                                   \
    if (sal_try_ != MPI_SUCCESS) return sal_collective_error_fail(sal_try_);                       \
  } while (0)
sal_err sal_collective_error_fail(int mpi_code);

/* With MPI_COMM_NULL for comm these functions are of this process alone, in which MPI need not run. */

/** This rank, and how many there are. */
int sal_collective_rank(MPI_Comm comm);
int sal_collective_ranks(MPI_Comm comm);

/** Collective.  Returns the failure of the lowest rank that has one, and its message, everywhere;
 *  where one rank must abort, all must. */
sal_err sal_collective_error(MPI_Comm comm, sal_err here);
/** The same of a call that the first rank alone makes. */
#define sal_collective_first(comm, call)                                                           \
  sal_collective_error(comm, sal_collective_rank(comm) == 0 ? (call) : SAL_OK)

/** Collective.  The value of the first rank on all of them. */
sal_err sal_collective_share(MPI_Comm comm, void *value, size_t bytes);
/** The same of its text, NULL for want of memory; *text of the other ranks is freed with sal_free. */
sal_err sal_collective_share_text(MPI_Comm comm, char **text);

/** Collective.  The items of all ranks, n of `size` bytes of this one, in the order of the ranks: *all, on the
 *  rank `root` or, root < 0, on each, is freed with sal_free, also after a failure; NULL on other ranks.  *n_all
 *  is how many they are, on every rank. */
sal_err sal_collective_gather(MPI_Comm comm, int root, int64_t n, size_t size, const void *mine,
                              int64_t *n_all, void **all);
