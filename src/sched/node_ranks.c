/** Which ranks share memory. */
#include "collective_error.h"
#include "node_words.h"

sal_err sal_node_ranks_find(MPI_Comm comm, sal_node_ranks *node)
{
  const int rank = sal_collective_rank(comm);
  int place[2] = {0, 0};

  *node = (sal_node_ranks){.comm = MPI_COMM_NULL, .leaders = MPI_COMM_NULL};
  SAL_TRY_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node->comm));
  node->rank = sal_collective_rank(node->comm);
  node->n_rank = sal_collective_ranks(node->comm);
  SAL_TRY_MPI(MPI_Comm_split(comm, node->rank == 0 ? 0 : MPI_UNDEFINED, rank, &node->leaders));
  if (node->leaders != MPI_COMM_NULL) {
    place[0] = sal_collective_rank(node->leaders);
    place[1] = sal_collective_ranks(node->leaders);
  }
  SAL_TRY_MPI(MPI_Bcast(place, 2, MPI_INT, 0, node->comm));
  node->number = place[0];
  node->n_node = place[1];
  return SAL_OK;
}

void sal_node_ranks_free(sal_node_ranks *node)
{
  if (node->n_rank == 0) return;
  if (node->leaders != MPI_COMM_NULL) MPI_Comm_free(&node->leaders);
  MPI_Comm_free(&node->comm);
  *node = (sal_node_ranks){.n_rank = 0};
}
