/** Words in a shared window. */
#include "node_words.h"
#include "collective_error.h"

sal_err sal_node_words_open(const sal_node_ranks *node, int64_t n, sal_node_words *words)
{
  const int64_t here = node->rank == 0 ? n : 0;
  const MPI_Aint bytes = here * (MPI_Aint)sizeof(int64_t);
  int64_t *word;

  SAL_TRY_MPI(MPI_Win_allocate_shared(bytes, sizeof *word, MPI_INFO_NULL, node->comm, &word,
                                      &words->window));
  words->open = true;
  /* plain stores become visible to all by a sync on both sides of a barrier (MPI 3.1, 11.7) */
  SAL_TRY_MPI(MPI_Win_lock_all(MPI_MODE_NOCHECK, words->window));
  for (int64_t i = 0; i < here; ++i) word[i] = 0;
  SAL_TRY_MPI(MPI_Win_sync(words->window));
  SAL_TRY_MPI(MPI_Barrier(node->comm));
  SAL_TRY_MPI(MPI_Win_sync(words->window));
  return SAL_OK;
}

void sal_node_words_close(sal_node_words *words)
{
  if (!words->open) return;
  MPI_Win_unlock_all(words->window);
  MPI_Win_free(&words->window);
  *words = (sal_node_words){.open = false};
}

static sal_err fetch(const sal_node_words *words, int64_t place, MPI_Op op, int64_t value,
                     int64_t *before)
{
  SAL_TRY_MPI(MPI_Fetch_and_op(&value, before, MPI_INT64_T, 0, place, op, words->window));
  SAL_TRY_MPI(MPI_Win_flush(0, words->window));
  return SAL_OK;
}

sal_err sal_node_words_add(const sal_node_words *words, int64_t place, int64_t by, int64_t *before)
{
  return fetch(words, place, MPI_SUM, by, before);
}

sal_err sal_node_words_set(const sal_node_words *words, int64_t place, int64_t value)
{
  int64_t before;

  return fetch(words, place, MPI_REPLACE, value, &before);
}

sal_err sal_node_words_swap(const sal_node_words *words, int64_t place, int64_t from, int64_t to,
                            bool *was)
{
  int64_t before;

  SAL_TRY_MPI(MPI_Compare_and_swap(&to, &from, &before, MPI_INT64_T, 0, place, words->window));
  SAL_TRY_MPI(MPI_Win_flush(0, words->window));
  *was = before == from;
  return SAL_OK;
}
