/** @file src/ensemble/tile_kept.h
 *  Finished trajectories of a tile that is not: those that are there when it is begun, and those that are
 *  when it is given up.
 *
 *  No contender is begun before all references and orbits are done: when one was finished in a tile that is
 *  given up, so were these.
 */
#ifndef SAL_TILE_KEPT_H
#define SAL_TILE_KEPT_H

#include "tile.h"
#include "tile_work.h"

/** Is the record there already?  [count][n_contender], from a cell and contender on; NULL: none is kept. */
uint8_t *sal_tile_kept_done(const sal_tile_space *space, int64_t cell, int contender);

/** cell [task->count]: those of a task that are to be run; returns how many. */
int64_t sal_tile_kept_missing(const sal_tile_space *space, const sal_tile_task *task,
                              int64_t cell[]);

/** Notes which of the runs of a contender, on cell [n], are finished: what was not cut, neither itself nor in
 *  what comes after it, times and multipliers. */
void sal_tile_kept_note(sal_tile_space *space, int contender, int64_t n, const int64_t cell[],
                        const sal_tile_result *result);

/** Copies the records that are there into a tile that is about to be run; pacemakers among them set the caps of what
 *  is missing. */
void sal_tile_kept_take(const sal_tile_space *space, const sal_tile_result *result);

/** The records of a tile that was given up go to the caller that keeps them. */
void sal_tile_kept_leave(const sal_tile_space *space, sal_tile_result *result);

#endif
