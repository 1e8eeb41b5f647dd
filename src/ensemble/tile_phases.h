/** @file src/ensemble/tile_phases.h
 *  The phases of a tile's contenders: pacemakers, those in reserve, and all others, which are capped
 *  by the runs before them (cap.h).
 *
 *  In each phase the tasks of engines that one thread alone may call come first: the main thread does
 *  them, and joins the others, which share all other tasks meanwhile.
 */
#ifndef SAL_TILE_PHASES_H
#define SAL_TILE_PHASES_H

#include "tile.h"
#include "tile_work.h"

/** Is a contender an engine, and one that runs on the main thread of the process alone? */
bool sal_tile_phases_engine(const sal_sweep *sweep, int contender);
bool sal_tile_phases_alone(const sal_sweep *sweep, int contender);

/** Cuts a tile of so many cells into the tasks of all phases; returns how many. */
int64_t sal_tile_phases_cut(sal_tile_space *s, int64_t cells);

/** Sets the cap of a cell whose reference is done, and when a phase is. */
void sal_tile_phases_begin_cell(sal_tile_space *s, int64_t cell);
void sal_tile_phases_cap_cell(sal_tile_space *s, int phase, int64_t cell,
                              const sal_tile_result *result);

#endif
