/** @file src/ensemble/tile_run.h
 *  A tile from parameters to records: references first, then every contender on every cell, shared
 *  by the threads (tile_tasks.h).  Only this layer uses threads: here and in stored_run.h.
 */
#ifndef SAL_TILE_RUN_H
#define SAL_TILE_RUN_H

#include "sweep.h"
#include "tile.h"

/** Work space for tiles of at most `cells` cells, 1 .. SAL_TILE_MOST, made once and used for every
 *  tile. */
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

/** Looks after a tile while it runs; NULL members are not called. */
typedef struct {
  /* By the thread that calls sal_tile_run, and by no other, after each task of a tile it has done
   * itself, while the other threads go on: so that messages need not wait for the end of a tile. */
  void (*pause)(void *with);
  /* By each thread before each task: is the tile to be given up? */
  bool (*give_up)(void *with);
  void *with;
} sal_tile_watch;
void sal_tile_space_watch(sal_tile_space *space, const sal_tile_watch *watch);

/** What is done of the tile in hand, in trajectories: a task counts by the time it was expected to
 *  take.  Any thread may ask. */
int64_t sal_tile_done(const sal_tile_space *space);

/** Runs one tile; *result receives arrays from sal_alloc, points still NaN.  SAL_ERR_STOPPED,
 *  without a message and a result, when it was given up with tasks not begun. */
SAL_MUST_CHECK sal_err sal_tile_run(sal_tile_space *space, const sal_tile *tile,
                                    sal_tile_result *result);

/** Cells of the largest tile to be run: lanes stay busy in large ones, but references take memory.
 *  16 .. SAL_TILE_MOST. */
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
