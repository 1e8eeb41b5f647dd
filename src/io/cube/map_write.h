/** @file src/io/cube/map_write.h
 *  A map as a group of a cube.
 */
#ifndef SAL_MAP_WRITE_H
#define SAL_MAP_WRITE_H

#include "err.h"
#include "map.h"
#include "sweep.h"

/** Writes a map into the group `map` of a cube (serial), in place of the one it has.  Like the cube
 *  itself it appears whole or not at all: this is done in a copy that is renamed.  A cube of an
 *  older layout gets the names of this one. */
SAL_MUST_CHECK sal_err sal_map_write(const char *path, const sal_sweep *sweep, const sal_map *map);

/** The same in two steps for path.part, a whole cube that has no name yet: claims room for a map,
 *  after whose failure path.part is as it was, and writes it, after whose failure it is lost. */
SAL_MUST_CHECK sal_err sal_map_write_room(const char *path, const sal_sweep *sweep,
                                          const sal_map *map);
SAL_MUST_CHECK sal_err sal_map_write_part(const char *path, const sal_sweep *sweep,
                                          const sal_map *map);

#endif
