/** From a cube on the disk to a performance table. */
#include "performance_cube.h"
#include "base.h"
#include "cutoff.h"
#include "sweep_read.h"

/* All configurations may win, and the rest is set by the sweep. */
static sal_performance_choice presets_of(const sal_sweep *s)
{
  sal_performance_choice c = {
      .by = s->map_by, .weights = sal_work_presets(s), .scope = (sal_points_scope)s->points};

  for (int i = 0; i < s->n_method; ++i) c.method[i] = true;
  for (int i = 0; i < s->n_strategy; ++i) c.strategy[i] = true;
  return c;
}

/* An error that the sweep did not ask for: the names of those that the cube has, and how to have it. */
static sal_err fail_error(const char *path, const sal_sweep *s, const sal_error_metric *by)
{
  SAL_OWN_BY(sal_text_free) sal_text has = {0};

  for (const sal_error_metric *m = sal_error_metrics; m->what; ++m)
    if (sal_sweep_asks(s, sal_metrics[m->error].group))
      sal_text_add(&has, "%s%s", has.length ? ", " : "", sal_error_metric_name(m));
  return sal_fail(SAL_ERR_INPUT, "%s: has no %s; it has %s; a cube of a sweep with `%s` has it",
                  path, sal_error_metric_name(by), has.string ? has.string : "none", by->key);
}

/* Points are those of trajectories that all ran to their ends. */
static sal_err check_choice(const char *path, const sal_sweep *s, const sal_performance_choice *c,
                            sal_performance_scope scope)
{
  const char *flaw = sal_sweep_captures(s) ? sal_error_metric_capture_flaw(c->by, s->model) : NULL;

  if (!sal_sweep_asks(s, sal_metrics[c->by->error].group)) return fail_error(path, s, c->by);
  if (flaw) return sal_fail(SAL_ERR_USAGE, "%s: %s: %s", path, sal_error_metric_name(c->by), flaw);
  if (scope != SAL_PERFORMANCE_POINTS) return SAL_OK;
  if (!sal_cutoff_keeps_points(s))
    return sal_fail(
        SAL_ERR_INPUT,
        "%s: has no points, which compare whole runs by divergence_time and "
        "integral_absolute_error: its sweep stops or skips runs (cutoff, pilots), or leaves these "
        "metrics out (keep); run it without: --set 'cutoff={}' --set 'pilots={}'",
        path);
  if (c->by->trajectory) return SAL_OK;
  return sal_fail(SAL_ERR_USAGE,
                  "points are of trajectories, and there are none by %s; allowed with them: %s",
                  sal_error_metric_name(c->by), sal_error_metric_name(sal_error_metrics));
}

/* The sweep in the cube must be that of its dimensions: configurations are counted by both. */
static sal_err check_sweep(const char *path, const sal_sweep *s, const sal_cube *frame)
{
  bool same = s->n_cell == frame->n_cell && s->n_method == frame->n_method &&
              s->n_strategy == frame->n_strategy && s->n_tolerance == frame->n_tolerance;

  for (int i = 0; same && i < s->n_method; ++i)
    same = strcmp(s->method[i]->name, frame->method[i]) == 0;
  for (int i = 0; same && i < s->n_strategy; ++i)
    same = strcmp(s->strategy[i]->name, frame->strategy[i]) == 0;
  for (int i = 0; same && i < s->n_tolerance; ++i) same = s->tolerance[i] == frame->tolerance[i];
  if (same) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: its sweep and its dimensions do not belong together", path);
}

sal_err sal_performance_cube_counted(const sal_performance_table *a)
{
  if (a->n_counted > 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: has no %s: nothing in it can be recommended", a->sweep->path,
                  a->by->nowhere);
}

static sal_err fail_untimed(const sal_performance_cube *c)
{
  return sal_fail(SAL_ERR_INPUT,
                  "%s: was not timed (timing.repeats = 0); allowed: the duration of work",
                  c->sweep.path);
}

/* Has a run been timed? */
static bool has_times(const sal_performance_table *a)
{
  for (int64_t i = 0; i < a->n_cell * a->n_config; ++i)
    if (a->sd[i] > 0) return true;
  return false;
}

/* Sets up the table by the choice; it has no columns yet. */
static sal_err begin_table(const char *path, const sal_performance_chooser *chooser,
                           sal_performance_scope wanted, sal_performance_cube *c)
{
  sal_performance_choice is = presets_of(&c->sweep);

  const sal_err chosen = chooser ? chooser->choose(chooser->with, &c->sweep, &is) : SAL_OK;
  is.weights.time = c->time = is.time; /* freed with the cube, also where a choice is refused */
  SAL_TRY(chosen);
  SAL_TRY(check_choice(path, &c->sweep, &is, wanted));
  c->points =
      wanted != SAL_PERFORMANCE_ERRORS && is.by->trajectory && sal_cutoff_keeps_points(&c->sweep);
  memcpy(c->method, is.method, sizeof c->method);
  memcpy(c->strategy, is.strategy, sizeof c->strategy);
  c->wanted = wanted;
  c->table = (sal_performance_table){.sweep = &c->sweep,
                                     .n_cell = c->sweep.n_cell,
                                     .n_config = sal_config_count(&c->sweep),
                                     .by = is.by,
                                     .weights = is.weights,
                                     .scope = is.scope,
                                     .timed = is.timed && c->points};
  return SAL_OK;
}

sal_err sal_performance_cube_choose(sal_performance_cube *c, const sal_performance_chooser *chooser)
{
  return begin_table(c->sweep.path, chooser, SAL_PERFORMANCE_ERRORS, c);
}

/* Takes over the file, once there is a table. */
static sal_err begin_rows(const char *path, sal_cube_file **file,
                          const sal_performance_chooser *chooser, sal_performance_scope wanted,
                          sal_performance_cube *c)
{
  sal_cube_file *const taken = *file;

  SAL_TRY(begin_table(path, chooser, wanted, c));
  const sal_performance_rows_of of = {.sweep = &c->sweep,
                                      .by = c->table.by,
                                      .weights = c->table.weights,
                                      .points = c->points,
                                      .timed = c->table.timed};
  *file = NULL;
  return sal_performance_rows_open(taken, &of, &c->rows);
}

/* Would its runs be the same now, as far as can be known? */
static sal_err check_program(const sal_cube *frame, sal_performance_cube *c)
{
  SAL_OWN char *given = sal_sweep_given(&c->sweep);

  if (!given) return sal_fail(SAL_ERR_MEMORY, "no memory for a cube");
  c->same_program = frame->same_program && strcmp(given, frame->given) == 0;
  return SAL_OK;
}

static sal_err begin_cube(const char *path, const sal_performance_chooser *chooser,
                          sal_performance_scope scope, sal_performance_cube *out)
{
  SAL_OWN_BY(sal_cube_file_close) sal_cube_file *file = NULL;
  SAL_OWN_BY(sal_cube_free) sal_cube frame = {0};

  SAL_TRY(sal_cube_file_open(path, &file, &frame));
  SAL_TRY(sal_sweep_parse_results(path, frame.sweep_text, &out->sweep));
  SAL_TRY(check_sweep(path, &out->sweep, &frame));
  SAL_TRY(check_program(&frame, out));
  return begin_rows(path, &file, chooser, scope, out);
}

sal_err sal_performance_cube_begin(const char *path, const sal_performance_chooser *chooser,
                                   sal_performance_scope scope, sal_performance_cube *out)
{
  *out = (sal_performance_cube){0};
  const sal_err err = begin_cube(path, chooser, scope, out);
  if (err != SAL_OK) sal_performance_cube_free(out);
  return err;
}

sal_err sal_performance_cube_of_sweep(const char *path, const sal_sweep *sweep,
                                      sal_performance_scope scope, sal_performance_cube *out)
{
  *out = (sal_performance_cube){.sweep = *sweep, .borrowed = true};
  out->sweep.path = sal_text_copy(path);
  sal_err err = out->sweep.path ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a cube");
  if (err == SAL_OK) err = begin_table(path, NULL, scope, out);
  if (err != SAL_OK) sal_performance_cube_free(out);
  return err;
}

sal_performance_source sal_performance_cube_source(sal_performance_cube *c)
{
  sal_performance_source source =
      c->rows ? sal_performance_rows_source(c->rows) : sal_performance_source_of(&c->table);

  source.threads = sal_parallel_threads();
  source.loop = sal_parallel_for;
  return source;
}

static sal_err score_table(sal_performance_cube *c)
{
  sal_performance_table *a = &c->table;

  if (!a->sd) return SAL_OK;
  if (a->timed && !has_times(a)) return fail_untimed(c);
  return sal_performance_score(a, a->scope);
}

sal_err sal_performance_cube_table(sal_performance_cube *c)
{
  const sal_performance_table is = c->table;

  SAL_TRY(sal_performance_create(&c->sweep, is.n_cell, is.by, &is.weights, c->points, is.timed,
                                 &c->table));
  c->table.scope = is.scope;
  c->table.measure = is.measure;
  SAL_TRY(sal_performance_rows_all(c->rows, &c->table));
  sal_performance_rows_close(&c->rows);
  SAL_TRY(sal_performance_cube_counted(&c->table));
  return score_table(c);
}

sal_err sal_performance_cube_open(const char *path, const sal_performance_chooser *chooser,
                                  sal_performance_scope scope, sal_performance_cube *out)
{
  SAL_TRY(sal_performance_cube_begin(path, chooser, scope, out));
  const sal_err err = sal_performance_cube_table(out);
  if (err != SAL_OK) sal_performance_cube_free(out);
  return err;
}

/* Consumer of blocks, and the counts over them. */
typedef struct {
  sal_performance_rows_take *take;
  void *with;
  sal_performance_census sum;
} block_pass;

static sal_err pass_block(void *with, int64_t first, const sal_performance_table *rows)
{
  block_pass *p = with;

  p->sum.counted += rows->n_counted;
  p->sum.censored += rows->n_censored;
  return p->take(p->with, first, rows);
}

static sal_err take_census(sal_performance_cube *c, const sal_performance_census *sum)
{
  c->table.n_counted = sum->counted;
  c->table.n_censored = sum->censored;
  return sal_performance_cube_counted(&c->table);
}

/* Hands over rows of all cells, block by block in their order, verified after the last of them. Fails when no configuration can be
 * trusted anywhere. */
static sal_err read_each(sal_performance_cube *c, sal_performance_rows_take *take, void *with)
{
  block_pass p = {.take = take, .with = with};

  SAL_TRY(sal_performance_rows_each(c->rows, pass_block, &p));
  return take_census(c, &p.sum);
}

/* Data over all cells that points depend on. */
typedef struct {
  sal_points_range *range;
  bool timed;
} survey;

static sal_err survey_block(void *with, int64_t first, const sal_performance_table *rows)
{
  survey *s = with;

  (void)first;
  s->timed = s->timed || has_times(rows);
  return sal_performance_range(rows, s->range);
}

/* Once: reads all cells. */
static sal_err find_range(sal_performance_cube *c)
{
  survey s = {.range = &c->range};

  if (c->ranged) return SAL_OK;
  sal_points_range_clear(&c->range);
  SAL_TRY(read_each(c, survey_block, &s));
  if (c->table.timed && !s.timed) return fail_untimed(c);
  c->ranged = true;
  return SAL_OK;
}

sal_err sal_performance_cube_surveyed(sal_performance_cube *c, const sal_performance_census *sum,
                                      const sal_points_range *range, bool *points)
{
  *points = c->points;
  SAL_TRY(take_census(c, sum));
  if (!*points) return SAL_OK;
  if (c->table.timed && sum->timed == 0) return fail_untimed(c);
  c->range = *range;
  c->ranged = true;
  return SAL_OK;
}

sal_err sal_performance_cube_score(sal_performance_cube *c, sal_performance_table *rows)
{
  SAL_TRY(find_range(c));
  return sal_performance_score_in(rows, c->table.scope, &c->range);
}

/* Is the map by the error and the weights of work that are asked for?  Where work is a time any weights will do:
 * metric and shape are of errors alone. */
static sal_err fits_question(const sal_performance_cube *c, const sal_cube_file *file, bool *fits)
{
  const sal_work_weights *w = &c->table.weights;
  const double here[4] = {w->rhs, w->jacobian, w->factorisation, w->solve};
  double there[4];
  SAL_OWN char *name = NULL;
  int n;

  SAL_TRY(sal_cube_file_map_text(file, "error_metric", &name));
  *fits = name && strcmp(name, sal_error_metric_name(c->table.by)) == 0;
  if (!*fits || w->time) return SAL_OK;
  SAL_TRY(sal_cube_file_map_numbers(file, "work_weights", 4, &n, there));
  *fits = n == 4 && memcmp(here, there, sizeof here) == 0;
  return SAL_OK;
}

/* Reads an attribute that must have n numbers; *there becomes false where it has not. */
static sal_err read_numbers(const sal_cube_file *file, const char *name, int n, double value[],
                            bool *there)
{
  int found;

  if (!*there) return SAL_OK;
  SAL_TRY(sal_cube_file_map_numbers(file, name, n, &found, value));
  *there = found == n;
  return SAL_OK;
}

static sal_err read_metric(const sal_cube_file *file, int n, sal_surrogate_metric *metric,
                           bool *there)
{
  double l[SAL_SURROGATE_METRIC_NUMBERS];

  if (n == 0) return SAL_OK;
  SAL_TRY(read_numbers(file, "surrogate_metric", n * (n + 1) / 2, l, there));
  *there = *there && sal_surrogate_metric_of_triangle(n, l, metric);
  return SAL_OK;
}

/* A shape that is not a distribution counts as missing: probabilities must rise, and stay below 1. */
static sal_err read_shape(const sal_cube_file *file, sal_error_shape *shape, bool *there)
{
  double n = 0;

  SAL_TRY(read_numbers(file, "surrogate_shape_knots", 1, &n, there));
  *there = *there && n >= 1 && n <= SAL_BETWEEN_SHAPE_KNOTS;
  shape->n = *there ? (int)n : 0;
  SAL_TRY(read_numbers(file, "surrogate_shape_at", shape->n, shape->at, there));
  SAL_TRY(read_numbers(file, "surrogate_shape_below", shape->n, shape->below, there));
  for (int i = 0; i < shape->n && *there; ++i)
    *there =
        isfinite(shape->at[i]) && shape->below[i] >= 0 && shape->below[i] < 1 &&
        (i == 0 || (shape->at[i] >= shape->at[i - 1] && shape->below[i] >= shape->below[i - 1]));
  if (*there) sal_error_shape_index(shape);
  return SAL_OK;
}

/* A spread may be unknown, NaN. */
static sal_err read_between(const sal_cube_file *file, const sal_sweep *s, sal_between_levels *b,
                            bool *there)
{
  double n = 0;

  b->n_pair = sal_config_pairs(s);
  SAL_TRY(read_numbers(file, "surrogate_between_parts", 1, &n, there));
  *there = *there && n >= 0 && n < s->n_tolerance && n * b->n_pair <= SAL_BETWEEN_ROOM;
  b->n_part = *there ? (int)n : 0;
  const int each = b->n_pair * b->n_part;
  if (each == 0) return SAL_OK;
  SAL_TRY(read_numbers(file, "surrogate_between_power", b->n_pair, b->power, there));
  SAL_TRY(read_numbers(file, "surrogate_between_shift", each, b->shift, there));
  SAL_TRY(read_numbers(file, "surrogate_between_spread", each, b->spread, there));
  SAL_TRY(read_numbers(file, "surrogate_between_at", SAL_BETWEEN_QUANTILES, b->at, there));
  for (int i = 0; i < b->n_pair && *there; ++i) *there = b->power[i] >= 0 && isfinite(b->power[i]);
  for (int i = 0; i < each && *there; ++i)
    *there = isfinite(b->shift[i]) && !(b->spread[i] < 0) && !isinf(b->spread[i]);
  for (int i = 0; i < SAL_BETWEEN_QUANTILES && *there; ++i)
    *there = isfinite(b->at[i]) && (i == 0 || b->at[i] >= b->at[i - 1]);
  return SAL_OK;
}

sal_err sal_performance_cube_fit(const sal_performance_cube *c, sal_surrogate_fit *fit, bool *there)
{
  const sal_cube_file *file = c->rows ? sal_performance_rows_file(c->rows) : NULL;
  double asked[SAL_ERROR_METRIC_PRESETS], n = 0;

  *there = false;
  *fit = (sal_surrogate_fit){0};
  if (!file) return SAL_OK;
  SAL_TRY(fits_question(c, file, there));
  SAL_TRY(read_numbers(file, "surrogate_coordinates", 1, &n, there));
  *there = *there && n >= 0 && n <= SAL_SURROGATE_MOST_COORDINATES;
  SAL_TRY(read_metric(file, *there ? (int)n : 0, &fit->metric, there));
  SAL_TRY(read_numbers(file, "surrogate_width", SAL_ERROR_METRIC_PRESETS, fit->width, there));
  SAL_TRY(read_shape(file, &fit->shape, there));
  SAL_TRY(read_between(file, &c->sweep, &fit->between, there));
  SAL_TRY(read_numbers(file, "surrogate_asked", SAL_ERROR_METRIC_PRESETS, asked, there));
  SAL_TRY(
      read_numbers(file, "surrogate_predicted", SAL_ERROR_METRIC_PRESETS, fit->predicted, there));
  SAL_TRY(read_numbers(file, "surrogate_observed", SAL_ERROR_METRIC_PRESETS, fit->observed, there));
  for (int i = 0; i < SAL_ERROR_METRIC_PRESETS && *there; ++i) fit->asked[i] = (int64_t)asked[i];
  for (int i = 0; i < SAL_ERROR_METRIC_PRESETS; ++i)
    *there = *there && fit->width[i] >= 1 && fit->width[i] <= SAL_SURROGATE_MOST_WIDTH;
  return SAL_OK;
}

void sal_performance_cube_free(sal_performance_cube *c)
{
  sal_performance_rows_close(&c->rows);
  sal_performance_free(&c->table);
  sal_free(c->time);
  c->time = NULL;
  if (c->borrowed)
    sal_free(c->sweep.path);
  else
    sal_sweep_free(&c->sweep);
}
