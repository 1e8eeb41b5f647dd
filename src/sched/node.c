/** The shared window: words, queue [n_tile], log of tiles and of nanoseconds [n_tile] each. */
#include "node.h"
#include "collective_error.h"
#include <math.h>

static sal_err split_into_nodes(MPI_Comm comm, sal_node *node)
{
  const int rank = sal_collective_rank(comm);
  SAL_TRY_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node->comm));
  node->rank = sal_collective_rank(node->comm);
  node->n_rank = sal_collective_ranks(node->comm);
  SAL_TRY_MPI(MPI_Comm_split(comm, node->rank == 0 ? 0 : MPI_UNDEFINED, rank, &node->leaders));
  if (node->leaders != MPI_COMM_NULL) SAL_TRY_MPI(MPI_Comm_size(node->leaders, &node->n_node));
  SAL_TRY_MPI(MPI_Bcast(&node->n_node, 1, MPI_INT, 0, node->comm));
  return SAL_OK;
}

/* The leader's memory as this process sees it. */
static sal_err find_halt(sal_node *node)
{
  MPI_Aint bytes;
  int unit;
  int64_t *word;

  SAL_TRY_MPI(MPI_Win_shared_query(node->window, 0, &bytes, &unit, &word));
  node->halt = (atomic_int *)(void *)&word[SAL_NODE_HALT];
  return SAL_OK;
}

sal_err sal_node_open(MPI_Comm comm, int64_t n_tile, sal_node *node)
{
  int64_t *word;

  *node = SAL_NODE_NONE;
  node->n_tile = n_tile;
  SAL_TRY(split_into_nodes(comm, node));
  const int64_t words = node->rank == 0 ? SAL_NODE_WORDS + 3 * n_tile : 0;
  const MPI_Aint bytes = words * (MPI_Aint)sizeof *word;
  SAL_TRY_MPI(MPI_Win_allocate_shared(bytes, sizeof *word, MPI_INFO_NULL, node->comm, &word,
                                      &node->window));
  /* plain stores become visible to all by a sync on both sides of a barrier (MPI 3.1, 11.7) */
  SAL_TRY_MPI(MPI_Win_lock_all(MPI_MODE_NOCHECK, node->window));
  for (int64_t i = 0; i < words; ++i) word[i] = 0;
  SAL_TRY_MPI(MPI_Win_sync(node->window));
  SAL_TRY_MPI(MPI_Barrier(node->comm));
  SAL_TRY_MPI(MPI_Win_sync(node->window));
  return find_halt(node);
}

void sal_node_close(sal_node *node)
{
  if (node->window != MPI_WIN_NULL) {
    MPI_Win_unlock_all(node->window);
    MPI_Win_free(&node->window);
  }
  if (node->leaders != MPI_COMM_NULL) MPI_Comm_free(&node->leaders);
  if (node->comm != MPI_COMM_NULL) MPI_Comm_free(&node->comm);
}

static sal_err fetch_word(sal_node *node, int64_t place, MPI_Op op, int64_t value, int64_t *before)
{
  SAL_TRY_MPI(MPI_Fetch_and_op(&value, before, MPI_INT64_T, 0, place, op, node->window));
  SAL_TRY_MPI(MPI_Win_flush(0, node->window));
  return SAL_OK;
}

static sal_err replace_word(sal_node *node, int64_t place, int64_t value)
{
  int64_t before;

  return fetch_word(node, place, MPI_REPLACE, value, &before);
}

static int64_t queue_place(int64_t place) { return SAL_NODE_WORDS + place; }

static int64_t log_place(const sal_node *node, int64_t place, int column)
{
  return SAL_NODE_WORDS + (1 + column) * node->n_tile + place;
}

sal_err sal_node_add(sal_node *node, sal_node_word word, int64_t by, int64_t *before)
{
  return fetch_word(node, word, MPI_SUM, by, before);
}

sal_err sal_node_set(sal_node *node, sal_node_word word) { return replace_word(node, word, 1); }

sal_err sal_node_append(sal_node *node, int64_t n, const int64_t tile[])
{
  int64_t filled;

  SAL_TRY(sal_node_add(node, SAL_NODE_FILLED, 0, &filled));
  for (int64_t i = 0; i < n; ++i) SAL_TRY(replace_word(node, queue_place(filled + i), tile[i]));
  return sal_node_add(node, SAL_NODE_FILLED, n, &filled);
}

sal_err sal_node_tile(sal_node *node, int64_t place, int64_t *tile)
{
  return fetch_word(node, queue_place(place), MPI_SUM, 0, tile);
}

/* The tile is written last, and as a number from 1 on: until then the entry is not there. */
sal_err sal_node_log(sal_node *node, int64_t tile, double seconds)
{
  const double nanoseconds = fmin(fmax(1e9 * seconds, 0), 9e18);
  int64_t place;

  SAL_TRY(sal_node_add(node, SAL_NODE_LOGGED, 1, &place));
  SAL_TRY(replace_word(node, log_place(node, place, 1), (int64_t)nanoseconds));
  return replace_word(node, log_place(node, place, 0), tile + 1);
}

sal_err sal_node_read_log(sal_node *node, bool *found, int64_t *tile, double *seconds)
{
  int64_t nanoseconds;

  *found = false;
  if (node->read == node->n_tile) return SAL_OK;
  SAL_TRY(fetch_word(node, log_place(node, node->read, 0), MPI_SUM, 0, tile));
  if (*tile == 0) return SAL_OK;
  SAL_TRY(fetch_word(node, log_place(node, node->read, 1), MPI_SUM, 0, &nanoseconds));
  *found = true;
  *seconds = 1e-9 * (double)nanoseconds;
  --*tile;
  ++node->read;
  return SAL_OK;
}
