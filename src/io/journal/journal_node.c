/** Words in a shared window on the node's first rank.  Every access is an atomic operation of MPI
 *  on the node's memory, which takes about 0.1 us.
 */
#include "base.h"
#include "collective_error.h"
#include "journal_private.h"
#include <time.h>

enum { SHORTEST_NAP = 1000, LONGEST_NAP = 500000 }; /* [ns] of a rank that waits for its turn */

static sal_err number_nodes(MPI_Comm comm, sal_journal_node *node)
{
  const int64_t leads = node->rank == 0;
  int64_t before = 0;

  const int rank = sal_collective_rank(comm);
  SAL_TRY_MPI(MPI_Exscan(&leads, &before, 1, MPI_INT64_T, MPI_SUM, comm));
  node->number = rank == 0 ? 0 : before;
  SAL_TRY_MPI(MPI_Bcast(&node->number, 1, MPI_INT64_T, 0, node->comm));
  SAL_TRY_MPI(MPI_Allreduce(&leads, &node->n_node, 1, MPI_INT64_T, MPI_SUM, comm));
  return SAL_OK;
}

sal_err sal_journal_node_find(MPI_Comm comm, sal_journal_node **node)
{
  *node = sal_alloc(1, sizeof **node);
  SAL_TRY(sal_collective_error(
      comm, *node ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for the ranks of a node")));
  assert(*node);
  const int rank = sal_collective_rank(comm);
  SAL_TRY_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &(*node)->comm));
  (*node)->rank = sal_collective_rank((*node)->comm);
  (*node)->n_rank = sal_collective_ranks((*node)->comm);
  return number_nodes(comm, *node);
}

void sal_journal_node_free(sal_journal_node **node)
{
  if (!*node) return;
  if ((*node)->n_rank > 0) MPI_Comm_free(&(*node)->comm);
  sal_free(*node);
  *node = NULL;
}

sal_err sal_journal_share_open(const sal_journal_node *node, sal_journal_share *share)
{
  const int64_t words = node->rank == 0 ? SAL_JOURNAL_WORDS : 0;
  const MPI_Aint bytes = words * (MPI_Aint)sizeof(int64_t);
  int64_t *word;

  SAL_TRY_MPI(MPI_Win_allocate_shared(bytes, sizeof *word, MPI_INFO_NULL, node->comm, &word,
                                      &share->window));
  share->open = true;
  /* plain stores become visible to all by a sync on both sides of a barrier (MPI 3.1, 11.7) */
  SAL_TRY_MPI(MPI_Win_lock_all(MPI_MODE_NOCHECK, share->window));
  for (int64_t i = 0; i < words; ++i) word[i] = 0;
  SAL_TRY_MPI(MPI_Win_sync(share->window));
  SAL_TRY_MPI(MPI_Barrier(node->comm));
  SAL_TRY_MPI(MPI_Win_sync(share->window));
  return SAL_OK;
}

void sal_journal_share_close(sal_journal_share *share)
{
  if (!share->open) return;
  MPI_Win_unlock_all(share->window);
  MPI_Win_free(&share->window);
  *share = (sal_journal_share){0};
}

static sal_err fetch_word(const sal_journal_share *s, sal_journal_word word, MPI_Op op,
                          int64_t value, int64_t *before)
{
  SAL_TRY_MPI(MPI_Fetch_and_op(&value, before, MPI_INT64_T, 0, word, op, s->window));
  SAL_TRY_MPI(MPI_Win_flush(0, s->window));
  return SAL_OK;
}

sal_err sal_journal_share_get(const sal_journal_share *s, sal_journal_word word, int64_t *value)
{
  return fetch_word(s, word, MPI_SUM, 0, value);
}

sal_err sal_journal_share_set(const sal_journal_share *s, sal_journal_word word, int64_t value)
{
  int64_t before;

  return fetch_word(s, word, MPI_REPLACE, value, &before);
}

sal_err sal_journal_share_swap(const sal_journal_share *s, sal_journal_word word, int64_t from,
                               int64_t to, bool *was)
{
  int64_t before;

  SAL_TRY_MPI(MPI_Compare_and_swap(&to, &from, &before, MPI_INT64_T, 0, word, s->window));
  SAL_TRY_MPI(MPI_Win_flush(0, s->window));
  *was = before == from;
  return SAL_OK;
}

/* Naps, since the rank that writes may need this one's core. */
sal_err sal_journal_share_lock(const sal_journal_share *s)
{
  bool mine = false;

  for (long nap = SHORTEST_NAP;; nap = nap < LONGEST_NAP ? 2 * nap : nap) {
    SAL_TRY(sal_journal_share_swap(s, SAL_JOURNAL_HELD, 0, 1, &mine));
    if (mine) return SAL_OK;
    nanosleep(&(struct timespec){0, nap}, NULL);
  }
}

sal_err sal_journal_share_unlock(const sal_journal_share *s)
{
  return sal_journal_share_set(s, SAL_JOURNAL_HELD, 0);
}
