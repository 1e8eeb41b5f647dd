/** @file src/app/score_table.c
 *  Sums of points as text and as JSON.
 */
#include "score_table.h"
#include "json.h"
#include "published.h"
#include "stiffness_table.h"
#include "text.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double busy_machine = 1.5; /* wall time over CPU time */

/* The records of one contender in all cells, `stride` apart. */
static const sal_record *records_of(const sal_cube *cube, int tolerance, int strategy, int method,
                                    int64_t *stride)
{
  const int64_t pairs = (int64_t)cube->n_strategy * cube->n_method;

  *stride = cube->n_tolerance * pairs;
  return cube->record + tolerance * pairs + (int64_t)strategy * cube->n_method + method;
}

double sal_score_table_sum(const sal_cube *cube, int metric, int tolerance, int strategy,
                           int method)
{
  int64_t stride;
  const sal_record *r = records_of(cube, tolerance, strategy, method, &stride);
  double sum = 0;

  for (int64_t i = 0; i < cube->n_cell; ++i) sum += r[i * stride].value[metric];
  return sum;
}

/* ---- spread ---- */

/* Points lost per second of solution duration in a cell: points are linear in it, so that the
 * shortest and the longest solution tell; 0 where all take the same time or get the same points. */
static double points_per_second(const sal_cube *cube, int64_t cell, int tolerance)
{
  const int64_t pairs = (int64_t)cube->n_strategy * cube->n_method;
  const sal_record *r = cube->record + (cell * cube->n_tolerance + tolerance) * pairs;
  const sal_record *shortest = NULL, *longest = NULL;

  for (int64_t i = 0; i < pairs; ++i) {
    const double *v = r[i].value;
    if (!sal_metric_finished(v[SAL_METRIC_OUTCOME]) || isnan(v[SAL_METRIC_SD])) continue;
    if (!shortest || v[SAL_METRIC_SD] < shortest->value[SAL_METRIC_SD]) shortest = &r[i];
    if (!longest || v[SAL_METRIC_SD] > longest->value[SAL_METRIC_SD]) longest = &r[i];
  }
  if (!shortest || shortest->value[SAL_METRIC_SD] == longest->value[SAL_METRIC_SD]) return 0;
  return (shortest->value[SAL_METRIC_POINTS_SD] - longest->value[SAL_METRIC_POINTS_SD]) /
         (longest->value[SAL_METRIC_SD] - shortest->value[SAL_METRIC_SD]);
}

/* A run that failed has 1 point however long it took. */
double sal_score_table_spread(const sal_cube *cube, int tolerance, int strategy, int method)
{
  int64_t stride;
  const sal_record *r = records_of(cube, tolerance, strategy, method, &stride);
  double sum = 0;

  for (int64_t i = 0; i < cube->n_cell; ++i) {
    const double *v = r[i * stride].value;
    if (sal_metric_finished(v[SAL_METRIC_OUTCOME]))
      sum += v[SAL_METRIC_SD_SPREAD] * points_per_second(cube, i, tolerance);
  }
  return sum;
}

double sal_score_table_busy(const sal_cube *cube)
{
  double wall = 0, cpu = 0;

  for (int64_t i = 0; i < cube->n_cell; ++i) {
    wall += cube->cell[i].value[SAL_CELL_WALL];
    cpu += cube->cell[i].value[SAL_CELL_SECONDS];
  }
  return cpu > 0 ? wall / cpu : NAN;
}

/* ---- ranks ---- */

/* Is sum j larger than sum i by more than their spreads? */
static bool clearly_larger(const double sum[], const double spread[], int j, int i)
{
  const double noise = spread ? fmax(spread[i], spread[j]) : 0; /* of NaN and x it is x */

  return sum[j] - sum[i] > (isnan(noise) ? 0 : noise);
}

void sal_score_table_rank(int n, const double sum[], const double spread[], int rank[])
{
  for (int i = 0; i < n; ++i) {
    rank[i] = isnan(sum[i]) ? 0 : 1;
    for (int j = 0; j < n && rank[i]; ++j) rank[i] += clearly_larger(sum, spread, j, i);
  }
}

static bool rank_is_shared(int n, const int rank[], int i)
{
  for (int j = 0; j < n; ++j)
    if (j != i && rank[j] == rank[i]) return true;
  return false;
}

/* ---- text ---- */

/* One column of a table. */
typedef struct {
  double sum[SAL_MAX_LIST], spread[SAL_MAX_LIST]; /* [n_method] */
  int rank[SAL_MAX_LIST];
  bool spread_known; /* of some sum */
} score_column;

static void rank_column(int n, score_column *c)
{
  sal_score_table_rank(n, c->sum, c->spread, c->rank);
  for (int m = 0; m < n; ++m) c->spread_known = c->spread_known || !isnan(c->spread[m]);
}

enum { SPREAD_WIDTH = 9, NAME_WIDTH = 8 };

static void print_title(FILE *out, const char *title, const score_column *c)
{
  fprintf(out, "  %8s%*s    ", title, c->spread_known ? SPREAD_WIDTH : 0, "");
}

/* "  126.12 +- 0.31 1= ": the paper ranks the first three. */
static void print_sum(FILE *out, int n, const score_column *c, int m)
{
  char place[12] = "-", spread[24] = "";

  if (c->rank[m] >= 1 && c->rank[m] <= 3)
    snprintf(place, sizeof place, "%d%s", c->rank[m], rank_is_shared(n, c->rank, m) ? "=" : "");
  if (!isnan(c->spread[m]) && !isnan(c->sum[m]))
    snprintf(spread, sizeof spread, " +- %.2f", c->spread[m]);
  if (isnan(c->sum[m]))
    fprintf(out, "  %8s%*s    ", "n/a", c->spread_known ? SPREAD_WIDTH : 0, "");
  else
    fprintf(out, "  %8.2f%-*s %-3s", c->sum[m], c->spread_known ? SPREAD_WIDTH : 0, spread, place);
}

static const struct {
  const char *title;
  int metric;
} columns[] = {{"SD", SAL_METRIC_POINTS_SD},
               {"f", SAL_METRIC_POINTS_RHS},
               {"DT", SAL_METRIC_POINTS_DT},
               {"DT(0)", SAL_METRIC_POINTS_DT0},
               {"IAE", SAL_METRIC_POINTS_IAE}};
enum { N_COLUMN = sizeof columns / sizeof *columns };

static void sum_columns(const sal_cube *cube, int t, int s, score_column column[N_COLUMN])
{
  for (int c = 0; c < N_COLUMN; ++c) {
    const bool timed = columns[c].metric == SAL_METRIC_POINTS_SD;
    column[c] = (score_column){0};
    for (int m = 0; m < cube->n_method; ++m) {
      column[c].sum[m] = sal_score_table_sum(cube, columns[c].metric, t, s, m);
      column[c].spread[m] = timed ? sal_score_table_spread(cube, t, s, m) : NAN;
    }
    rank_column(cube->n_method, &column[c]);
  }
}

static void print_score_table(FILE *out, const sal_cube *cube, int t, int s)
{
  const int width = sal_text_width(NAME_WIDTH, cube->n_method, cube->method);
  score_column column[N_COLUMN];

  sum_columns(cube, t, s, column);
  fprintf(out, "\n%s, tolerance %g\n%-*s", cube->strategy[s], cube->tolerance[t], width, "");
  for (int c = 0; c < N_COLUMN; ++c) print_title(out, columns[c].title, &column[c]);
  fprintf(out, "\n");
  for (int m = 0; m < cube->n_method; ++m) {
    fprintf(out, "%-*s", width, cube->method[m]);
    for (int c = 0; c < N_COLUMN; ++c) print_sum(out, cube->n_method, &column[c], m);
    fprintf(out, "\n");
  }
}

static bool any_spread(const sal_cube *cube)
{
  for (int64_t i = 0; i < cube->n_cell * cube->n_tolerance * cube->n_strategy * cube->n_method; ++i)
    if (!isnan(cube->record[i].value[SAL_METRIC_SD_SPREAD])) return true;
  return false;
}

/* What the reader of ranks by time should know. */
static void print_spread_remarks(FILE *out, const sal_cube *cube)
{
  const double busy = sal_score_table_busy(cube);

  if (!any_spread(cube)) return;
  fprintf(out, "+- what the points would lose if each run took the median of its repeats instead "
               "of the least;\n"
               "=  sums that differ by no more than that share a rank\n");
  if (busy > busy_machine)
    fprintf(out,
            "busy machine: the runs took %.1f times as long by the clock as they computed; do not "
            "trust close ranks\n",
            busy);
}

void sal_score_table_points(FILE *out, const sal_cube *cube)
{
  fprintf(out,
          "\nTables 3 and 4: points (best 10, worst 1 per cell) summed over %lld cell%s, and ranks "
          "1-3\n"
          "SD solution duration, f evaluations of f, DT divergence time with never = end (DT(0): "
          "never = 0),\n"
          "IAE integral of the absolute error\n",
          (long long)cube->n_cell, sal_text_plural(cube->n_cell));
  print_spread_remarks(out, cube);
  for (int s = 0; s < cube->n_strategy; ++s)
    for (int t = 0; t < cube->n_tolerance; ++t) print_score_table(out, cube, t, s);
}

/* p_tot of (36); a criterion without weight does not matter, also when it is missing. */
static double weighted_sum(const sal_cube *cube, const sal_weights *w, int t, int s, int m)
{
  const double weight[] = {w->sd, w->dt, w->iae};
  const int metric[] = {SAL_METRIC_POINTS_SD, SAL_METRIC_POINTS_DT, SAL_METRIC_POINTS_IAE};
  double sum = 0;

  for (int i = 0; i < 3; ++i)
    if (weight[i] != 0) sum += weight[i] * sal_score_table_sum(cube, metric[i], t, s, m);
  return sum;
}

static void total_column(const sal_cube *cube, const sal_weights *w, int t, int s, score_column *c)
{
  *c = (score_column){0};
  for (int m = 0; m < cube->n_method; ++m) {
    c->sum[m] = weighted_sum(cube, w, t, s, m);
    c->spread[m] = w->sd > 0 ? w->sd * sal_score_table_spread(cube, t, s, m) : NAN;
  }
  rank_column(cube->n_method, c);
}

void sal_score_table_total(FILE *out, const sal_cube *cube, const sal_weights *w)
{
  const int width = sal_text_width(NAME_WIDTH, cube->n_method, cube->method);
  score_column column;

  fprintf(out, "\nTable 5: p_tot = %g p_SD + %g p_DT + %g p_IAE, eq. (36), and ranks\n\n%-*s",
          w->sd, w->dt, w->iae, width, "");
  for (int s = 0; s < cube->n_strategy; ++s)
    for (int t = 0; t < cube->n_tolerance; ++t) {
      total_column(cube, w, t, s, &column);
      fprintf(out, "  %s %-*g", cube->strategy[s],
              (int)(12 - strlen(cube->strategy[s])) + (column.spread_known ? SPREAD_WIDTH : 0),
              cube->tolerance[t]);
    }
  fprintf(out, "\n");
  for (int m = 0; m < cube->n_method; ++m) {
    fprintf(out, "%-*s", width, cube->method[m]);
    for (int s = 0; s < cube->n_strategy; ++s)
      for (int t = 0; t < cube->n_tolerance; ++t) {
        total_column(cube, w, t, s, &column);
        print_sum(out, cube->n_method, &column, m);
      }
    fprintf(out, "\n");
  }
}

void sal_score_table_published(FILE *out)
{
  double total[SAL_PUBLISHED_METHODS];
  int rank[SAL_PUBLISHED_METHODS];

  for (int m = 0; m < SAL_PUBLISHED_METHODS; ++m) {
    const double *p = sal_published_points[0][1][m];
    total[m] = 2 * p[SAL_PUBLISHED_SD] + p[SAL_PUBLISHED_IAE];
  }
  sal_score_table_rank(SAL_PUBLISHED_METHODS, total, NULL, rank);
  fprintf(out,
          "\nTable 5 from the published points (switch, 1e-6, weights 2, 0, 1)\n\n"
          "%-8s  %10s %-3s  %10s\n",
          "", "recomputed", "", "published");
  for (int m = 0; m < SAL_PUBLISHED_METHODS; ++m)
    fprintf(out, "%-8s  %10.2f %-3d  %10.2f\n", sal_published_method[m], total[m], rank[m],
            sal_published_total[m]);
}

/* ---- JSON ---- */

enum { TOTAL = N_COLUMN }; /* the column behind those of Tables 3 and 4 */

static const char *column_name(int c)
{
  return c == TOTAL ? "total" : sal_metrics[columns[c].metric].name;
}

/* Sums, and under `spread` and `rank` the same names again: a spread only where it is known. */
static void put_contender(sal_json *j, const score_column column[N_COLUMN + 1], int m)
{
  for (int c = 0; c <= TOTAL; ++c) sal_json_number(j, column_name(c), column[c].sum[m]);
  sal_json_object(j, "spread");
  for (int c = 0; c <= TOTAL; ++c)
    if (column[c].spread_known) sal_json_number(j, column_name(c), column[c].spread[m]);
  sal_json_end(j);
  sal_json_object(j, "rank");
  for (int c = 0; c <= TOTAL; ++c)
    if (column[c].rank[m]) sal_json_whole(j, column_name(c), column[c].rank[m]);
  sal_json_end(j);
}

static void put_points(sal_json *j, const sal_cube *cube, const sal_weights *w)
{
  score_column column[N_COLUMN + 1];

  sal_json_array(j, "points");
  for (int s = 0; s < cube->n_strategy; ++s)
    for (int t = 0; t < cube->n_tolerance; ++t) {
      sum_columns(cube, t, s, column);
      total_column(cube, w, t, s, &column[TOTAL]);
      for (int m = 0; m < cube->n_method; ++m) {
        sal_json_object(j, NULL);
        sal_json_text(j, "strategy", cube->strategy[s]);
        sal_json_number(j, "rtol", cube->tolerance[t]);
        sal_json_text(j, "solver", cube->method[m]);
        put_contender(j, column, m);
        sal_json_end(j);
      }
    }
  sal_json_end(j);
}

void sal_score_table_json(FILE *out, const sal_cube *cube, const sal_weights *w)
{
  sal_json j;

  sal_json_begin(&j, out);
  sal_json_text(&j, "title", cube->title);
  sal_json_text(&j, "model", cube->model);
  sal_json_whole(&j, "cells", cube->n_cell);
  sal_json_number(&j, "wall_over_cpu_time", sal_score_table_busy(cube));
  sal_json_object(&j, "weights");
  sal_json_number(&j, "sd", w->sd);
  sal_json_number(&j, "dt", w->dt);
  sal_json_number(&j, "iae", w->iae);
  sal_json_end(&j);
  sal_stiffness_table_json(&j, "stiffness", cube);
  put_points(&j, cube, w);
  sal_json_end(&j);
}
