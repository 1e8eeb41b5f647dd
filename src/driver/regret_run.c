/** Points off the grid of a map, whose sweep must go together with that of the map, run; the surrogate of the map asked there. */
#include "regret_run.h"
#include "atomic_file.h"
#include "base.h"
#include "collective_error.h"
#include "model_source.h"
#include "parameter_column.h"
#include "plain_file.h"
#include "surrogate_view.h"
#include "sweep_read.h"

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

/* Fails unless the points sweep runs methods and strategies of the map between the ends of its tolerances on the map's system, the
 * same way. */
static sal_err check_points(const char *map_path, const sal_sweep *map, const char *path,
                            const sal_sweep *points)
{
  SAL_TRY(check_configs(path, map_path, map, points));
  SAL_TRY(check_settings(path, map_path, map, points));
  return check_fixed(path, map_path, map, points);
}

/* Fails where a map has too few cells to be asked. */
static sal_err check_cells(const sal_performance_cube *map)
{
  const sal_performance_source source = sal_performance_source_of(&map->table);
  sal_surrogate *surrogate;
  bool possible;

  SAL_TRY(sal_surrogate_possible(&map->sweep, &possible));
  if (possible) return SAL_OK;
  SAL_TRY(sal_surrogate_open(&source, NULL, &surrogate)); /* sets the message: what is missing */
  sal_surrogate_close(&surrogate);
  return SAL_OK;
}

sal_err sal_regret_open(sal_regret *r)
{
  const sal_regret_request *q = &r->request;

  SAL_TRY(sal_file_role_read_at(q->path));
  SAL_TRY(sal_performance_cube_open(q->path, &q->map_as, SAL_PERFORMANCE_ERRORS, &r->map));
  return check_cells(&r->map);
}

sal_err sal_regret_draw(sal_regret *r)
{
  const sal_regret_request *q = &r->request;
  sal_offgrid_request points = q->points;

  SAL_TRY(sal_atomic_file_claim(q->run.out, "the output", q->run.force));
  if (q->some_methods) points.method = r->map.method;
  if (q->some_strategies) points.strategy = r->map.strategy;
  return sal_offgrid_text(&r->map.sweep, &points, &r->text);
}

sal_err sal_regret_run(MPI_Comm comm, double began, sal_regret *r)
{
  const sal_regret_request *q = &r->request;
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};

  SAL_TRY(
      sal_collective_share_text(comm, &r->text)); /* of the first rank, which has read the map */
  SAL_TRY(sal_collective_error(
      comm, sal_sweep_parse_stored(q->path, r->text, 0, NULL, &q->trust, &sweep)));
  return sal_run_sweep(comm, began, &q->run, &sweep);
}

sal_err sal_regret_open_points(sal_regret *r)
{
  const sal_regret_request *q = &r->request;
  const char *path = q->from ? q->from : q->run.out;

  SAL_TRY(sal_performance_cube_open(path, &q->points_as, SAL_PERFORMANCE_ERRORS, &r->points));
  return check_points(q->path, &r->map.sweep, path, &r->points.sweep);
}

void sal_regret_free(sal_regret *r)
{
  sal_free(r->text);
  sal_performance_cube_free(&r->map);
  sal_performance_cube_free(&r->points);
}

const double sal_regret_probabilities[SAL_REGRET_PROBABILITIES] = {0.8, 0.9, 0.95, 0.99};

sal_regret_question sal_regret_answers_question(const sal_performance_cube *map,
                                                const sal_sweep *points, int n,
                                                const double error[])
{
  const sal_sweep *s = &map->sweep;
  sal_regret_question q = {.map = map,
                           .points = points,
                           .replicates = sal_offgrid_replicates(s, points),
                           .n_error = n,
                           .error = error};

  for (int m = 0; m < s->n_method; ++m)
    for (int k = 0; k < points->n_method; ++k)
      q.method[m] |= map->method[m] && sal_solver_source_same(points, k, s, m);
  for (int i = 0; i < s->n_strategy; ++i)
    for (int k = 0; k < points->n_strategy; ++k)
      q.strategy[i] |= map->strategy[i] && points->strategy[k] == s->strategy[i];
  return q;
}

enum { ANSWERS = 256 }; /* that are there at once; one has 100 kB */

/* Points of a batch, which threads take. */
typedef struct {
  const sal_regret_question *of;
  double (*value)[SAL_MAX_QUANTITY]; /* [points] */
  sal_surrogate_answer *found;       /* [points][n_error] */
  sal_regret_answer *answer;         /* [points][n_error] */
} batch;

static void free_batch(batch *b) { sal_free_all(b->value, b->found, b->answer); }

/* One asked error, and the same with the probabilities. */
static void ask_error(sal_surrogate *here, sal_surrogate_question asked,
                      sal_surrogate_answer *found, sal_regret_answer *out)
{
  sal_surrogate_ask_again(here, &asked, found);
  sal_surrogate_answer sure = *found;
  *out = (sal_regret_answer){.error = asked.error, .schedule = found};
  for (int i = 0; i < SAL_REGRET_PROBABILITIES; ++i) {
    asked.probability = sal_regret_probabilities[i];
    sal_surrogate_ask_again(here, &asked, &sure);
    out->confident[i] = sure.best;
  }
}

static void ask_point(void *with, sal_surrogate *here, int64_t number)
{
  const batch *b = with;
  const sal_regret_question *q = b->of;

  for (int e = 0; e < q->n_error; ++e) {
    const sal_surrogate_question asked = {
        .error = q->error[e], .probability = NAN, .method = q->method, .strategy = q->strategy};
    const int64_t at = number * q->n_error + e;
    ask_error(here, asked, &b->found[at], &b->answer[at]);
  }
}

/* The first cell of point i; stride: what options add. */
static int64_t first_of(const sal_regret_question *q, int64_t stride, int64_t i)
{
  return i / stride * q->replicates * stride + i % stride;
}

static sal_err place_points(const batch *b, const sal_surrogate_coordinates *c, int64_t stride,
                            int64_t done, int64_t n)
{
  const sal_model *m = b->of->points->model;
  sal_surrogate_place place;

  for (int64_t i = 0; i < n; ++i) {
    double *value = b->value[i];
    sal_sweep_cell(b->of->points, first_of(b->of, stride, done + i), value,
                   value + m->n_param + m->n_option);
    SAL_TRY(sal_surrogate_place_of_point(c, value, &place, &b->found[i * b->of->n_error].outside));
  }
  return SAL_OK;
}

sal_err sal_regret_answers_each(const sal_regret_question *q, sal_regret_take *take, void *with)
{
  sal_performance_source source = sal_performance_source_of(&q->map->table);
  const int64_t rows = q->points->n_axis > 0 ? q->points->axis[0].n_point : 1;
  const int64_t stride = q->points->n_cell / rows, all = rows / q->replicates * stride;
  const int64_t most = ANSWERS / q->n_error;
  SAL_OWN_BY(free_batch)
  batch b = {q, sal_alloc((size_t)most, sizeof *b.value), sal_alloc(ANSWERS, sizeof *b.found),
             sal_alloc(ANSWERS, sizeof *b.answer)};
  SAL_OWN_BY(sal_surrogate_close) sal_surrogate *surrogate = NULL;

  if (!b.value || !b.found || !b.answer) return sal_fail(SAL_ERR_MEMORY, "no memory for answers");
  source.threads = sal_parallel_threads();
  source.loop = sal_parallel_for;
  SAL_TRY(sal_surrogate_open(&source, NULL, &surrogate));
  for (int64_t done = 0, n; done < all; done += n) {
    n = all - done < most ? all - done : most;
    SAL_TRY(place_points(&b, sal_surrogate_coordinates_of(surrogate), stride, done, n));
    SAL_TRY(sal_surrogate_each(surrogate, n, b.value, ask_point, &b));
    for (int64_t i = 0; i < n; ++i)
      SAL_TRY(take(with, &(sal_regret_point){b.value[i], first_of(q, stride, done + i), stride,
                                             &b.answer[i * q->n_error]}));
  }
  return SAL_OK;
}
