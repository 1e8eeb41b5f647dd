/** The tiles that no node has yet, heaviest first, and what is known of their costs.
 *
 *  A tile's cost is predicted from its a-priori cost and from finished tiles: each of these has a
 *  ratio of seconds to a-priori cost, at the middle of its cells; between two of them, in the order
 *  of the cells, the ratio is interpolated linearly, beyond the first and the last it is constant.
 *  Neighbours in that order differ little in all but a few places, since the last axis of a grid
 *  runs fastest.  A wrong prediction costs time, never a bit of the results.
 */
#pragma once

#include "err.h"
#include "tile.h"

typedef struct sal_pool sal_pool;

/** tile [n] is borrowed; cost [n] > 0, of any unit, is read here only; NULL: the cells. */
sal_err sal_pool_create(int64_t n, const sal_tile tile[], const double cost[], sal_pool **out);
void sal_pool_destroy(sal_pool **pool);

/** Takes the time of tile number `tile` [s].  To be called once a tile. */
void sal_pool_learn(sal_pool *pool, int64_t tile, double seconds);

/** Takes a chunk for one of n_node nodes, which has n_rank ranks: the heaviest tiles, together
 *  1 / (4 n_node) of the cost of all that are left, but at least one for each rank while there are
 *  so many that all nodes can have that twice.  Their numbers go to chunk [most], heaviest first;
 *  returns how many, 0 when nothing is left. */
int64_t sal_pool_take(sal_pool *pool, int n_node, int n_rank, int64_t most, int64_t chunk[]);

/** Tiles that no node has. */
int64_t sal_pool_left(const sal_pool *pool);

/** Tiles that were put into order so far, each counted every time: the work of the pool. */
int64_t sal_pool_ordered(const sal_pool *pool);

/** No node gets any more. */
void sal_pool_close(sal_pool *pool);

/** Predicted costs of all tiles from what is known now; the finished ones have their own. */
void sal_pool_predict(const sal_pool *pool, double cost[]);

/* Rules of the schedule that the scheduler and its model (sim.h) share; the others are code
 * that both call: tiles.h, pool.h. */

/** In one message between nodes: finished tiles reported, tiles handed out. */
enum { SAL_MOST_ENTRIES = 256, SAL_MOST_CHUNK = 1024 };

/** Pause between two looks of a rank that has nothing to do [ns]; short beside any tile. */
enum { SAL_NAP = 500000 };

/** Between two messages that only report [s]. */
#define SAL_REPORT_PAUSE 0.25

/** Is it time for the next chunk?  Less than a tile for each rank is in the queue, ranks that
 *  wait in front of it counted. */
static inline bool sal_sched_runs_low(int64_t filled, int64_t next, int n_rank)
{
  return filled - next < n_rank;
}
