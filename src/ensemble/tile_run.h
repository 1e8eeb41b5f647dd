/** @file src/ensemble/tile_run.h
 *  A tile from parameters to records: references first, then every configuration on every cell, shared
 *  by the threads (tile_tasks.h).  Only this layer uses threads: here and in stored_run.h.
 */
#ifndef SAL_TILE_RUN_H
#define SAL_TILE_RUN_H

#include "pilots.h"
#include "sweep.h"
#include "tile.h"
#include "tile_watch.h"

/* ---- tile_setup.c ----
 *  How configurations run.
 */

/** How a configuration of the sweep runs; is its pair of method and strategy left out? */
sal_setup sal_tile_setup(const sal_sweep *sweep, int config);
bool sal_tile_leaves_out(const sal_sweep *sweep, int config);

/** Work space of a thread, enough for references and for every configuration. */
size_t sal_tile_setup_bytes(const sal_sweep *sweep, int width);

/* ---- tile_space.c ----
 *  Work space for tiles, and what it takes.
 */

/** A space that borrows the sweep, for as many threads as a tile will use; NULL after a failure: SAL_ERR_INPUT for a
 *  number of cells that is not allowed, else SAL_ERR_MEMORY, or why orbits cannot be sought. */
SAL_MUST_CHECK sal_err sal_tile_space_create(const sal_sweep *sweep, int64_t cells,
                                             sal_tile_space **out);
void sal_tile_space_destroy(sal_tile_space **space);

/** Cells of the largest tile to be run: lanes stay busy in large ones, but references take memory.
 *  16 .. SAL_TILE_MOST. */
int64_t sal_tile_most(const sal_sweep *sweep);

/** Bytes of that work space with so many threads, the records of one tile included. */
size_t sal_tile_bytes(const sal_sweep *sweep, int64_t cells, int threads);

/** Lanes the sweep will use on this machine. */
int sal_tile_width(const sal_sweep *sweep);

/** Threads a tile will use. */
int sal_tile_threads(void);
void sal_tile_threads_set(int n);

/* ---- tile_run.c ---- */

/** Time of its tiles so far. */
sal_tile_use sal_tile_used(const sal_tile_space *space);

/** Tiles are watched by a copy of *watch from now on. */
void sal_tile_space_watch(sal_tile_space *space, const sal_tile_watch *watch);

/** From now on the trajectories that *kept has of a tile are not run again, and when a tile is given up
 *  *kept receives those finished so far; NULL: nothing is kept.  result: of the same cells as the tile, and
 *  done [count][configurations] is the caller's.  Finished runs of a cell have the bits that they have in a whole
 *  run, and a cell of whose configurations all are done is finished itself. */
void sal_tile_space_keep(sal_tile_space *space, sal_tile_kept *kept);

/** From now on tiles run only the configurations selected by pilots; borrowed, NULL: all. */
void sal_tile_space_pilots(sal_tile_space *space, const sal_pilots *pilots);

/** Trajectories done of the current tile: a task counts by the time it was expected to
 *  take.  Any thread may call it. */
int64_t sal_tile_done(const sal_tile_space *space);

/** Runs one tile; *result receives arrays from sal_alloc, points still NaN.  SAL_ERR_STOPPED,
 *  without a message and a result, when it was given up with tasks not begun or cut. */
SAL_MUST_CHECK sal_err sal_tile_run(sal_tile_space *space, const sal_tile *tile,
                                    sal_tile_result *result);

#endif
