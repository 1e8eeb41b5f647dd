/** @file src/driver/map_cube.c
 *  Cube to table, table to map, map to cube.
 */
#include "map_cube.h"
#include "atomic_file.h"
#include "contender.h"
#include "map_write.h"
#include "recommend.h"
#include <stdio.h>
#include <string.h>

static const double most_bytes = 256e6; /* of a table at the end of a run */

void sal_map_presets(const sal_performance_table *a, sal_map *map)
{
  static const sal_weights weights[] = {{2, 0, 1}, {1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  if (map->n_error == 0) {
    map->n_error = SAL_ERROR_METRIC_PRESETS;
    memcpy(map->error, a->by->preset, sizeof a->by->preset);
  }
  if (map->n_weights == 0 && a->sd) {
    map->n_weights = sizeof weights / sizeof *weights;
    memcpy(map->weights, weights, sizeof weights);
  }
}

sal_err sal_map_cube(const char *path, const sal_performance_words *words, sal_map *map,
                     sal_performance_cube *cube)
{
  SAL_TRY(sal_performance_cube_open(
      path, words, map->n_weights > 0 ? SAL_PERFORMANCE_POINTS : SAL_PERFORMANCE_EITHER, cube));
  sal_map_presets(&cube->table, map);
  memcpy(map->method, cube->method, sizeof map->method);
  memcpy(map->strategy, cube->strategy, sizeof map->strategy);
  sal_err err = sal_recommend(&cube->table, map);
  if (err == SAL_OK) err = sal_map_write(path, &cube->sweep, map);
  if (err != SAL_OK) sal_performance_cube_free(cube);
  return err;
}

static sal_err check_memory(const char *path, const sal_sweep *sweep)
{
  const double columns = 6, size = columns * (double)sizeof(double) * (double)sweep->n_cell *
                                   (double)sal_contender_count(sweep);

  if (size <= most_bytes) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "it takes %.0f MB of memory; `saltus map %s` makes it",
                  size / 1e6, path);
}

/* The map, and room for it in the file. */
static sal_err make_part_map(const char *path, const char *part, const sal_sweep *sweep,
                             sal_map *map)
{
  const sal_performance_words words = {0};
  sal_performance_cube        cube;

  SAL_TRY(check_memory(path, sweep));
  SAL_TRY(sal_performance_cube_open(part, &words, SAL_PERFORMANCE_EITHER, &cube));
  sal_map_presets(&cube.table, map);
  memcpy(map->method, cube.method, sizeof map->method);
  memcpy(map->strategy, cube.strategy, sizeof map->strategy);
  sal_err err = sal_recommend(&cube.table, map);
  if (err == SAL_OK) err = sal_map_write_room(path, sweep, map);
  sal_performance_cube_free(&cube);
  return err;
}

/* The message of a failure as a reason, without the name of a file that will soon have another. */
static void take_reason(const char *path, const char *part, size_t size, char why[])
{
  const char *said  = sal_err_message();
  const bool  named = strncmp(said, part, strlen(part)) == 0;

  snprintf(why, size, "%s%s", named ? path : "", named ? said + strlen(part) : said);
  sal_err_clear();
}

sal_err sal_map_cube_part(const char *path, const sal_sweep *sweep, size_t size, char why[])
{
  char    part[PATH_MAX];
  sal_map map = {0};
  sal_err err = SAL_OK;

  why[0] = '\0';
  SAL_TRY(sal_atomic_file_name(path, part));
  if (make_part_map(path, part, sweep, &map) == SAL_OK)
    err = sal_map_write_part(path, sweep, &map);
  else
    take_reason(path, part, size, why);
  sal_map_free(&map);
  return err;
}
