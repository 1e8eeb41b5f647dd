/** @file src/sched/node_leader.h
 *  What the leaders of the nodes tell each other.
 *
 *  The first leader has the pool of tiles that no node has yet; the others ask it for chunks and
 *  report what their nodes have finished.  Two-sided messages only: one-sided access across nodes
 *  stalls while its target computes.  Nothing here waits: sal_node_leader_poll does what can be
 *  done at once, and is to be called between pieces of work.
 *
 *  To the first leader: {wants a chunk?, goes?, stop?, work and cells done, n, n times tile and
 *  nanoseconds}. From it: {kind, tiles ..}.  An answer to each wish, CHUNK or END; STOP to all when
 *  a rank wants to stop; GO to a leader that goes, after which neither sends the other anything.
 */
#ifndef SAL_NODE_LEADER_H
#define SAL_NODE_LEADER_H

#include "node.h"
#include "pool.h"

typedef struct sal_node_leader sal_node_leader;

/** Collective over the leaders.  pool: borrowed, of the first leader; NULL on the others. */
SAL_MUST_CHECK sal_err sal_node_leader_create(sal_node *node, sal_pool *pool,
                                              sal_node_leader **out);
void sal_node_leader_destroy(sal_node_leader **leader);

/** Answers, asks for a chunk as soon as less than a tile for each rank of the node is left in its
 *  queue, appends what has come, reports, and passes on a stop. */
SAL_MUST_CHECK sal_err sal_node_leader_poll(sal_node_leader *leader);

/** This leader's node has nothing more to do, or is not to begin anything: *gone is true when no
 *  message will come or go any more.  Between two calls: a nap and sal_node_leader_poll. */
SAL_MUST_CHECK sal_err sal_node_leader_go(sal_node_leader *leader, bool *gone);

/** Work and cells done so far on all nodes, by their last reports (sal_sched_work); on other
 *  leaders than the first: of this node. */
SAL_MUST_CHECK sal_err sal_node_leader_work(sal_node_leader *leader, int64_t *work, int64_t *cells);

/** Messages sent so far. */
int64_t sal_node_leader_messages(const sal_node_leader *leader);

#endif
