/** Gathers the data of all ranks in one list, and shares a text of the first. */
#include "base.h"
#include "collective_error.h"
#include <limits.h>
#include <string.h>

static sal_err agree(MPI_Comm comm, bool fits)
{
  return sal_collective_error(
      comm, fits ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for what ranks share"));
}

sal_err sal_collective_gather(MPI_Comm comm, int root, int64_t n, size_t size, const void *mine,
                              int64_t *n_all, void **all)
{
  MPI_Datatype type;

  *n_all = 0;
  *all = NULL;
  const int n_rank = sal_collective_ranks(comm);
  SAL_OWN int *count = sal_alloc(2 * (size_t)n_rank, sizeof *count);
  SAL_TRY(agree(comm, count && n <= INT_MAX));
  assert(count);
  int *begin = count + n_rank, here = (int)n;
  if (comm == MPI_COMM_NULL) {
    *n_all = n;
    *all = sal_alloc((size_t)n, size);
    if (*all && n > 0) memcpy(*all, mine, (size_t)n * size);
    return agree(comm, *all);
  }
  SAL_TRY_MPI(MPI_Allgather(&here, 1, MPI_INT, count, 1, MPI_INT, comm));
  for (int r = 0; r < n_rank; ++r) {
    begin[r] = (int)*n_all;
    *n_all += count[r];
  }
  const bool takes = root < 0 || sal_collective_rank(comm) == root;
  if (takes) *all = sal_alloc((size_t)*n_all, size);
  SAL_TRY(agree(comm, (*all || !takes) && *n_all <= INT_MAX));
  SAL_TRY_MPI(MPI_Type_contiguous((int)size, MPI_BYTE, &type));
  SAL_TRY_MPI(MPI_Type_commit(&type));
  SAL_TRY_MPI(root < 0 ? MPI_Allgatherv(mine, here, type, *all, count, begin, type, comm)
                       : MPI_Gatherv(mine, here, type, *all, count, begin, type, root, comm));
  SAL_TRY_MPI(MPI_Type_free(&type));
  return SAL_OK;
}

sal_err sal_collective_share_text(MPI_Comm comm, char **text)
{
  const bool first = sal_collective_rank(comm) == 0;
  size_t size = first && *text ? strlen(*text) + 1 : 0;

  SAL_TRY(sal_collective_share(comm, &size, sizeof size));
  if (!first) *text = sal_alloc(size, 1);
  SAL_TRY(agree(comm, *text && size <= INT_MAX));
  return sal_collective_share(comm, *text, size);
}
