/** Cores by the ranks of a node. */
#include "collective_error.h"
#include "doctor_checks.h"
#include "environment.h"
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

static sal_err share(MPI_Comm node)
{
  int cores = 0, ranks = 1;

  SAL_TRY(sal_core_share_count(node, &cores));
  MPI_Comm_size(node, &ranks);
  if (cores > 0) sal_tile_threads_set(cores > ranks ? cores / ranks : 1);
  return SAL_OK;
}

sal_err sal_core_share_set(MPI_Comm comm)
{
  MPI_Comm node;

  if (getenv("OMP_NUM_THREADS")) return SAL_OK;
  SAL_TRY_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  const sal_err err = share(node);
  MPI_Comm_free(&node);
  return err;
}
