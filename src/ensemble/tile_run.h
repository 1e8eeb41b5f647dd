/** @file src/ensemble/tile_run.h
 *  A tile from parameters to records: references first, then every contender on every cell, shared
 *  by the threads (tile_tasks.h).  Only this layer uses threads: here and in stored_run.h.
 */
#ifndef SAL_TILE_RUN_H
#define SAL_TILE_RUN_H

#include "sweep.h"
#include "tile.h"
#include "tile_setup.h"
#include "tile_space.h"

sal_tile_use sal_tile_used(const sal_tile_space *space);

void sal_tile_space_watch(sal_tile_space *space, const sal_tile_watch *watch);

/** From now on the trajectories that *kept has of a tile are not run again, and when a tile is given up
 *  *kept receives those finished so far; NULL: nothing is kept.  result: of the same cells as the tile, and
 *  done [count][contenders] is the caller's.  What is finished of a cell has the bits that it has in a whole
 *  run, and a cell of whose contenders all are done is finished itself. */
void sal_tile_space_keep(sal_tile_space *space, sal_tile_kept *kept);

/** What is done of the tile in hand, in trajectories: a task counts by the time it was expected to
 *  take.  Any thread may ask. */
int64_t sal_tile_done(const sal_tile_space *space);

/** Runs one tile; *result receives arrays from sal_alloc, points still NaN.  SAL_ERR_STOPPED,
 *  without a message and a result, when it was given up with tasks not begun or cut. */
SAL_MUST_CHECK sal_err sal_tile_run(sal_tile_space *space, const sal_tile *tile,
                                    sal_tile_result *result);

#endif
