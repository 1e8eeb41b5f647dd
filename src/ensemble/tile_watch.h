/** @file src/ensemble/tile_watch.h
 *  What a tile takes, and what looks after it while it runs.
 */
#ifndef SAL_TILE_WATCH_H
#define SAL_TILE_WATCH_H

#include "setup.h"
#include <stdbool.h>

/** Work space for tiles of at most `cells` cells, 1 .. SAL_TILE_MOST, made once and used for every
 *  tile. */
typedef struct sal_tile_space sal_tile_space;

/** Time of the tiles of this space so far. */
typedef struct {
  double cpu;    /* of all threads [s] */
  double wall;   /* the same by the clock: more than cpu where threads wait for a processor */
  double scalar; /* of cpu outside lanes: stiffness of cells, their orbits, engines [s] */
  double alone;  /* of cpu for tasks of the main thread alone [s] */
  sal_lane_use lanes;
} sal_tile_use;

/** Looks after a tile while it runs. */
typedef struct {
  /* By the thread that calls sal_tile_run, and by no other, after each task of a tile it has done
   * itself, while the other threads go on: so that messages need not wait for the end of a tile. */
  void (*pause)(void *with); /* NULL: nothing */
  void *with;
} sal_tile_watch;

#endif
