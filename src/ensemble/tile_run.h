/** @file src/ensemble/tile_run.h
 *  A tile from parameters to records: references first, then every contender on every cell, shared
 *  by the threads (pieces.h).  Threads are used here and in stored_run.h, and nowhere else in the
 * project.
 */
#ifndef SAL_TILE_RUN_H
#define SAL_TILE_RUN_H

#include "sweep.h"
#include "tile.h"

/** Work space for tiles of at most `cells` cells, made once and used for every tile. */
typedef struct sal_tile_space sal_tile_space;

SAL_MUST_CHECK sal_err sal_tile_space_create(const sal_sweep *sweep, int64_t cells,
                                             sal_tile_space **out);
void                   sal_tile_space_destroy(sal_tile_space **space);

/** What the tiles of this space have taken so far. */
typedef struct {
  double       cpu;    /* of all threads [s] */
  double       wall;   /* the same by the clock: more than cpu where threads wait for a processor */
  double       scalar; /* of it for the stiffness of cells, which takes no lanes [s] */
  sal_lane_use lanes;
} sal_tile_use;
sal_tile_use sal_tile_used(const sal_tile_space *space);

/** pause(with) is called by the thread that calls sal_tile_run, and by no other, after each piece
 *  of a tile it has done itself, while the other threads go on: so that messages need not wait for
 *  the end of a tile. */
void sal_tile_on_pause(sal_tile_space *space, void (*pause)(void *), void *with);

/** Runs one tile; *result receives arrays from sal_alloc, points still NaN. */
SAL_MUST_CHECK sal_err sal_tile_run(sal_tile_space *space, const sal_tile *tile,
                                    sal_tile_result *result);

/** Cells of the largest tile to be run: lanes stay busy in large ones, but references take memory.
 *  16 .. 192. */
int64_t sal_tile_most(const sal_sweep *sweep);

/** Bytes of that work space with so many threads, the records of one tile included. */
size_t sal_tile_bytes(const sal_sweep *sweep, int64_t cells, int threads);

/** How a contender of the sweep runs; is its pair of method and strategy left out? */
sal_setup sal_tile_setup(const sal_sweep *sweep, int contender);
bool      sal_tile_leaves_out(const sal_sweep *sweep, int contender);

/** Lanes the sweep will use on this machine. */
int sal_tile_width(const sal_sweep *sweep);

/** Threads a tile will use. */
int sal_tile_threads(void);

#endif
