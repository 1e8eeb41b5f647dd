/** saltus tables: points of a cube summed over its cells. */
#include "answer_json.h"
#include "base.h"
#include "command.h"
#include "cube_read.h"
#include "sweep_read.h"

typedef struct {
  const char *path, *weights;
  bool json;
} options;
static const options presets = {.weights = "sd=2,dt=0,iae=1"};

#define OPTIONS_OF_tables
#include "options.def"

/* Columns of points; the total of (36) is their sum by weights. */
static const struct {
  const char *title;
  int metric;
  size_t weight; /* offset in sal_weights + 1; 0: the total leaves it out */
} columns[] = {{"SD", SAL_METRIC_POINTS_SD, offsetof(sal_weights, sd) + 1},
               {"f", SAL_METRIC_POINTS_RHS, 0},
               {"DT", SAL_METRIC_POINTS_DT, offsetof(sal_weights, dt) + 1},
               {"DT(0)", SAL_METRIC_POINTS_DT0, 0},
               {"IAE", SAL_METRIC_POINTS_IAE, offsetof(sal_weights, iae) + 1}};
enum { N_COLUMN = sizeof columns / sizeof *columns };

typedef struct {
  const char *strategy, *solver;
  double rtol, sum[N_COLUMN], total;
} row;

/* Sums over all cells, NaN where a cell has none; a criterion without weight does not matter, also
 * when it is missing. */
static row sum_config(const sal_cube *cube, const sal_weights *w, int t, int s, int m)
{
  const int64_t n = (int64_t)cube->n_tolerance * cube->n_strategy * cube->n_method;
  const int64_t config = ((int64_t)t * cube->n_strategy + s) * cube->n_method + m;
  row r = {.strategy = cube->strategy[s], .solver = cube->method[m], .rtol = cube->tolerance[t]};

  for (int c = 0; c < N_COLUMN; ++c) {
    const size_t at = columns[c].weight;
    const double weight = at ? *(const double *)(const void *)((const char *)w + at - 1) : 0;
    for (int64_t i = 0; i < cube->n_cell; ++i)
      r.sum[c] += cube->record[i * n + config].value[columns[c].metric];
    if (weight != 0) r.total += weight * r.sum[c];
  }
  return r;
}

static void print_sum(sal_report *r, const char *name, double sum)
{
  sal_json_number(&r->json, name, sum);
  if (isnan(sum))
    sal_report_say(r, " %10s", "n/a");
  else
    sal_report_say(r, " %10.2f", sum);
}

static void print_row(sal_report *r, const sal_cube *cube, const row *of)
{
  sal_json_object(&r->json, NULL);
  sal_json_members(&r->json, "strategy %s, rtol %g, solver %s", of->strategy, of->rtol, of->solver);
  sal_report_say(r, "%-*s %-7g %-*s", sal_text_width(8, cube->n_strategy, cube->strategy),
                 of->strategy, of->rtol, sal_text_width(8, cube->n_method, cube->method),
                 of->solver);
  for (int c = 0; c < N_COLUMN; ++c) print_sum(r, sal_metrics[columns[c].metric].name, of->sum[c]);
  print_sum(r, "total", of->total);
  sal_json_end(&r->json);
  sal_report_say(r, "\n");
}

static void print_head(sal_report *r, const char *path, const sal_cube *cube, const sal_weights *w)
{
  sal_json_members(&r->json, "title %s, model %s, cells %ld", cube->title, cube->model,
                   cube->n_cell);
  sal_answer_json_weights(&r->json, w);
  sal_report_say(r,
                 "%s\npoints (best 10, worst 1 per cell) summed over %lld cell%s; "
                 "total = %g SD + %g DT + %g IAE\n\n%-*s %-7s %-*s",
                 *cube->title ? cube->title : path, (long long)cube->n_cell,
                 sal_text_plural(cube->n_cell), w->sd, w->dt, w->iae,
                 sal_text_width(8, cube->n_strategy, cube->strategy), "strategy", "rtol",
                 sal_text_width(8, cube->n_method, cube->method), "solver");
  for (int c = 0; c < N_COLUMN; ++c) sal_report_say(r, " %10s", columns[c].title);
  sal_report_say(r, " %10s\n", "total");
}

static void print_points(sal_report *r, const char *path, const sal_cube *cube,
                         const sal_weights *w)
{
  print_head(r, path, cube, w);
  sal_json_array(&r->json, "points");
  for (int s = 0; s < cube->n_strategy; ++s)
    for (int t = 0; t < cube->n_tolerance; ++t)
      for (int m = 0; m < cube->n_method; ++m) {
        const row sums = sum_config(cube, w, t, s, m);
        print_row(r, cube, &sums);
      }
  sal_json_end(&r->json);
}

static sal_err check_tables(void *given)
{
  const options *o = given;
  sal_weights weights;

  return sal_map_weights_parse("--weights", o->weights, &weights);
}

/* With points. */
static sal_err read_cube(const char *path, sal_cube *cube)
{
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};

  SAL_TRY(sal_cube_read(path, cube));
  SAL_TRY(sal_sweep_parse_results(path, cube->sweep_text, &sweep));
  bool kept = true;
  for (int c = 0; c < N_COLUMN; ++c) kept = kept && sal_sweep_keeps(&sweep, columns[c].metric);
  if (kept) return SAL_OK;
  sal_cube_free(cube);
  return sal_fail(SAL_ERR_INPUT,
                  "%s: has no points: its sweep has points: none, or leaves them out (keep); "
                  "`saltus map --weights` and `analysis/rules.py` count them",
                  path);
}

static sal_err run_tables(void *given, sal_command_call *call)
{
  const options *o = given;
  sal_cube cube = {0};
  sal_weights weights;

  (void)call;
  SAL_TRY(sal_map_weights_parse("--weights", o->weights, &weights));
  SAL_TRY(read_cube(o->path, &cube));
  sal_report r = sal_report_begin(stdout, o->json);
  print_points(&r, o->path, &cube, &weights);
  sal_report_end(&r);
  sal_cube_free(&cube);
  return SAL_OK;
}

const sal_command_code sal_cmd_tables = {
    .table = {{rows, 0}}, SAL_COMMAND_OPTIONS(presets), .check = check_tables, .run = run_tables};
