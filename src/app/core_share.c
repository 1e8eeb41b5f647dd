/** Cores by the ranks of a node. */
#include "collective_error.h"
#include "doctor_checks.h"
#include "environment.h"
#include "node_words.h"
#include "tile_run.h"
#include <stdlib.h>

/* Ranks that are bound have cores of their own, others all of them: what the node has is the union. */
sal_err sal_core_share_count(MPI_Comm node, int *cores)
{
  unsigned char set[SAL_CORES_BYTES];

  sal_cores_allowed(set);
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, set, SAL_CORES_BYTES, MPI_BYTE, MPI_BOR, node));
  *cores = sal_cores_count(set);
  return SAL_OK;
}

sal_err sal_core_share_set(MPI_Comm comm)
{
  SAL_OWN_BY(sal_node_ranks_free) sal_node_ranks node = {0};
  int cores = 0;

  if (getenv("OMP_NUM_THREADS")) return SAL_OK;
  SAL_TRY(sal_node_ranks_find(comm, &node));
  SAL_TRY(sal_core_share_count(node.comm, &cores));
  if (cores > 0) sal_tile_threads_set(cores > node.n_rank ? cores / node.n_rank : 1);
  return SAL_OK;
}
