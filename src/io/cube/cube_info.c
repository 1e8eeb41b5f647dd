/** @file src/io/cube/cube_info.c
 *  What a cube holds, for people.
 */
#include "cube_info.h"
#include "cube_layout.h"
#include "cube_open.h"
#include "cube_read.h"
#include "dataset.h"
#include "h5_text.h"
#include "map.h"
#include "stored_write.h"
#include <math.h>
#include <stdlib.h>

/* Smallest and largest of the values that are numbers, and how many those are. */
typedef struct {
  double  lo, hi;
  int64_t n;
} range;

static range range_of(int64_t n, const double *value, int stride)
{
  range r = {NAN, NAN, 0};

  for (int64_t i = 0; i < n; ++i) {
    const double v = value[i * stride];
    if (isnan(v)) continue;
    r.lo = fmin(r.lo, v);
    r.hi = fmax(r.hi, v);
    ++r.n;
  }
  return r;
}

static void print_range(FILE *out, const char *name, range r, int64_t n)
{
  fprintf(out, "  %-26s ", name);
  if (r.n == 0)
    fprintf(out, "none");
  else if (r.lo == r.hi)
    fprintf(out, "%g", r.lo);
  else
    fprintf(out, "%g .. %g", r.lo, r.hi);
  if (r.n && r.n < n) fprintf(out, "   (in %lld of %lld cells)", (long long)r.n, (long long)n);
  fprintf(out, "\n");
}

/* "name  n  word word ..." of a dimension. */
static void print_names(FILE *out, const char *dimension, int n, char *const name[])
{
  fprintf(out, "  %-10s %8d  ", dimension, n);
  for (int i = 0; i < n; ++i) fprintf(out, " %s", name[i]);
  fprintf(out, "\n");
}

static void print_dimensions(FILE *out, const sal_cube *c)
{
  fprintf(out, "\nDimensions\n  %-10s %8lld\n", "cell", (long long)c->n_cell);
  fprintf(out, "  %-10s %8d  ", "rtol", c->n_tolerance);
  for (int i = 0; i < c->n_tolerance; ++i) fprintf(out, " %g", c->tolerance[i]);
  fprintf(out, "\n");
  print_names(out, "strategy", c->n_strategy, c->strategy);
  print_names(out, "solver", c->n_method, c->method);

  fprintf(out, "\nCells\n");
  for (int i = 0; i < c->n_param; ++i)
    print_range(out, c->param_name[i], range_of(c->n_cell, c->param + i, c->n_param), c->n_cell);
  for (int i = 0; i < c->n_state; ++i) {
    char name[128];
    snprintf(name, sizeof name, "initial_%s", c->state_name[i]);
    print_range(out, name, range_of(c->n_cell, c->initial + i, c->n_state), c->n_cell);
  }
}

/* Stored trajectories, if there are any. */
static sal_err print_stored(FILE *out, const sal_h5 *file)
{
  static const char *const scale[] = {SAL_STORED_GROUP "/cell", SAL_STORED_GROUP "/t"};
  int64_t                  n[2]    = {0, 0};
  bool                     there;

  SAL_TRY(sal_h5_has(file, SAL_STORED_GROUP, &there));
  if (!there) return SAL_OK;
  for (int i = 0; i < 2; ++i) {
    sal_dataset d;
    SAL_TRY(sal_dataset_open(file, scale[i], &d));
    n[i] = d.n;
    sal_dataset_close(&d);
  }
  fprintf(out, "\nTrajectories are kept of %lld cells at %lld points\n", (long long)n[0],
          (long long)n[1]);
  return SAL_OK;
}

/* Trajectories per outcome, the last place for unknown ones: all, and of each method. */
typedef struct {
  int64_t all[SAL_N_OUTCOME + 1];
  int64_t (*of)[SAL_N_OUTCOME + 1]; /* [n_method] */
} tally;

static void print_tally(FILE *out, const sal_cube *c, const tally *t)
{
  const int64_t n = sal_cube_open_records(c);

  fprintf(out, "\nOutcomes of %lld trajectories\n", (long long)n);
  for (int o = 0; o <= SAL_N_OUTCOME; ++o)
    if (t->all[o])
      fprintf(out, "  %-16s %10lld  %s\n",
              o < SAL_N_OUTCOME ? sal_metric_outcomes[o].label : "unknown", (long long)t->all[o],
              o < SAL_N_OUTCOME ? sal_metric_outcomes[o].what : "");
  if (t->all[SAL_OUT_DONE] == n) return;

  fprintf(out, "\n  %-16s", "by solver");
  for (int o = 0; o <= SAL_N_OUTCOME; ++o)
    if (t->all[o])
      fprintf(out, " %14s", o < SAL_N_OUTCOME ? sal_metric_outcomes[o].label : "unknown");
  fprintf(out, "\n");
  for (int m = 0; m < c->n_method; ++m) {
    fprintf(out, "  %-16s", c->method[m]);
    for (int o = 0; o <= SAL_N_OUTCOME; ++o)
      if (t->all[o]) fprintf(out, " %14lld", (long long)t->of[m][o]);
    fprintf(out, "\n");
  }
}

static sal_err read_outcomes(const sal_h5 *file, int64_t n, double **outcome)
{
  SAL_TRY_ROOM(file, *outcome, n);
  return sal_dataset_read_column(file, sal_metrics[SAL_METRIC_OUTCOME].name, n, 1, *outcome);
}

static sal_err print_outcomes(FILE *out, const sal_h5 *file, const sal_cube *c)
{
  const int64_t n = sal_cube_open_records(c);
  tally         t = {.of = sal_alloc((size_t)c->n_method, sizeof t.of[0])};
  double       *outcome;

  if (!t.of) return sal_h5_full(file);
  sal_err err = read_outcomes(file, n, &outcome);
  for (int64_t i = 0; i < n && err == SAL_OK; ++i) {
    const double code = outcome[i];
    const int    o    = code >= 0 && code < SAL_N_OUTCOME ? (int)code : SAL_N_OUTCOME;
    ++t.all[o];
    ++t.of[i % c->n_method][o];
  }
  if (err == SAL_OK) print_tally(out, c, &t);
  sal_free(t.of);
  sal_free(outcome);
  return err;
}

/* Ranges of the real figures of the cells: stiffness, error of the reference. */
static sal_err print_cell_metrics(FILE *out, const sal_h5 *file, const sal_cube *c)
{
  double *column;
  sal_err err = SAL_OK;

  SAL_TRY_ROOM(file, column, c->n_cell);
  fprintf(out, "\nReference and stiffness\n");
  for (int m = 0; m < SAL_N_CELL_METRIC && err == SAL_OK; ++m) {
    const sal_metric *metric = &sal_metrics_of_cell[m];
    bool              there;
    if (metric->kind != SAL_REAL) continue;
    err = sal_h5_has(file, metric->name, &there);
    if (err != SAL_OK || !there) continue;
    err = sal_dataset_read_column(file, metric->name, c->n_cell, 1, column);
    if (err == SAL_OK) print_range(out, metric->name, range_of(c->n_cell, column, 1), c->n_cell);
  }
  sal_free(column);
  return err;
}

/* Columns that tell why cells of a map have no winner. */
typedef struct {
  int     n_error;
  double  error[SAL_MAX_QUESTION];
  double *best;      /* [n_cell][n_error], 0: none */
  double *reference; /* [n_cell] its error */
  double *outcome;   /* [n_cell] of the reference */
} map_columns;

/* n_error 0: the file has no map by error. */
static sal_err count_map_errors(const sal_h5 *file, int *n_error)
{
  sal_dataset set;
  bool        there;

  *n_error = 0;
  SAL_TRY(sal_h5_has(file, "map", &there));
  if (there) SAL_TRY(sal_h5_has(file, "map/by_error_best", &there));
  if (!there) return SAL_OK;
  SAL_TRY(sal_dataset_open(file, "map/error", &set));
  const int64_t n = set.n;
  sal_dataset_close(&set);
  if (n > SAL_MAX_QUESTION)
    return sal_fail(SAL_ERR_INPUT, "%s: the map answers %lld errors; allowed: up to %d", file->path,
                    (long long)n, SAL_MAX_QUESTION);
  *n_error = (int)n;
  return SAL_OK;
}

static sal_err read_map_columns(const sal_h5 *file, int64_t n_cell, map_columns *m)
{
  const char *reference = sal_metrics_of_cell[SAL_CELL_REFERENCE_ERROR].name,
             *outcome   = sal_metrics_of_cell[SAL_CELL_REFERENCE_OUTCOME].name;

  SAL_TRY_ROOM(file, m->best, n_cell * m->n_error);
  SAL_TRY_ROOM(file, m->reference, n_cell);
  SAL_TRY_ROOM(file, m->outcome, n_cell);
  SAL_TRY(sal_dataset_read_column(file, "map/error", m->n_error, 1, m->error));
  SAL_TRY(sal_dataset_read_column(file, "map/by_error_best", n_cell * m->n_error, 1, m->best));
  SAL_TRY(sal_dataset_read_column(file, reference, n_cell, 1, m->reference));
  return sal_dataset_read_column(file, outcome, n_cell, 1, m->outcome);
}

/* A reference that is worse than an error cannot tell whether a contender reaches it. */
static void print_map_columns(FILE *out, const map_columns *m, int64_t n_cell)
{
  fprintf(out, "\nMap: least work for a largest error of\n");
  for (int e = 0; e < m->n_error; ++e) {
    int64_t answered = 0, worse = 0;
    for (int64_t c = 0; c < n_cell; ++c) {
      answered += m->best[c * m->n_error + e] > 0;
      worse += !(m->outcome[c] == SAL_OUT_DONE && m->reference[c] <= m->error[e]);
    }
    fprintf(out, "  %-26g answered in %lld of %lld cells", m->error[e], (long long)answered,
            (long long)n_cell);
    if (answered + worse < n_cell)
      fprintf(out, ", no contender in %lld", (long long)(n_cell - answered - worse));
    if (worse)
      fprintf(out, ", %lld of %lld references worse than %g", (long long)worse, (long long)n_cell,
              m->error[e]);
    fprintf(out, "\n");
  }
}

static sal_err print_map(FILE *out, const sal_h5 *file, const sal_cube *c)
{
  map_columns m = {0};

  SAL_TRY(count_map_errors(file, &m.n_error));
  if (m.n_error == 0) return SAL_OK;
  const sal_err err = read_map_columns(file, c->n_cell, &m);
  if (err == SAL_OK) print_map_columns(out, &m, c->n_cell);
  sal_free(m.best);
  sal_free(m.reference);
  sal_free(m.outcome);
  return err;
}

/* Attributes of the root group that people ask for. */
static sal_err print_attributes(FILE *out, const sal_h5 *file)
{
  static const struct {
    const char *name;
    char        type; /* text, whole, real */
  } row[] = {{"t_end", 'r'},        {"n_mesh", 'w'},
             {"reference", 't'},    {"reference_tolerance", 'r'},
             {"jacobian", 't'},     {"floor", 'r'},
             {"repeats", 'w'},      {"command", 't'},
             {"created", 't'},      {"host", 't'},
             {"ranks", 'w'},        {"threads", 'w'},
             {"width", 'w'},        {"wall_seconds", 'r'},
             {"version", 't'},      {"git_commit", 't'},
             {"compiler", 't'},     {"compiler_flags", 't'},
             {"hdf5_version", 't'}, {"mpi_version", 't'}};

  fprintf(out, "\nProvenance\n");
  for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
    char *text = NULL, number[32];
    if (row[i].type == 't') {
      SAL_TRY(sal_h5_text_get(file, file->id, row[i].name, &text));
    } else {
      double value;
      SAL_TRY(sal_h5_get(file, row[i].name, H5T_NATIVE_DOUBLE, &value));
      snprintf(number, sizeof number, row[i].type == 'w' ? "%.0f" : "%g", value);
    }
    if (text) sal_text_plain(text);
    fprintf(out, "  %-26s %s\n", row[i].name, text ? text : number);
    sal_free(text);
  }
  return SAL_OK;
}

static sal_err print_all(FILE *out, const sal_h5 *file, sal_cube *c)
{
  char *model_title = NULL;

  SAL_TRY(sal_cube_open_frame(file, c));
  SAL_TRY(sal_h5_text_get(file, file->id, "model_title", &model_title));
  sal_text_plain(model_title);
  fprintf(out, "%s: %s\nmodel %s: %s\n", file->path, c->title, c->model, model_title);
  sal_free(model_title);
  print_dimensions(out, c);
  SAL_TRY(print_stored(out, file));
  SAL_TRY(print_outcomes(out, file, c));
  SAL_TRY(print_cell_metrics(out, file, c));
  SAL_TRY(print_map(out, file, c));
  return print_attributes(out, file);
}

/* Into memory first: of a cube that is damaged nothing but that is said. */
static sal_err describe_cube(const sal_h5 *file, FILE *out)
{
  sal_cube frame = {0};
  char    *text  = NULL;
  size_t   size  = 0;
  FILE    *held  = open_memstream(&text, &size);

  if (!held) return sal_h5_full(file);
  sal_err err = print_all(held, file, &frame);
  if (fclose(held) && err == SAL_OK) err = sal_h5_full(file);
  if (err == SAL_OK) fwrite(text, 1, size, out);
  free(text);
  sal_cube_free(&frame);
  return err;
}

sal_err sal_cube_info(const char *path, FILE *out)
{
  sal_h5 file;

  SAL_TRY(sal_cube_open(path, &file));
  const sal_err err    = describe_cube(&file, out);
  const sal_err closed = sal_h5_close(&file);
  return err ? err : closed;
}
