/** Nodes: data that the ranks of one share, and messages between the leaders of all. */
#pragma once

#include "node_words.h"
#include "pool.h"
#include <stdatomic.h>

/* The ranks of a node share a queue of tiles, and a log of those finished.
 *
 * Both are words that they share (node_words.h).  The node's leader alone appends to the queue and reads the log. */

/** Words that are counted, or set once. */
typedef enum {
  SAL_NODE_NEXT,    /* place of the queue that the next rank to ask gets */
  SAL_NODE_FILLED,  /* places that hold a tile */
  SAL_NODE_ENDED,   /* nothing will be appended any more */
  SAL_NODE_STOPPED, /* nothing may be begun any more */
  SAL_NODE_LOGGED,  /* places of the log that are taken */
  SAL_NODE_WORK,    /* work done, tiles in hand included, in the caller's units */
  SAL_NODE_CELLS,   /* cells done, tiles in hand included */
  SAL_NODE_LEFT,    /* ranks that have gone */
  SAL_NODE_HALT,    /* not by MPI, see sal_node.halt */
  SAL_NODE_WORDS
} sal_node_word;

/** Zero is none. */
typedef struct {
  sal_node_ranks ranks;
  sal_node_words words;
  int64_t n_tile, read; /* read: entries of the log that the leader has */
  atomic_int *halt;     /* a flag for any thread, which no MPI call stands before */
} sal_node;

/** Collective over comm: finds the nodes, and makes room for n_tile tiles.  Rank 0 leads the first node. */
sal_err sal_node_open(MPI_Comm comm, int64_t n_tile, sal_node *node);
/** Collective. */
void sal_node_close(sal_node *node);

/** Adds to a word and returns its value before; by = 0 reads. */
sal_err sal_node_add(sal_node *node, sal_node_word word, int64_t by, int64_t *before);
/** Sets a word to 1. */
sal_err sal_node_set(sal_node *node, sal_node_word word);

/** Leader: appends tiles to the queue. */
sal_err sal_node_append(sal_node *node, int64_t n, const int64_t tile[]);
/** The tile at a place of the queue that is filled. */
sal_err sal_node_tile(sal_node *node, int64_t place, int64_t *tile);

/** Enters a finished tile into the log. */
sal_err sal_node_log(sal_node *node, int64_t tile, double seconds);
/** Leader: the next entry of the log; *found is false when it is not there yet. */
sal_err sal_node_read_log(sal_node *node, bool *found, int64_t *tile, double *seconds);

/* Messages between the leaders of the nodes.
 *
 * The first leader has the pool of tiles that no node has yet; the others request chunks and
 * report what their nodes have finished.  Two-sided messages only: one-sided access across nodes
 * stalls while its target computes.  Nothing here waits: sal_node_leader_poll does what can be
 * done at once, and is to be called between pieces of work.
 *
 * To the first leader: {wants a chunk?, goes?, stop?, work and cells done, n, n times tile and
 * nanoseconds}. From it: {kind, tiles ..}.  An answer to each wish, CHUNK or END; STOP to all when
 * a rank wants to stop; GO to a leader that goes, after which neither sends the other anything. */

typedef struct sal_node_leader sal_node_leader;

/** Collective over the leaders.  pool: borrowed, of the first leader; NULL on the others. */
sal_err sal_node_leader_create(sal_node *node, sal_pool *pool, sal_node_leader **out);
void sal_node_leader_destroy(sal_node_leader **leader);

/** Answers, requests a chunk as soon as less than a tile for each rank of the node is left in its
 *  queue, appends what has come, reports, and passes on a stop. */
sal_err sal_node_leader_poll(sal_node_leader *leader);

/** This leader's node has nothing more to do, or is not to begin anything: *gone is true when no
 *  message will come or go any more.  Between two calls: a nap and sal_node_leader_poll. */
sal_err sal_node_leader_go(sal_node_leader *leader, bool *gone);

/** Work and cells done so far on all nodes, by their last reports (sal_sched_work); on other
 *  leaders than the first: of this node. */
sal_err sal_node_leader_work(sal_node_leader *leader, int64_t *work, int64_t *cells);

/** Messages sent so far. */
int64_t sal_node_leader_messages(const sal_node_leader *leader);

/* Beats between the hosts of a program, from MPI's start to its end: a host that vanished without a
 * word (power, cable) would leave the others waiting for ever.
 *
 * A thread of its own on the first rank of each host exchanges beats with that of the first host,
 * both ways, so that neither a long trajectory nor a collective call makes a host silent.
 * A host is lost when nothing has come from it for as long as the patience is.  Only time in which
 * this thread looked counts: a job that was suspended does not accuse the others when it wakes up.
 * One watch in a process.  Takes MPI_THREAD_MULTIPLE; there is none without it, or on one host. */

enum { SAL_HEARTBEAT_TEXT = 512 };

/** Called once, by the thread that listens, and not to return where the program is to end: hosts
 *  that are lost, as in "h2, h3 and 5 more", and how long [s] the first of them has been silent. */
typedef void sal_heartbeat_lost(const char *hosts, double seconds);

/** Collective over comm, once.  patience [s]: INFINITY to listen and do nothing. */
sal_err sal_heartbeat_start(MPI_Comm comm, double patience, sal_heartbeat_lost *lost);
/** Collective over the comm of the start; nothing happens where nothing was started. */
void sal_heartbeat_stop(void);

/** From now on.  Ranks may change it at different times: a host counts as lost when it has been
 *  silent for the longer of this patience and the one that it sent last. */
void sal_heartbeat_set_patience(double seconds);

/** Hosts that two beats or more have not come from, as above; false when there are none, or on ranks
 *  that do not listen. */
bool sal_heartbeat_silent(char hosts[SAL_HEARTBEAT_TEXT], double *seconds);
