/** @file src/app/regret_points.c
 *  Comparing the sweep of the points with that of the map.
 */
#include "regret_points.h"
#include "model_source.h"
#include "parameter_column.h"
#include "parameter_point.h"
#include <string.h>

static bool same_methods(const sal_sweep *a, const sal_sweep *b)
{
  for (int m = 0; m < a->n_method && a->n_method == b->n_method; ++m)
    if (a->method[m] != b->method[m]) return false;
  return a->n_method == b->n_method;
}

static bool same_strategies(const sal_sweep *a, const sal_sweep *b)
{
  for (int k = 0; k < a->n_strategy && a->n_strategy == b->n_strategy; ++k)
    if (a->strategy[k] != b->strategy[k]) return false;
  return a->n_strategy == b->n_strategy;
}

static sal_err check_contenders(const char *path, const char *map_path, const sal_sweep *map,
                                const sal_sweep *points)
{
  const char *other = NULL;

  if (!sal_model_source_same(points, map))
    return sal_fail(SAL_ERR_INPUT, "%s: its model is %s, that of %s is %s", path,
                    points->model->name, map_path, map->model->name);
  if (!same_methods(points, map))
    other = "methods";
  else if (!same_strategies(points, map))
    other = "strategies";
  else if (points->n_tolerance != map->n_tolerance ||
           memcmp(points->tolerance, map->tolerance,
                  (size_t)map->n_tolerance * sizeof *map->tolerance) != 0)
    other = "tolerances";
  return other ? sal_fail(SAL_ERR_INPUT, "%s: its %s are not those of %s, in the same order", path,
                          other, map_path)
               : SAL_OK;
}

/* Everything else that results depend on, beside the cells. */
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

/* A quantity that the map does not vary must have the value of the map at every point. */
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

sal_err sal_regret_points_check(const char *map_path, const sal_sweep *map, const char *path,
                                const sal_sweep *points)
{
  SAL_TRY(check_contenders(path, map_path, map, points));
  SAL_TRY(check_settings(path, map_path, map, points));
  return check_fixed(path, map_path, map, points);
}
