/** The shared window: words, queue [n_tile], log of tiles and of nanoseconds [n_tile] each. */
#include "node.h"
#include "collective_error.h"
#include <math.h>

/* The leader's memory as this process sees it. */
static sal_err find_halt(sal_node *node)
{
  MPI_Aint bytes;
  int unit;
  int64_t *word;

  SAL_TRY_MPI(MPI_Win_shared_query(node->words.window, 0, &bytes, &unit, &word));
  node->halt = (atomic_int *)(void *)&word[SAL_NODE_HALT];
  return SAL_OK;
}

sal_err sal_node_open(MPI_Comm comm, int64_t n_tile, sal_node *node)
{
  *node = (sal_node){.n_tile = n_tile};
  SAL_TRY(sal_node_ranks_find(comm, &node->ranks));
  SAL_TRY(sal_node_words_open(&node->ranks, SAL_NODE_WORDS + 3 * n_tile, &node->words));
  return find_halt(node);
}

void sal_node_close(sal_node *node)
{
  sal_node_words_close(&node->words);
  sal_node_ranks_free(&node->ranks);
}

static int64_t queue_place(int64_t place) { return SAL_NODE_WORDS + place; }

static int64_t log_place(const sal_node *node, int64_t place, int column)
{
  return SAL_NODE_WORDS + (1 + column) * node->n_tile + place;
}

sal_err sal_node_add(sal_node *node, sal_node_word word, int64_t by, int64_t *before)
{
  return sal_node_words_add(&node->words, word, by, before);
}

sal_err sal_node_set(sal_node *node, sal_node_word word)
{
  return sal_node_words_set(&node->words, word, 1);
}

sal_err sal_node_append(sal_node *node, int64_t n, const int64_t tile[])
{
  int64_t filled;

  SAL_TRY(sal_node_add(node, SAL_NODE_FILLED, 0, &filled));
  for (int64_t i = 0; i < n; ++i)
    SAL_TRY(sal_node_words_set(&node->words, queue_place(filled + i), tile[i]));
  return sal_node_add(node, SAL_NODE_FILLED, n, &filled);
}

sal_err sal_node_tile(sal_node *node, int64_t place, int64_t *tile)
{
  return sal_node_words_add(&node->words, queue_place(place), 0, tile);
}

/* The tile is written last, and as a number from 1 on: until then the entry is not there. */
sal_err sal_node_log(sal_node *node, int64_t tile, double seconds)
{
  const double nanoseconds = fmin(fmax(1e9 * seconds, 0), 9e18);
  int64_t place;

  SAL_TRY(sal_node_add(node, SAL_NODE_LOGGED, 1, &place));
  SAL_TRY(sal_node_words_set(&node->words, log_place(node, place, 1), (int64_t)nanoseconds));
  return sal_node_words_set(&node->words, log_place(node, place, 0), tile + 1);
}

sal_err sal_node_read_log(sal_node *node, bool *found, int64_t *tile, double *seconds)
{
  int64_t nanoseconds;

  *found = false;
  if (node->read == node->n_tile) return SAL_OK;
  SAL_TRY(sal_node_words_add(&node->words, log_place(node, node->read, 0), 0, tile));
  if (*tile == 0) return SAL_OK;
  SAL_TRY(sal_node_words_add(&node->words, log_place(node, node->read, 1), 0, &nanoseconds));
  *found = true;
  *seconds = 1e-9 * (double)nanoseconds;
  --*tile;
  ++node->read;
  return SAL_OK;
}
