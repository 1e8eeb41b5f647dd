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

/** What is done of the tile in hand, in trajectories: a task counts by the time it was expected to
 *  take.  Any thread may ask. */
int64_t sal_tile_done(const sal_tile_space *space);

/** Runs one tile; *result receives arrays from sal_alloc, points still NaN.  SAL_ERR_STOPPED,
 *  without a message and a result, when it was given up with tasks not begun. */
SAL_MUST_CHECK sal_err sal_tile_run(sal_tile_space *space, const sal_tile *tile,
                                    sal_tile_result *result);

#endif
