/** @file src/driver/map_cube.c
 *  Cube to rows, rows to map, map to cube.
 *
 *  Twice through all cells: first for what must be known of all of them, the range of points and
 *  whether there is anything to recommend; then for the answers.  A round is one piece of each
 *  dataset, in which each rank has a run of cells.  Rows of the first pass are kept by the ranks, if there is room
 *  for them (row_store.h); else the second one reads them again, and the reader those that it needs.
 */
#include "map_cube.h"
#include "atomic_file.h"
#include "collective_error.h"
#include "contender.h"
#include "map_group.h"
#include "memory.h"
#include "reader.h"
#include "recommend.h"
#include "row_store.h"
#include "sched.h"
#include <stdio.h>
#include <string.h>

void sal_map_presets(const sal_error_metric *by, bool points, sal_map *map)
{
  static const sal_weights weights[] = {{2, 0, 1}, {1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

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

/* What a pass over the cells works with. */
typedef struct {
  MPI_Comm comm;
  int rank, n_rank;
  sal_map_made *made;
  bool points, counts;           /* rows have points; a summary is wanted */
  sal_row_store *store;          /* NULL: rows are read again */
  sal_performance_source source; /* of the reader */
  sal_reader *reader;            /* NULL: none is possible */
  int64_t block;                 /* cells of a rank in a round, but in the last one */
  int64_t rounds;
} work;

static const sal_sweep *sweep_of(const work *w) { return &w->made->cube.sweep; }

/* This rank's cells of a round. */
static int64_t cells_of(const work *w, int64_t round, int64_t *first)
{
  const int64_t n = sweep_of(w)->n_cell;

  *first = (round * w->n_rank + w->rank) * w->block;
  if (*first >= n) *first = n;
  return n - *first < w->block ? n - *first : w->block;
}

int64_t sal_map_round(const sal_map *m, int64_t n_cell, int n_contender, int n_rank)
{
  const int64_t fair = (n_cell + n_rank - 1) / n_rank;
  const int64_t places = (int64_t)m->n_error + (int64_t)m->n_weights * m->n_tolerance;
  const int64_t bytes = 8 * (int64_t)sizeof(double) * n_contender +
                        (int64_t)(sizeof(sal_map_place) + sizeof(sal_map_answer)) * places;
  const int64_t fits = SAL_MAP_ROUND / bytes > 1 ? SAL_MAP_ROUND / bytes : 1;

  return fits < fair ? fits : fair;
}

/* Collective.  Answers what others ask for, until all are here. */
static sal_err meet(const work *w) { return w->store ? sal_row_store_meet(w->store) : SAL_OK; }

/* Collective.  Brings all ranks together, and a failure of one to all. */
static sal_err agree(const work *w, sal_err here)
{
  SAL_TRY(meet(w));
  return sal_collective_error(w->comm, here);
}

/* For the questions that there will be, with points if all cells have them. */
static void divide(work *w)
{
  const int64_t n = sweep_of(w)->n_cell;
  sal_map asked = w->made->questions;

  asked.n_tolerance = sweep_of(w)->n_tolerance;
  sal_map_presets(w->made->cube.table.by, w->points, &asked);
  w->block = sal_map_round(&asked, n, sal_contender_count(sweep_of(w)), w->n_rank);
  w->rounds = (n + w->block * w->n_rank - 1) / (w->block * w->n_rank);
}

/* Room for rows of a round; freed by the caller, after a failure, too. */
static sal_err make_rows(const work *w, int64_t count, sal_performance_table *rows)
{
  const sal_performance_cube *c = &w->made->cube;

  SAL_TRY(sal_performance_create(&c->sweep, count > 0 ? count : 1, &c->table.weights, w->points,
                                 c->table.timed, rows));
  rows->n_cell = count;
  rows->by = c->table.by;
  return SAL_OK;
}

/* ---- what must be known of all cells ---- */

typedef struct {
  sal_performance_census of;
  sal_points_range range;
} census;

static void count_pairs(const sal_performance_table *rows, sal_performance_census *sum)
{
  sum->counted += rows->n_counted;
  sum->censored += rows->n_censored;
  for (int t = 0; t < SAL_MAX_LIST; ++t) sum->withheld[t] += rows->n_withheld[t];
  for (int64_t i = 0; i < rows->n_cell * rows->n_contender; ++i)
    sum->timed += rows->sd && isfinite(rows->error[i]) && rows->sd[i] > 0;
}

static sal_err count_round(work *w, int64_t round, census *sum)
{
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};
  int64_t first;
  const int64_t count = cells_of(w, round, &first);

  SAL_TRY(make_rows(w, count, &rows));
  SAL_TRY(sal_performance_rows_run(w->made->cube.rows, first, &rows));
  count_pairs(&rows, &sum->of);
  if (w->store) sal_row_store_put(w->store, first, &rows);
  return rows.sd ? sal_performance_range(&rows, &sum->range) : SAL_OK;
}

/* Collective.  What the ranks have read, each cell once, is what was written. */
static sal_err verify_cells(const work *w)
{
  sal_cube_file *file = sal_performance_rows_file(w->made->cube.rows);
  uint64_t sum[SAL_CUBE_FILE_SUMS];

  sal_cube_file_take_sums(file, sum);
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, sum, SAL_CUBE_FILE_SUMS, MPI_UINT64_T, MPI_SUM, w->comm));
  return sal_collective_error(w->comm, sal_cube_file_verify(file, sum));
}

/* Collective. */
static sal_err open_store(work *w)
{
  const sal_performance_cube *c = &w->made->cube;
  const sal_performance_rows_of of = {.sweep = &c->sweep,
                                      .by = c->table.by,
                                      .weights = c->table.weights,
                                      .points = w->points,
                                      .timed = c->table.timed};

  return sal_row_store_create(w->comm, &of, w->block, &w->store);
}

/* Collective. */
static sal_err take_census(work *w)
{
  census sum = {0};
  sal_err err = SAL_OK;

  SAL_TRY(open_store(w));
  sal_points_range_clear(&sum.range);
  for (int64_t round = 0; round < w->rounds && err == SAL_OK; ++round)
    err = count_round(w, round, &sum);
  SAL_TRY(sal_collective_error(w->comm, err));
  SAL_TRY(verify_cells(w));
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, &sum.of, (int)(sizeof sum.of / sizeof(int64_t)),
                            MPI_INT64_T, MPI_SUM, w->comm));
  SAL_TRY(sal_sched_reduce_range(w->comm, SAL_N_CRITERION * SAL_MAX_LIST, &sum.range.lo[0][0],
                                 &sum.range.hi[0][0]));
  return sal_performance_cube_surveyed(&w->made->cube, &sum.of, &sum.range, &w->points);
}

/* ---- the answers ---- */

/* A part of the map: its questions, and places for `count` cells. */
static sal_err answer_rows(const work *w, int64_t first, int64_t count, sal_map *part)
{
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};
  sal_performance_cube *c = &w->made->cube;

  SAL_TRY(make_rows(w, count, &rows));
  if (w->store)
    sal_row_store_run(w->store, first, &rows);
  else
    SAL_TRY(sal_performance_rows_run(c->rows, first, &rows));
  *part = w->made->questions;
  if (rows.sd) SAL_TRY(sal_performance_cube_score(c, &rows));
  rows.n_censored = c->table.n_censored;
  return sal_recommend(&rows, part);
}

static sal_err make_part(const work *w, int64_t first, int64_t count, sal_map *part)
{
  SAL_TRY(answer_rows(w, first, count, part));
  if (!w->reader) return SAL_OK;
  part->answer = sal_alloc((size_t)(count * part->n_error), sizeof *part->answer);
  if (!part->answer) return sal_fail(SAL_ERR_MEMORY, "no memory for answers");
  return sal_reader_map(w->reader, &w->made->questions, first, count, part->answer);
}

/* Collective. */
static sal_err map_round(work *w, int64_t round, sal_map_file *file)
{
  SAL_OWN_BY(sal_map_free) sal_map part = {0};
  int64_t first;
  const int64_t count = cells_of(w, round, &first);

  SAL_TRY(agree(w, make_part(w, first, count, &part)));
  SAL_TRY(sal_map_write_put(file, first, &part));
  if (w->counts) sal_map_summary_add(&w->made->summary, &part);
  return SAL_OK;
}

/* Collective.  Those of all ranks. */
static sal_err add_summaries(const work *w)
{
  sal_map_summary *s = &w->made->summary;

  if (!w->counts) return SAL_OK;
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, s->count, (int)s->n, MPI_INT64_T, MPI_SUM, w->comm));
  return SAL_OK;
}

/* scale [n]: room for what errors change along each coordinate by itself. */
static sal_map_reading describe_reader(const sal_reader_fit *fit, double scale[])
{
  for (int a = 0; a < fit->metric.n; ++a) scale[a] = sal_reader_metric_scale(&fit->metric, a);
  return (sal_map_reading){.n = fit->metric.n,
                           .scale = scale,
                           .metric = fit->metric.l,
                           .n_knot = fit->shape.n,
                           .shape_at = fit->shape.at,
                           .shape_below = fit->shape.below,
                           .width = fit->width,
                           .asked = fit->asked,
                           .promised = fit->promised,
                           .kept = fit->kept};
}

/* Collective.  *begun: there is room for it, and the file is being changed. */
static sal_err write_map(work *w, const char *path, sal_map_where where, const char *hints,
                         bool *begun)
{
  sal_map_file *file = NULL;
  double scale[SAL_READER_MOST_COORDINATES];
  sal_map_reading is;

  if (w->reader) is = describe_reader(sal_reader_fit_of(w->reader), scale);
  sal_err err = sal_map_write_open(w->comm, path, where, sweep_of(w), &w->made->questions,
                                   w->reader ? &is : NULL, hints, &file);
  *begun = err == SAL_OK;
  for (int64_t round = 0; round < w->rounds && err == SAL_OK; ++round)
    err = map_round(w, round, file);
  err = sal_map_write_close(&file, err);
  return err == SAL_OK ? add_summaries(w) : err;
}

/* What is asked, and what else holds for all cells. */
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

/* ---- from the beginning to the end ---- */

/* On rank 0: the reader learns.  Where it says that there are too few cells of a sample, the map has
 * the winners alone. */
static sal_err learn(work *w)
{
  const sal_err err = sal_reader_open(&w->source, NULL, &w->reader);

  if (err != SAL_ERR_INPUT) return err;
  sal_err_clear();
  return SAL_OK;
}

/* Collective.  The reader of the cube; rank 0 learns for all. */
static sal_err open_reader(work *w)
{
  sal_reader_fit fit = {.metric = {.n = -1}};
  bool possible;
  sal_err err = sal_reader_possible(sweep_of(w), &possible);

  SAL_TRY(sal_collective_error(w->comm, err));
  if (!possible || w->made->questions.n_error == 0) return SAL_OK;
  w->source =
      w->store ? sal_row_store_source(w->store) : sal_performance_cube_source(&w->made->cube);
  SAL_TRY(agree(w, w->rank == 0 ? learn(w) : SAL_OK));
  if (w->reader) fit = *sal_reader_fit_of(w->reader);
  SAL_TRY_MPI(MPI_Bcast(&fit, (int)sizeof fit, MPI_BYTE, 0, w->comm));
  if (w->rank > 0 && fit.metric.n >= 0) err = sal_reader_open(&w->source, &fit, &w->reader);
  if (err == SAL_OK && w->reader) err = sal_reader_expect(w->reader, w->rounds * w->block);
  return agree(w, err);
}

static sal_err open_cube(work *w, const sal_map_request *r)
{
  const sal_performance_scope scope =
      w->made->questions.n_weights > 0 ? SAL_PERFORMANCE_POINTS : SAL_PERFORMANCE_EITHER;

  SAL_TRY(sal_performance_cube_begin(r->path, r->chooser, scope, &w->made->cube));
  if (r->ask) SAL_TRY(r->ask(r->with, &w->made->cube.table, &w->made->questions));
  w->points = sal_performance_rows_points(w->made->cube.rows);
  divide(w);
  return SAL_OK;
}

/* Collective.  Everything that may be refused. */
static sal_err prepare(work *w, const sal_map_request *r)
{
  SAL_TRY_MPI(MPI_Comm_rank(w->comm, &w->rank));
  SAL_TRY_MPI(MPI_Comm_size(w->comm, &w->n_rank));
  SAL_TRY(sal_collective_error(w->comm, open_cube(w, r)));
  SAL_TRY(sal_collective_error(w->comm, take_census(w)));
  SAL_TRY(sal_collective_error(w->comm, settle_questions(w)));
  return open_reader(w);
}

static void end_work(work *w)
{
  sal_reader_close(&w->reader);
  sal_row_store_free(&w->store);
}

sal_err sal_map_cube(MPI_Comm comm, const sal_map_request *request, sal_map_made *made)
{
  SAL_OWN_BY(end_work) work w = {.comm = comm, .made = made, .counts = true};
  bool begun;

  SAL_TRY(prepare(&w, request));
  return write_map(&w, request->path, SAL_MAP_IN_PLACE, request->hints, &begun);
}

/* The message of a failure as a reason, without the name of a file that will soon have another. */
static void take_reason(const char *path, const char *part, size_t size, char why[])
{
  const char *said = sal_err_message();
  const bool named = strncmp(said, part, strlen(part)) == 0;

  snprintf(why, size, "%s%s", named ? path : "", named ? said + strlen(part) : said);
  sal_err_clear();
}

/* A failure of the machine is no reason why a sweep has no map. */
static bool is_of_the_sweep(sal_err err) { return err == SAL_ERR_USAGE || err == SAL_ERR_INPUT; }

sal_err sal_map_cube_part(MPI_Comm comm, const char *path, const char *hints, size_t size,
                          char why[])
{
  char part[PATH_MAX];
  bool begun = false;
  SAL_OWN_BY(sal_map_made_free) sal_map_made made = {0};
  SAL_OWN_BY(end_work) work w = {.comm = comm, .made = &made};

  why[0] = '\0';
  SAL_TRY(sal_atomic_file_name(path, part));
  sal_err err = prepare(&w, &(sal_map_request){.path = part});
  if (err == SAL_OK) err = write_map(&w, path, SAL_MAP_PART, hints, &begun);
  if (!begun && is_of_the_sweep(err)) {
    take_reason(path, part, size, why);
    err = SAL_OK;
  }
  return err;
}
