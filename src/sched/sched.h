/** The distribution of tiles over ranks.  The only place that distributes work.
 *
 *  Two levels.  Inside a node the ranks draw tiles, heaviest first, from a queue guarded by a counter
 *  in shared memory (node.h).  Between nodes their leaders ask the first one by messages for
 *  chunks of tiles, which shrink as the work runs out, before their queue is empty (node.h,
 *  pool.h).  Costs are estimated from the tiles that are finished.  One-sided access stays inside
 *  the node on purpose: across nodes it stalls while the target computes.
 *
 *  Only the thread that called MPI_Init_thread may call these functions.  A rank that waits sleeps.
 */
#pragma once

#include "err.h"
#include "tile.h"
#include <mpi.h>
#include <stdatomic.h>

typedef struct sal_sched sal_sched;

/** Collective over comm, which must outlive the schedule.  All ranks give the same tiles, none or
 *  more, which share no cell, in any order, and the same costs: cost [n_tile] > 0 in any unit, or
 *  NULL for the number of cells.  Both are copied.
 *  Leaders of nodes ask and answer in the calls below; in long tiles they should be given
 *  sal_sched_poll every now and then. */
sal_err sal_sched_create(MPI_Comm comm, int64_t n_tile, const sal_tile tile[], const double cost[],
                         sal_sched **out);
/** Collective.  Waits for the others first, as sal_sched_wait does; drains, if sal_sched_next has not
 *  reported the end yet. */
void sal_sched_destroy(sal_sched **sched);

/** The next tile for this rank; *more is false when there is none left, and stays so. */
sal_err sal_sched_next(sal_sched *sched, sal_tile *tile, bool *more);

/** This rank has finished a tile it was given; it took so long [s], by any clock that all share. */
sal_err sal_sched_finished(sal_sched *sched, const sal_tile *tile, double seconds);

/** Between pieces of a tile: the leader of a node sends and answers requests, other ranks do nothing. */
sal_err sal_sched_poll(sal_sched *sched);

/** Adds to the work, in any unit that all ranks share, and to the cells done: within a tile, so
 *  that progress need not wait for its end. */
sal_err sal_sched_add_work(sal_sched *sched, int64_t work, int64_t cells);
/** The sums: on rank 0 of all nodes, by their last reports; elsewhere of this node. */
sal_err sal_sched_work(sal_sched *sched, int64_t *work, int64_t *cells);

/** No more tiles for any rank, on any node; begun tiles are to be finished.  Any rank may call this,
 *  once or several times; when all of its node wait in sal_sched_wait it has no effect, since
 *  only what other nodes have queued is left then. */
sal_err sal_sched_drain(sal_sched *sched);

/** Has a drain reached this node? */
sal_err sal_sched_stopped(sal_sched *sched, bool *stopped);

/** A flag that all ranks of this node share, 0 at first, for any thread and any use: it is there as long
 *  as the schedule. */
atomic_int *sal_sched_halt(sal_sched *sched);

/** Called when there are no more tiles for this rank, or when it cannot go on (drain first, else the
 *  others wait for ever for what is queued here).  Sleeps up to `most` seconds, until
 *  all ranks have come here: *over.  To be called until it is, before any collective call. */
sal_err sal_sched_wait(sal_sched *sched, double most, bool *over);

/** Statistics of this rank. */
typedef struct {
  int64_t tiles, cells; /* drawn */
  double waited;        /* in sal_sched_next and sal_sched_wait [s] */
  int64_t messages;     /* sent to other nodes */
  int n_node;
} sal_sched_stats;
sal_sched_stats sal_sched_statistics(const sal_sched *sched);

/** Collective: element-wise minimum of lo and maximum of hi over all ranks. */
sal_err sal_sched_reduce_range(MPI_Comm comm, int n, double lo[], double hi[]);
