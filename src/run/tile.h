/** @file src/run/tile.h
 *  A tile from parameters to records: references first, then every contender on every cell, shared
 * by the threads.  The only user of threads in the project.
 */
#ifndef SAL_TILE_H
#define SAL_TILE_H

#include "slab.h"
#include "sweep.h"

/** Work space for tiles of at most `cells` cells, made once and used for every tile. */
typedef struct sal_tile_space sal_tile_space;

SAL_MUST_CHECK sal_err sal_tile_space_create(const sal_sweep *sweep, int64_t cells,
                                             sal_tile_space **out);
void                   sal_tile_space_destroy(sal_tile_space **space);

/** Runs one tile; *slab receives arrays from sal_alloc, points still NaN. */
SAL_MUST_CHECK sal_err sal_tile_run(sal_tile_space *space, const sal_tile *tile, sal_slab *slab);

/** Bytes of that work space with so many threads, the records of one tile included. */
size_t sal_tile_bytes(const sal_sweep *sweep, int64_t cells, int threads);

/** Lanes the sweep will use on this machine. */
int sal_tile_width(const sal_sweep *sweep);

/** Threads a tile will use. */
int sal_tile_threads(void);

#endif
