/** @file src/driver/map_cube.h
 *  The second pass over a cube: its map, written into it.
 */
#ifndef SAL_MAP_CUBE_H
#define SAL_MAP_CUBE_H

#include "performance_cube.h"

/** Preset questions: errors 1e-2, 1e-4, 1e-6; the weights of Table 5 of the paper, all three alike,
 *  and each alone. */
void sal_map_presets(sal_map *map);

/** Makes the map of a cube and writes it into the cube.  map: the questions (error, weights); it is
 *  filled, and the caller frees it with sal_map_free.  `cube` stays open for the caller. */
SAL_MUST_CHECK sal_err sal_map_cube(const char *path, const sal_performance_words *words,
                                    sal_map *map, sal_performance_cube *cube);

/** The map of the preset questions, into the cube of a sweep just run.  Fails, too, when it would
 *  take more memory than a run does: `saltus map` has no such bound. */
SAL_MUST_CHECK sal_err sal_map_finished(const char *path, const sal_sweep *sweep);

#endif
