/** @file src/driver/map_cube.h
 *  The map of a cube, written into it.
 */
#ifndef SAL_MAP_CUBE_H
#define SAL_MAP_CUBE_H

#include "performance_cube.h"

/** Preset questions where there are none: the errors of the table's metric; if it has points the weights
 *  of Table 5 of the paper, all three alike, and each alone. */
void sal_map_presets(const sal_performance_table *table, sal_map *map);

/** Makes the map of a cube and writes it into the cube.  map: the questions (error, weights), presets
 *  where it has none; it is filled, and the caller frees it with sal_map_free.  `cube` stays open for the caller. */
SAL_MUST_CHECK sal_err sal_map_cube(const char *path, const sal_performance_words *words,
                                    sal_map *map, sal_performance_cube *cube);

/** On one rank: the map of the preset questions, into path.part, the whole cube of a sweep that has
 *  no name yet.  Where there can be no map, which takes more memory than a run does, too, path.part
 *  is as it was, and `why` tells the reason; "" when it has one. */
SAL_MUST_CHECK sal_err sal_map_cube_part(const char *path, const sal_sweep *sweep, size_t size,
                                         char why[]);

#endif
