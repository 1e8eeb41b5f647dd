/** @file src/io/journal/journal_node.h
 *  The ranks of a node, and the words that they share while they write to one journal.
 */
#ifndef SAL_JOURNAL_NODE_H
#define SAL_JOURNAL_NODE_H

#include "err.h"
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/** The node of a rank; nodes are numbered by their first ranks. */
typedef struct sal_journal_node {
  MPI_Comm comm;
  int rank, n_rank; /* in the node */
  int64_t number, n_node;
} sal_journal_node;

/** Collective over comm.  Freed, collectively over the node, with sal_journal_node_free. */
SAL_MUST_CHECK sal_err sal_journal_node_find(MPI_Comm comm, sal_journal_node **node);
void sal_journal_node_free(sal_journal_node **node);

/** Words, all 0 at first. */
typedef enum {
  SAL_JOURNAL_HELD,  /* by the rank that writes */
  SAL_JOURNAL_END,   /* [B] of the journal's last whole record */
  SAL_JOURNAL_SINCE, /* [ns] clock of the first record that is not on the disk for sure; 0: none */
  SAL_JOURNAL_WORDS
} sal_journal_word;

typedef struct {
  MPI_Win window;
  bool open;
} sal_journal_share;

/** Collective over the node, as is its close, which does nothing to a share that is zero. */
SAL_MUST_CHECK sal_err sal_journal_share_open(const sal_journal_node *node,
                                              sal_journal_share *share);
void sal_journal_share_close(sal_journal_share *share);

SAL_MUST_CHECK sal_err sal_journal_share_get(const sal_journal_share *share, sal_journal_word word,
                                             int64_t *value);
SAL_MUST_CHECK sal_err sal_journal_share_set(const sal_journal_share *share, sal_journal_word word,
                                             int64_t value);
/** Sets the word to `to` if it is `from`; tells whether it was. */
SAL_MUST_CHECK sal_err sal_journal_share_swap(const sal_journal_share *share, sal_journal_word word,
                                              int64_t from, int64_t to, bool *was);

/** Waits until this rank alone may write.  A rank that is killed meanwhile keeps the others waiting;
 *  it ends the run. */
SAL_MUST_CHECK sal_err sal_journal_share_lock(const sal_journal_share *share);
SAL_MUST_CHECK sal_err sal_journal_share_unlock(const sal_journal_share *share);

#endif
