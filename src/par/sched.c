/** @file src/par/sched.c
 *  Tiles from a counter in a shared window of the node communicator.
 */
#include "sched.h"
#include "memory.h"

enum { NEXT, DONE, N_COUNTER, LEAST_TILES = 4, MOST_CELLS = 64 };

struct sal_sched {
  MPI_Comm node;
  MPI_Win  window; /* N_COUNTER int64 on the node's rank 0 */
  int64_t  n_cell, tile;
  int64_t  n_tile; /* of this node */
  int      node_index, n_node;
};

#define SAL_TRY_MPI(call)                                                                          \
  do {                                                                                             \
    if ((call) != MPI_SUCCESS) return sal_fail(SAL_ERR_COMM, "MPI failed in " #call);              \
  } while (0)

int64_t sal_sched_tile_size(int64_t n_cell, int n_rank)
{
  const int64_t pieces = (int64_t)LEAST_TILES * n_rank, size = (n_cell + pieces - 1) / pieces;

  return size < 1 ? 1 : size > MOST_CELLS ? MOST_CELLS : size;
}

/* Nodes are numbered by their leaders' ranks. */
static sal_err find_node(MPI_Comm comm, sal_sched *s)
{
  int      rank, local;
  MPI_Comm leaders;

  SAL_TRY_MPI(MPI_Comm_rank(comm, &rank));
  SAL_TRY_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &s->node));
  SAL_TRY_MPI(MPI_Comm_rank(s->node, &local));
  SAL_TRY_MPI(MPI_Comm_split(comm, local == 0 ? 0 : MPI_UNDEFINED, rank, &leaders));
  int place[2] = {0, 0};
  if (leaders != MPI_COMM_NULL) {
    SAL_TRY_MPI(MPI_Comm_rank(leaders, &place[0]));
    SAL_TRY_MPI(MPI_Comm_size(leaders, &place[1]));
    SAL_TRY_MPI(MPI_Comm_free(&leaders));
  }
  SAL_TRY_MPI(MPI_Bcast(place, 2, MPI_INT, 0, s->node));
  s->node_index = place[0];
  s->n_node     = place[1];
  return SAL_OK;
}

sal_err sal_sched_create(MPI_Comm comm, int64_t n_cell, int64_t tile, sal_sched **out)
{
  sal_sched *s = *out = sal_alloc(1, sizeof *s);
  int        local;
  int64_t   *counter;

  if (!s) return sal_fail(SAL_ERR_MEMORY, "no memory for the schedule");
  *s = (sal_sched){.node = MPI_COMM_NULL, .window = MPI_WIN_NULL, .n_cell = n_cell, .tile = tile};
  SAL_TRY(find_node(comm, s));
  const int64_t all = (n_cell + tile - 1) / tile;
  s->n_tile         = (all - s->node_index + s->n_node - 1) / s->n_node;
  SAL_TRY_MPI(MPI_Comm_rank(s->node, &local));
  const MPI_Aint bytes = local == 0 ? N_COUNTER * (MPI_Aint)sizeof *counter : 0;
  SAL_TRY_MPI(MPI_Win_allocate_shared(bytes, sizeof *counter, MPI_INFO_NULL, s->node, &counter,
                                      &s->window));
  if (local == 0) counter[NEXT] = counter[DONE] = 0;
  SAL_TRY_MPI(MPI_Barrier(s->node));
  SAL_TRY_MPI(MPI_Win_lock_all(MPI_MODE_NOCHECK, s->window));
  return SAL_OK;
}

void sal_sched_destroy(sal_sched **sched)
{
  sal_sched *s = *sched;

  if (!s) return;
  if (s->window != MPI_WIN_NULL) {
    MPI_Win_unlock_all(s->window);
    MPI_Win_free(&s->window);
  }
  if (s->node != MPI_COMM_NULL) MPI_Comm_free(&s->node);
  sal_free(s);
  *sched = NULL;
}

static sal_err add(sal_sched *s, int counter, int64_t by, int64_t *before)
{
  SAL_TRY_MPI(MPI_Fetch_and_op(&by, before, MPI_INT64_T, 0, counter, MPI_SUM, s->window));
  SAL_TRY_MPI(MPI_Win_flush(0, s->window));
  return SAL_OK;
}

sal_err sal_sched_next(sal_sched *s, sal_tile *tile, bool *more)
{
  int64_t mine;

  SAL_TRY(add(s, NEXT, 1, &mine));
  *more = mine < s->n_tile;
  if (!*more) return SAL_OK;
  tile->first = (mine * s->n_node + s->node_index) * s->tile;
  tile->count = s->n_cell - tile->first < s->tile ? s->n_cell - tile->first : s->tile;
  return SAL_OK;
}

sal_err sal_sched_finished(sal_sched *s, int64_t cells)
{
  int64_t before;

  return add(s, DONE, cells, &before);
}

sal_err sal_sched_progress(sal_sched *s, int64_t *done, int64_t *all)
{
  const int64_t last =
      ((s->n_tile - 1) * s->n_node + s->node_index) * s->tile; /* last tile's first */

  *all = s->n_tile == 0 ? 0
                        : (s->n_tile - 1) * s->tile +
                              (s->n_cell - last < s->tile ? s->n_cell - last : s->tile);
  return add(s, DONE, 0, done);
}

sal_err sal_reduce_range(MPI_Comm comm, int n, double lo[], double hi[])
{
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, lo, n, MPI_DOUBLE, MPI_MIN, comm));
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, hi, n, MPI_DOUBLE, MPI_MAX, comm));
  return SAL_OK;
}
