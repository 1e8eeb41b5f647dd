/** Comparing the sweep of the points with that of the map. */
#include "regret_points.h"
#include "base.h"
#include "model_source.h"
#include "parameter_column.h"

/* A method, or a strategy, of the points that the map does not have; NULL: none. */
static const char *foreign_method(const sal_sweep *map, const sal_sweep *points)
{
  for (int k = 0; k < points->n_method; ++k) {
    bool found = false;
    for (int m = 0; m < map->n_method; ++m) found |= sal_solver_source_same(points, k, map, m);
    if (!found) return points->method[k]->name;
  }
  return NULL;
}

static const char *foreign_strategy(const sal_sweep *map, const sal_sweep *points)
{
  for (int k = 0; k < points->n_strategy; ++k) {
    bool found = false;
    for (int s = 0; s < map->n_strategy; ++s) found |= points->strategy[k] == map->strategy[s];
    if (!found) return points->strategy[k]->name;
  }
  return NULL;
}

static void find_ends(const sal_sweep *s, double *least, double *most)
{
  *least = *most = s->tolerance[0];
  for (int t = 1; t < s->n_tolerance; ++t) {
    *least = fmin(*least, s->tolerance[t]);
    *most = fmax(*most, s->tolerance[t]);
  }
}

static sal_err check_configs(const char *path, const char *map_path, const sal_sweep *map,
                             const sal_sweep *points)
{
  const char *method = foreign_method(map, points), *strategy = foreign_strategy(map, points);
  double least[2], most[2];

  if (!sal_model_source_same(points, map))
    return sal_fail(SAL_ERR_INPUT, "%s: its model is %s, that of %s is %s", path,
                    points->model->name, map_path, map->model->name);
  if (method || strategy)
    return sal_fail(SAL_ERR_INPUT, "%s: has the %s %s, which %s has not", path,
                    method ? "solver" : "strategy", method ? method : strategy, map_path);
  find_ends(map, &least[0], &most[0]);
  find_ends(points, &least[1], &most[1]);
  if (least[0] == least[1] && most[0] == most[1]) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: its tolerances end at %g and %g, those of %s at %g and %g",
                  path, most[1], least[1], map_path, most[0], least[0]);
}

/* Everything else that results depend on, beside the cells. */
static sal_err check_settings(const char *path, const char *map_path, const sal_sweep *a,
                              const sal_sweep *b)
{
  const struct {
    const char *key;
    double map, points;
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

/* The column of the same name; -1: the model has none, as it has fewer members. */
static int column_there(const sal_model *m, int column, const sal_model *there)
{
  int k = 0;

  while (k < sal_parameter_column_count(there) &&
         strcmp(sal_parameter_column_name(there, k), sal_parameter_column_name(m, column)) != 0)
    ++k;
  return k < sal_parameter_column_count(there) ? k : -1;
}

/* States that are at their presets in both are the same: a preset may depend on counts of members. */
static bool is_preset(const sal_model *m, int column, double value)
{
  const int state = column - m->n_param - m->n_option;

  return state >= 0 && value == m->state[state].preset;
}

/* A quantity that the map does not vary must have the value of the map at every point. */
static sal_err check_fixed(const char *path, const char *map_path, const sal_sweep *map,
                           const sal_sweep *points)
{
  const sal_model *m = map->model;
  double here[SAL_MAX_QUANTITY], there[SAL_MAX_QUANTITY];
  sal_sweep room;

  for (int k = m->n_param + m->n_option; k < sal_parameter_column_count(m); ++k)
    if (points->model->n_state != m->n_state && sal_parameter_column_varies(map, k))
      return sal_fail(SAL_ERR_INPUT, "%s: %d states at most; %s varies %s and has %d", path,
                      points->model->n_state, map_path, sal_parameter_column_name(m, k),
                      m->n_state);
  sal_sweep_cell(map, 0, there, there + m->n_param + m->n_option);
  for (int64_t p = 0; p < points->n_cell; ++p) {
    const sal_sweep *at = sal_variants_at(points, p, &room);
    sal_sweep_cell(at, p, here, here + m->n_param + m->n_option);
    for (int k = 0; k < sal_parameter_column_count(m); ++k) {
      const int own = at->model == m ? k : column_there(m, k, at->model);
      if (own >= 0 && here[own] != there[k] && !sal_parameter_column_varies(map, k) &&
          !(is_preset(m, k, there[k]) && is_preset(at->model, own, here[own])))
        return sal_fail(SAL_ERR_INPUT, "%s: %s is %.10g at point %lld, and %.10g everywhere in %s",
                        path, sal_parameter_column_name(m, k), here[own], (long long)p + 1,
                        there[k], map_path);
    }
  }
  return SAL_OK;
}

sal_err sal_regret_points_check(const char *map_path, const sal_sweep *map, const char *path,
                                const sal_sweep *points)
{
  SAL_TRY(check_configs(path, map_path, map, points));
  SAL_TRY(check_settings(path, map_path, map, points));
  return check_fixed(path, map_path, map, points);
}
