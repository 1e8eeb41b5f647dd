/** @file src/ensemble/tile_space.h
 *  Work space for tiles, and what it takes.
 */
#ifndef SAL_TILE_SPACE_H
#define SAL_TILE_SPACE_H

#include "sweep.h"
#include "tile_watch.h"

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

#endif
