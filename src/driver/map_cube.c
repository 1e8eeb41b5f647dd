/** Rows to the surrogate, both to answers, answers into the cube.
 *
 *  Once through all cells, for what must be known of them: the range of points, and whether there is anything to recommend.
 *  Their rows are kept by the ranks (map_rows.h).
 */
#include "map_cube.h"
#include "answer.h"
#include "atomic_file.h"
#include "base.h"
#include "collective_error.h"
#include "surrogate_view.h"

void sal_map_presets(const sal_error_metric *by, bool points, sal_map *map)
{
  static const sal_weights weights[] = {{2, 0, 1}, {1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  map->member = sal_answer_members;
  if (map->n_error == 0) {
    map->n_error = SAL_ERROR_METRIC_PRESETS;
    memcpy(map->error, by->preset, sizeof by->preset);
  }
  if (map->n_weights == 0 && points) {
    map->n_weights = sizeof weights / sizeof *weights;
    memcpy(map->weights, weights, sizeof weights);
  }
}

void sal_map_made_free(sal_map_made *made)
{
  sal_map_free(&made->questions);
  sal_map_summary_free(&made->summary);
  sal_performance_cube_free(&made->cube);
}

/* Work state of a map. */
typedef struct {
  MPI_Comm comm;
  int rank;
  sal_map_made *made;
  bool points, counts;           /* rows have points; a summary is wanted */
  sal_map_rows *rows;            /* what it is made from .. */
  sal_map_rows *own_rows;        /* .. read here; NULL: the caller's */
  sal_performance_source source; /* of the surrogate */
  sal_surrogate *surrogate;      /* NULL: none is possible */
} work;

static const sal_sweep *sweep_of(const work *w) { return &w->made->cube.sweep; }

/* ---- what must be known of all cells ---- */

/* Collective.  Reads the rows, unless they are there. */
static sal_err read_rows(work *w)
{
  const sal_performance_cube *c = &w->made->cube;
  const sal_performance_rows_of of = {.sweep = &c->sweep,
                                      .by = c->table.by,
                                      .weights = c->table.weights,
                                      .points = c->points,
                                      .timed = c->table.timed,
                                      .n_error = w->made->questions.n_error,
                                      .error = w->made->questions.error};

  if (w->rows) return SAL_OK;
  SAL_TRY(sal_map_rows_create(w->comm, &of, &w->own_rows));
  w->rows = w->own_rows;
  return sal_map_rows_read(w->rows, c->rows);
}

/* Collective. */
static sal_err take_census(work *w)
{
  sal_map_census sum;

  SAL_TRY(read_rows(w));
  SAL_TRY(sal_map_rows_count(w->rows, &sum));
  return sal_performance_cube_surveyed(&w->made->cube, &sum.of, &sum.range, &w->points);
}

/* Sets the questions, and the data that all cells share. */
static sal_err settle_questions(work *w)
{
  const sal_performance_cube *c = &w->made->cube;
  sal_map *m = &w->made->questions;

  sal_map_presets(c->table.by, w->points, m);
  memcpy(m->method, c->method, sizeof m->method);
  memcpy(m->strategy, c->strategy, sizeof m->strategy);
  m->n_cell = c->sweep.n_cell;
  m->n_tolerance = c->sweep.n_tolerance;
  m->by = c->table.by;
  m->work = c->table.weights;
  m->scope = c->table.scope;
  m->timed = c->table.timed;
  if (w->counts) SAL_TRY(sal_map_summary_create(&c->sweep, m, &w->made->summary));
  return SAL_OK;
}

/* Collective.  Adds the summaries of all ranks. */
static sal_err add_summaries(const work *w)
{
  sal_map_summary *s = &w->made->summary;

  if (!w->counts) return SAL_OK;
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, s->count, (int)s->n, MPI_INT64_T, MPI_SUM, w->comm));
  return SAL_OK;
}

/* scale [n]: room for what errors change along each coordinate by itself. */
static sal_map_reading describe_surrogate(const sal_surrogate_fit *fit, double scale[])
{
  for (int a = 0; a < fit->metric.n; ++a) scale[a] = sal_surrogate_metric_scale(&fit->metric, a);
  return (sal_map_reading){.n = fit->metric.n,
                           .scale = scale,
                           .metric = fit->metric.l,
                           .n_knot = fit->shape.n,
                           .shape_at = fit->shape.at,
                           .shape_below = fit->shape.below,
                           .n_pair = fit->between.n_pair,
                           .n_part = fit->between.n_part,
                           .n_between = SAL_BETWEEN_QUANTILES,
                           .between_power = fit->between.power,
                           .between_shift = fit->between.shift,
                           .between_spread = fit->between.spread,
                           .between_at = fit->between.at,
                           .width = fit->width,
                           .asked = fit->asked,
                           .predicted = fit->predicted,
                           .observed = fit->observed};
}

/* Collective.  *begun: there is room for it, and the file is being changed. */
static sal_err write_map(work *w, const char *path, sal_map_where where, bool *begun)
{
  const sal_map_answers_of of = {.comm = w->comm,
                                 .questions = &w->made->questions,
                                 .cube = &w->made->cube,
                                 .rows = w->rows,
                                 .surrogate = w->surrogate,
                                 .summary = w->counts ? &w->made->summary : NULL};
  sal_map_file *file = NULL;
  double scale[SAL_SURROGATE_MOST_COORDINATES];
  sal_map_reading is;

  if (w->surrogate) is = describe_surrogate(sal_surrogate_fit_of(w->surrogate), scale);
  sal_err err = sal_map_write_open(w->comm, path, where, sweep_of(w), &w->made->questions,
                                   w->surrogate ? &is : NULL, &file);
  *begun = err == SAL_OK;
  if (err == SAL_OK) err = sal_map_answers_write(&of, file);
  err = sal_map_write_close(&file, err);
  return err == SAL_OK ? add_summaries(w) : err;
}

/* On rank 0: fits the surrogate.  Where the cells of the sample are too few for it, the map has
 * the winners alone. */
static sal_err learn(work *w)
{
  const sal_err err = sal_surrogate_open(&w->source, NULL, &w->surrogate);

  if (err != SAL_ERR_INPUT) return err;
  sal_err_clear();
  return SAL_OK;
}

/* In boxes a rank needs its own rows and few others; else it may need all. */
static sal_err expect_all(work *w)
{
  if (sal_cell_order_has_boxes(sal_map_rows_order(w->rows))) return SAL_OK;
  return sal_surrogate_expect(w->surrogate, sweep_of(w)->n_cell / sal_collective_ranks(w->comm));
}

/* Collective.  Opens the surrogate of the cube; rank 0 fits it for all. */
static sal_err open_surrogate(work *w)
{
  sal_surrogate_fit fit = {.metric = {.n = -1}};
  bool possible;
  sal_err err = sal_surrogate_possible(sweep_of(w), &possible);

  SAL_TRY(sal_collective_error(w->comm, err));
  if (!possible || w->made->questions.n_error == 0) return SAL_OK;
  w->source = sal_row_store_source(sal_map_rows_store(w->rows));
  SAL_TRY(sal_map_rows_agree(w->rows, w->rank == 0 ? learn(w) : SAL_OK));
  if (w->surrogate) fit = *sal_surrogate_fit_of(w->surrogate);
  SAL_TRY_MPI(MPI_Bcast(&fit, (int)sizeof fit, MPI_BYTE, 0, w->comm));
  if (w->rank > 0 && fit.metric.n >= 0) err = sal_surrogate_open(&w->source, &fit, &w->surrogate);
  if (err == SAL_OK && w->surrogate) /* rank 0 has done it for the fit */
    err = sal_surrogate_view_share(w->surrogate, sal_parallel_threads(), sal_parallel_for);
  if (err == SAL_OK && w->surrogate) err = expect_all(w);
  return sal_map_rows_agree(w->rows, err);
}

/* Where there are rows in memory the cube is not read at all. */
static sal_err open_cube(work *w, const sal_map_request *r, const sal_sweep *sweep)
{
  sal_performance_cube *c = &w->made->cube;
  const sal_performance_scope scope =
      w->made->questions.n_weights > 0 ? SAL_PERFORMANCE_POINTS : SAL_PERFORMANCE_EITHER;

  if (sweep) return sal_performance_cube_of_sweep(r->path, sweep, scope, c);
  SAL_TRY(sal_performance_cube_begin(r->path, r->chooser, scope, c));
  return r->ask ? r->ask(r->with, &c->table, &w->made->questions) : SAL_OK;
}

/* Collective.  Everything that may be refused.  sweep: of the rows that there are; NULL: none. */
static sal_err prepare(work *w, const sal_map_request *r, const sal_sweep *sweep)
{
  w->rank = sal_collective_rank(w->comm);
  SAL_TRY(sal_collective_error(w->comm, open_cube(w, r, sweep)));
  SAL_TRY(sal_collective_error(w->comm, take_census(w)));
  SAL_TRY(sal_collective_error(w->comm, settle_questions(w)));
  return open_surrogate(w);
}

static void end_work(work *w)
{
  sal_surrogate_close(&w->surrogate);
  sal_map_rows_free(&w->own_rows);
}

sal_err sal_map_cube(MPI_Comm comm, const sal_map_request *request, sal_map_made *made)
{
  SAL_OWN_BY(end_work) work w = {.comm = comm, .made = made, .counts = true};
  bool begun;

  SAL_TRY(prepare(&w, request, NULL));
  return write_map(&w, request->path, SAL_MAP_IN_PLACE, &begun);
}

static sal_err count_captured(void *with, const sal_tile_result *result)
{
  sal_map_captured *captured = with;

  for (int64_t i = 0; i < result->count; ++i) {
    const double apart = result->cell[i].value[SAL_CELL_CAPTURED];
    if (isnan(apart)) continue;
    ++captured->cells;
    captured->least = fmin(captured->least, apart);
    captured->most = fmax(captured->most, apart);
  }
  return SAL_OK;
}

sal_err sal_map_captured_count(const char *path, const sal_sweep *sweep, sal_map_captured *captured)
{
  static const sal_cube_file_metrics wanted = {.n_of_cell = 1, .of_cell = {SAL_CELL_CAPTURED}};
  SAL_OWN_BY(sal_cube_file_close) sal_cube_file *file = NULL;
  SAL_OWN_BY(sal_cube_free) sal_cube frame = {0};

  *captured = (sal_map_captured){0, INFINITY, 0};
  if (!sal_sweep_captures(sweep)) return SAL_OK;
  SAL_TRY(sal_cube_file_open(path, &file, &frame));
  return sal_cube_file_each(file, &wanted, count_captured, captured);
}

/* The message of a failure as a reason, without the name of a file that will soon have another. */
static void take_reason(const char *path, const char *part, size_t size, char why[])
{
  const char *said = sal_err_message();
  const bool named = strncmp(said, part, strlen(part)) == 0;

  snprintf(why, size, "%s%s", named ? path : "", named ? said + strlen(part) : said);
  sal_err_clear();
}

/* Only failures of the sweep are the reason that it has no map; those of the machine are returned. */
static bool is_of_the_sweep(sal_err err) { return err == SAL_ERR_USAGE || err == SAL_ERR_INPUT; }

sal_err sal_map_cube_part(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                          sal_map_rows *rows, size_t size, char why[])
{
  char part[PATH_MAX];
  bool begun = false;
  SAL_OWN_BY(sal_map_made_free) sal_map_made made = {0};
  SAL_OWN_BY(end_work) work w = {.comm = comm, .made = &made, .rows = rows};

  why[0] = '\0';
  SAL_TRY(sal_atomic_file_name(path, part));
  sal_err err = prepare(&w, &(sal_map_request){.path = part}, rows ? sweep : NULL);
  if (err == SAL_OK) err = write_map(&w, path, SAL_MAP_PART, &begun);
  if (!begun && is_of_the_sweep(err)) {
    take_reason(path, part, size, why);
    err = SAL_OK;
  }
  return err;
}
