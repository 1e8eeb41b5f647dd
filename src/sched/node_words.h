/** The ranks of a node, and words that they share.
 *
 *  Each word has 64 bits, in a shared window on the node's first rank, and every access is an atomic operation of MPI on
 *  the node's memory: 0.1 us, whatever that rank computes meanwhile.  One-sided access stays inside a node.
 */
#pragma once

#include "err.h"
#include <mpi.h>
#include <stdint.h>

/** The ranks of this rank's node; zero is none.  The first rank of a node is its leader. */
typedef struct {
  MPI_Comm comm, leaders; /* leaders: of all nodes, by their ranks; MPI_COMM_NULL on others */
  int rank, n_rank;       /* in this node */
  int number, n_node;     /* nodes are numbered by their leaders, from 0 */
} sal_node_ranks;

/** Collective over comm. */
sal_err sal_node_ranks_find(MPI_Comm comm, sal_node_ranks *node);
/** Collective over the node; harmless on none. */
void sal_node_ranks_free(sal_node_ranks *node);

/** Zero is none. */
typedef struct {
  MPI_Win window;
  bool open;
} sal_node_words;

/** Collective over the node: n words, all 0. */
sal_err sal_node_words_open(const sal_node_ranks *node, int64_t n, sal_node_words *words);
/** Collective over the node; harmless on none. */
void sal_node_words_close(sal_node_words *words);

/** Adds to the word at a place and returns its value before; by = 0 reads. */
sal_err sal_node_words_add(const sal_node_words *words, int64_t place, int64_t by, int64_t *before);
sal_err sal_node_words_set(const sal_node_words *words, int64_t place, int64_t value);
/** Sets the word to `to` if it is `from`; *was: it was. */
sal_err sal_node_words_swap(const sal_node_words *words, int64_t place, int64_t from, int64_t to,
                            bool *was);
