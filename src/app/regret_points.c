/** @file src/app/regret_points.c
 *  Do a map and points belong together?
 */
#include "regret_points.h"
#include "parameter_column.h"
#include "parameter_point.h"
#include <string.h>

static sal_err check_names(const char *path, const char *map_path, const sal_sweep *map,
                           const sal_sweep *points)
{
  const char *other = NULL;

  if (points->model != map->model)
    return sal_fail(SAL_ERR_INPUT, "%s: its model is %s, that of %s is %s", path,
                    points->model->name, map_path, map->model->name);
  if (points->n_method != map->n_method ||
      memcmp(points->method, map->method, (size_t)map->n_method * sizeof *map->method) != 0)
    other = "methods";
  else if (points->n_strategy != map->n_strategy ||
           memcmp(points->strategy, map->strategy,
                  (size_t)map->n_strategy * sizeof *map->strategy) != 0)
    other = "strategies";
  else if (points->n_tolerance != map->n_tolerance ||
           memcmp(points->tolerance, map->tolerance,
                  (size_t)map->n_tolerance * sizeof *map->tolerance) != 0)
    other = "tolerances";
  return other ? sal_fail(SAL_ERR_INPUT, "%s: its %s are not those of %s, in the same order", path,
                          other, map_path)
               : SAL_OK;
}

/* What results depend on, beside contenders and cells. */
static sal_err check_settings(const char *path, const char *map_path, const sal_sweep *a,
                              const sal_sweep *b)
{
  const struct {
    const char *key;
    double      map, points;
  } table[] = {{"t_end", a->t_end, b->t_end},
               {"mesh", a->t_end / (double)a->n_mesh, b->t_end / (double)b->n_mesh},
               {"reference (certified 0, paper 1)", a->reference, b->reference},
               {"reference_tolerance", a->reference_tolerance, b->reference_tolerance},
               {"jacobian (differences 0, analytic 1)", a->jacobian, b->jacobian},
               {"max_step", a->max_step, b->max_step},
               {"max_attempts", (double)a->max_attempts, (double)b->max_attempts},
               {"projection.zone", a->zone, b->zone},
               {"projection.measure (gap 0, time 1)", a->zone_in_time, b->zone_in_time},
               {"projection.step", a->step, b->step},
               {"contacts (next 0, every 1)", a->every_contact, b->every_contact}};

  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (table[i].map != table[i].points)
      return sal_fail(SAL_ERR_INPUT, "%s: its %s is %.10g, that of %s is %.10g", path, table[i].key,
                      table[i].points, map_path, table[i].map);
  return SAL_OK;
}

/* What the map does not vary must be at every point what it is in the map. */
static sal_err check_fixed(const char *path, const char *map_path, const sal_sweep *map,
                           const sal_sweep *points)
{
  const sal_model *m = map->model;
  double           here[SAL_MAX_QUANTITY], there[SAL_MAX_QUANTITY];

  sal_sweep_cell(map, 0, there, there + m->n_param + m->n_option);
  for (int64_t p = 0; p < points->n_cell; ++p) {
    sal_sweep_cell(points, p, here, here + m->n_param + m->n_option);
    for (int k = 0; k < sal_parameter_column_count(m); ++k)
      if (here[k] != there[k] && !sal_parameter_column_varies(map, k))
        return sal_fail(SAL_ERR_INPUT, "%s: %s is %.10g at point %lld, and %.10g everywhere in %s",
                        path, sal_parameter_column_name(m, k), here[k], (long long)p + 1, there[k],
                        map_path);
  }
  return SAL_OK;
}

sal_err sal_points_belong(const char *map_path, const sal_sweep *map, const char *path,
                          const sal_sweep *points)
{
  SAL_TRY(check_names(path, map_path, map, points));
  SAL_TRY(check_settings(path, map_path, map, points));
  return check_fixed(path, map_path, map, points);
}
