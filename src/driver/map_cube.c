/** @file src/driver/map_cube.c
 *  Cube to table, table to map, map to cube.
 */
#include "map_cube.h"
#include "contender.h"
#include "map_write.h"
#include "recommend.h"
#include <string.h>

static const double most_bytes = 256e6; /* of an table at the end of a run */

void sal_map_presets(sal_map *map)
{
  static const double      error[]   = {1e-2, 1e-4, 1e-6};
  static const sal_weights weights[] = {{2, 0, 1}, {1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  *map           = (sal_map){0};
  map->n_error   = sizeof error / sizeof *error;
  map->n_weights = sizeof weights / sizeof *weights;
  memcpy(map->error, error, sizeof error);
  memcpy(map->weights, weights, sizeof weights);
}

sal_err sal_map_cube(const char *path, const sal_performance_words *words, sal_map *map,
                     sal_performance_cube *cube)
{
  SAL_TRY(sal_performance_cube_open(path, words, map->n_weights > 0, cube));
  memcpy(map->method, cube->method, sizeof map->method);
  memcpy(map->strategy, cube->strategy, sizeof map->strategy);
  sal_err err = sal_recommend(&cube->table, map);
  if (err == SAL_OK) err = sal_map_write(path, &cube->sweep, map);
  if (err != SAL_OK) sal_performance_cube_free(cube);
  return err;
}

sal_err sal_map_finished(const char *path, const sal_sweep *sweep)
{
  const sal_performance_words words = {0};
  const double columns = 5, size = columns * (double)sizeof(double) * (double)sweep->n_cell *
                                   (double)sal_contender_count(sweep);
  sal_map              map;
  sal_performance_cube cube;

  if (size > most_bytes)
    return sal_fail(SAL_ERR_MEMORY, "it takes %.0f MB of memory; `saltus map %s` makes it",
                    size / 1e6, path);
  sal_map_presets(&map);
  const sal_err err = sal_map_cube(path, &words, &map, &cube);
  if (err == SAL_OK) sal_performance_cube_free(&cube);
  sal_map_free(&map);
  return err;
}
