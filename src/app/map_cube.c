/** @file src/app/map_cube.c
 *  Cube to atlas, atlas to map, map to cube.
 */
#include "map_cube.h"
#include "cube.h"
#include "recommend.h"
#include <string.h>

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

sal_err sal_map_errors(const char *list, sal_map *map)
{
  map->n_error = 0;
  while (list) {
    char         word[64];
    const size_t n = strcspn(list, ",");
    if (map->n_error == SAL_MAX_QUESTION)
      return sal_fail(SAL_ERR_USAGE, "--error: more than %d", SAL_MAX_QUESTION);
    snprintf(word, sizeof word, "%.*s", (int)n, list);
    SAL_TRY(sal_atlas_error(word, &map->error[map->n_error]));
    for (int i = 0; i < map->n_error; ++i)
      if (map->error[i] == map->error[map->n_error])
        return sal_fail(SAL_ERR_USAGE, "--error: %s is there twice", word);
    ++map->n_error;
    list = list[n] ? list + n + 1 : NULL;
  }
  return SAL_OK;
}

sal_err sal_map_cube(const char *path, const sal_atlas_words *words, sal_map *map,
                     sal_atlas_cube *cube)
{
  SAL_TRY(sal_atlas_cube_open(path, words, map->n_weights > 0, cube));
  memcpy(map->method, cube->method, sizeof map->method);
  memcpy(map->strategy, cube->strategy, sizeof map->strategy);
  sal_err err = sal_recommend(&cube->atlas, map);
  if (err == SAL_OK) err = sal_map_write(path, &cube->sweep, map);
  if (err != SAL_OK) sal_atlas_cube_free(cube);
  return err;
}
