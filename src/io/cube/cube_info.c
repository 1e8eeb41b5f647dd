/** @file src/io/cube/cube_info.c
 *  What a cube holds, as text and as JSON.
 */
#include "cube_info.h"
#include "cube_open.h"
#include "cube_read.h"
#include "dataset.h"
#include "h5_text.h"
#include "json.h"
#include "map_counts.h"
#include "stored_write.h"
#include "text.h"
#include "word_count.h"
#include <math.h>
#include <stdlib.h>

/* Smallest and largest of the values that are numbers, and how many those are. */
typedef struct {
  double lo, hi;
  int64_t n;
} range;

static void take_range(void *with, int64_t first, int64_t n, const double value[])
{
  range *r = with;

  (void)first;
  for (int64_t i = 0; i < n; ++i) {
    if (isnan(value[i])) continue;
    r->lo = fmin(r->lo, value[i]);
    r->hi = fmax(r->hi, value[i]);
    ++r->n;
  }
}

/* Where it is told: as text, or as members of the object that is open. */
typedef struct {
  FILE *out;
  sal_json *json; /* NULL: text */
} teller;

static void tell_range(const teller *to, const char *name, range r, int64_t n)
{
  if (to->json) {
    sal_json_object(to->json, name);
    sal_json_number(to->json, "least", r.lo);
    sal_json_number(to->json, "most", r.hi);
    sal_json_whole(to->json, "known", r.n);
    sal_json_end(to->json);
    return;
  }
  fprintf(to->out, "  %-26s ", name);
  if (r.n == 0)
    fprintf(to->out, "none");
  else if (r.lo == r.hi)
    fprintf(to->out, "%g", r.lo);
  else
    fprintf(to->out, "%g .. %g", r.lo, r.hi);
  if (r.n && r.n < n)
    fprintf(to->out, "   (in %lld of %lld cell%s)", (long long)r.n, (long long)n,
            sal_text_plural(n));
  fprintf(to->out, "\n");
}

/* "name  n  word word ..." of a dimension. */
static void tell_names(const teller *to, const char *dimension, int n, char *const name[])
{
  if (to->json) {
    sal_json_array(to->json, dimension);
    for (int i = 0; i < n; ++i) sal_json_text(to->json, NULL, name[i]);
    sal_json_end(to->json);
    return;
  }
  fprintf(to->out, "  %-10s %8d  ", dimension, n);
  for (int i = 0; i < n; ++i) fprintf(to->out, " %s", name[i]);
  fprintf(to->out, "\n");
}

static void tell_tolerances(const teller *to, const sal_cube *c)
{
  if (to->json) {
    sal_json_array(to->json, "rtol");
    for (int i = 0; i < c->n_tolerance; ++i) sal_json_number(to->json, NULL, c->tolerance[i]);
    sal_json_end(to->json);
    return;
  }
  fprintf(to->out, "  %-10s %8d  ", "rtol", c->n_tolerance);
  for (int i = 0; i < c->n_tolerance; ++i) fprintf(to->out, " %g", c->tolerance[i]);
  fprintf(to->out, "\n");
}

static void tell_dimensions(const teller *to, const sal_cube *c)
{
  const int64_t n = sal_cube_open_records(c);

  if (to->json) {
    sal_json_whole(to->json, "cells", c->n_cell);
    sal_json_whole(to->json, "trajectories", n);
  } else {
    fprintf(to->out,
            "%lld cell%s x %d tolerance%s x %d strateg%s x %d solver%s = %lld trajector%s\n",
            (long long)c->n_cell, sal_text_plural(c->n_cell), c->n_tolerance,
            sal_text_plural(c->n_tolerance), c->n_strategy, c->n_strategy == 1 ? "y" : "ies",
            c->n_method, sal_text_plural(c->n_method), (long long)n, n == 1 ? "y" : "ies");
    fprintf(to->out, "\nDimensions\n  %-10s %8lld\n", "cell", (long long)c->n_cell);
  }
  tell_tolerances(to, c);
  tell_names(to, "strategy", c->n_strategy, c->strategy);
  tell_names(to, "solver", c->n_method, c->method);
}

/* The range of a dataset along cells. */
static sal_err tell_column(const teller *to, const sal_h5 *file, const char *name, int64_t n_cell)
{
  range r = {NAN, NAN, 0};

  SAL_TRY(sal_dataset_walk(file, name, n_cell, take_range, &r));
  tell_range(to, name, r, n_cell);
  return SAL_OK;
}

static sal_err tell_coordinates(const teller *to, const sal_h5 *file, const sal_cube *c)
{
  char name[128];

  if (to->json)
    sal_json_object(to->json, "coordinates");
  else
    fprintf(to->out, "\nCells\n");
  for (int i = 0; i < c->n_param; ++i) SAL_TRY(tell_column(to, file, c->param_name[i], c->n_cell));
  for (int i = 0; i < c->n_state; ++i) {
    snprintf(name, sizeof name, "initial_%s", c->state_name[i]);
    SAL_TRY(tell_column(to, file, name, c->n_cell));
  }
  if (to->json) sal_json_end(to->json);
  return SAL_OK;
}

/* Stored trajectories, if there are any. */
static sal_err tell_stored(const teller *to, const sal_h5 *file)
{
  static const char *const scale[] = {SAL_STORED_GROUP "/cell", SAL_STORED_GROUP "/t"};
  int64_t n[2] = {0, 0};
  bool there;

  SAL_TRY(sal_h5_has(file, SAL_STORED_GROUP, &there));
  if (!there) return SAL_OK;
  for (int i = 0; i < 2; ++i) {
    sal_dataset d;
    SAL_TRY(sal_dataset_open(file, scale[i], &d));
    n[i] = d.n;
    sal_dataset_close(&d);
  }
  if (to->json) {
    sal_json_object(to->json, "stored_trajectories");
    sal_json_whole(to->json, "cells", n[0]);
    sal_json_whole(to->json, "points", n[1]);
    sal_json_end(to->json);
    return SAL_OK;
  }
  fprintf(to->out, "\nTrajectories are kept of %lld cell%s at %lld point%s\n", (long long)n[0],
          sal_text_plural(n[0]), (long long)n[1], sal_text_plural(n[1]));
  return SAL_OK;
}

/* Trajectories per outcome, the last place for unknown ones: all, and of each method. */
typedef struct {
  int n_method;
  int64_t all[SAL_N_OUTCOME + 1];
  int64_t (*of)[SAL_N_OUTCOME + 1]; /* [n_method] */
} tally;

static const char *outcome_label(int o)
{
  return o < SAL_N_OUTCOME ? sal_metric_outcomes[o].label : "unknown";
}

static void print_tally(FILE *out, const sal_cube *c, const tally *t)
{
  const int64_t n = sal_cube_open_records(c);

  fprintf(out, "\nOutcomes of %lld trajector%s\n", (long long)n, n == 1 ? "y" : "ies");
  for (int o = 0; o <= SAL_N_OUTCOME; ++o)
    if (t->all[o])
      fprintf(out, "  %-16s %10lld  %s\n", outcome_label(o), (long long)t->all[o],
              o < SAL_N_OUTCOME ? sal_metric_outcomes[o].what : "");
  if (t->all[SAL_OUT_DONE] == n || t->all[SAL_OUT_ENDED] == n) return;

  const int width = sal_text_width(16, c->n_method, c->method);
  fprintf(out, "\n  %-*s", width, "by solver");
  for (int o = 0; o <= SAL_N_OUTCOME; ++o)
    if (t->all[o]) fprintf(out, " %14s", outcome_label(o));
  fprintf(out, "\n");
  for (int m = 0; m < c->n_method; ++m) {
    fprintf(out, "  %-*s", width, c->method[m]);
    for (int o = 0; o <= SAL_N_OUTCOME; ++o)
      if (t->all[o]) fprintf(out, " %14lld", (long long)t->of[m][o]);
    fprintf(out, "\n");
  }
}

static void put_outcomes(sal_json *j, const char *name, const int64_t count[SAL_N_OUTCOME + 1])
{
  sal_json_object(j, name);
  for (int o = 0; o <= SAL_N_OUTCOME; ++o)
    if (count[o]) sal_json_whole(j, outcome_label(o), count[o]);
  sal_json_end(j);
}

static void tell_tally(const teller *to, const sal_cube *c, const tally *t)
{
  if (!to->json) {
    print_tally(to->out, c, t);
    return;
  }
  put_outcomes(to->json, "outcomes", t->all);
  sal_json_object(to->json, "outcomes_by_solver");
  for (int m = 0; m < c->n_method; ++m) put_outcomes(to->json, c->method[m], t->of[m]);
  sal_json_end(to->json);
}

static void take_outcomes(void *with, int64_t first, int64_t n, const double code[])
{
  tally *t = with;

  for (int64_t i = 0; i < n; ++i) {
    const int o = code[i] >= 0 && code[i] < SAL_N_OUTCOME ? (int)code[i] : SAL_N_OUTCOME;
    ++t->all[o];
    ++t->of[(first + i) % t->n_method][o];
  }
}

static sal_err tell_outcomes(const teller *to, const sal_h5 *file, const sal_cube *c)
{
  tally t = {.n_method = c->n_method, .of = sal_alloc((size_t)c->n_method, sizeof t.of[0])};

  if (!t.of) return sal_h5_full(file);
  const sal_err err = sal_dataset_walk(file, sal_metrics[SAL_METRIC_OUTCOME].name,
                                       sal_cube_open_records(c), take_outcomes, &t);
  if (err == SAL_OK) tell_tally(to, c, &t);
  sal_free(t.of);
  return err;
}

static sal_err tell_verdicts(const teller *to, const sal_h5 *file, const sal_cube *c)
{
  const sal_word_count verdicts = {.metric = &sal_metrics_of_cell[SAL_CELL_VERDICT],
                                   .n = c->n_cell,
                                   .member = "verdicts",
                                   .heading = "Verdicts",
                                   .noun = "cell"};

  return sal_word_count_tell(file, &verdicts, to->json, to->out);
}

/* Why libraries gave up, where they did: word 0 is that they did not. */
static sal_err tell_reasons(const teller *to, const sal_h5 *file, const sal_cube *c)
{
  const sal_word_count reasons = {.metric = &sal_metrics[SAL_METRIC_REASON],
                                  .n = sal_cube_open_records(c),
                                  .first = 1,
                                  .member = "library_reasons",
                                  .heading = "Why libraries gave up",
                                  .noun = "run"};

  return sal_word_count_tell(file, &reasons, to->json, to->out);
}

/* Ranges of the real figures of the cells: stiffness, error of the reference. */
static sal_err tell_cell_metrics(const teller *to, const sal_h5 *file, const sal_cube *c)
{
  if (to->json)
    sal_json_object(to->json, "cell_metrics");
  else
    fprintf(to->out, "\nReference and stiffness\n");
  for (int m = 0; m < SAL_N_CELL_METRIC; ++m) {
    const sal_metric *metric = &sal_metrics_of_cell[m];
    bool there;
    if (metric->kind != SAL_REAL) continue;
    SAL_TRY(sal_h5_has(file, metric->name, &there));
    if (there) SAL_TRY(tell_column(to, file, metric->name, c->n_cell));
  }
  if (to->json) sal_json_end(to->json);
  return SAL_OK;
}

static void print_map_count(FILE *out, const sal_map_count *m, int64_t n_cell)
{
  fprintf(out, "  %-26g answered in %lld of %lld cell%s", m->error, (long long)m->answered,
          (long long)n_cell, sal_text_plural(n_cell));
  if (m->no_contender > 0) fprintf(out, ", no contender in %lld", (long long)m->no_contender);
  if (m->no_reference)
    fprintf(out, ", %lld of %lld reference%s worse than %g", (long long)m->no_reference,
            (long long)n_cell, sal_text_plural(n_cell), m->error);
  fprintf(out, "\n");
}

static void put_map_count(sal_json *j, const sal_map_count *m)
{
  sal_json_object(j, NULL);
  sal_json_number(j, "error", m->error);
  sal_json_whole(j, "answered", m->answered);
  sal_json_whole(j, "no_contender", m->no_contender);
  sal_json_whole(j, "no_reference", m->no_reference);
  sal_json_end(j);
}

/* Cells with a winner by error, if the cube has a map. */
static sal_err tell_map(const teller *to, const sal_h5 *file, const sal_cube *c)
{
  sal_map_count count[SAL_MAX_QUESTION];
  const sal_error_metric *by;
  int n;

  SAL_TRY(sal_map_counts_read(file, c->n_cell, &n, &by, count));
  if (n == 0) return SAL_OK;
  if (!to->json) {
    fprintf(to->out, "\nMap: least work for %s of\n", by->what);
    for (int e = 0; e < n; ++e) print_map_count(to->out, &count[e], c->n_cell);
    return SAL_OK;
  }
  sal_json_text(to->json, "map_by", sal_error_metric_name(by));
  sal_json_array(to->json, "map");
  for (int e = 0; e < n; ++e) put_map_count(to->json, &count[e]);
  sal_json_end(to->json);
  return SAL_OK;
}

/* One attribute of the root group; text may be whatever stands in the file. */
static sal_err tell_attribute(const teller *to, const sal_h5 *file, const char *name, char type)
{
  char *text = NULL, number[32];
  double value;

  if (type == 'o' && H5Aexists(file->id, name) == 0) return SAL_OK;
  if (type == 't' || type == 'o') {
    SAL_TRY(sal_h5_text_get(file, file->id, name, &text));
    sal_text_plain(text);
    if (to->json)
      sal_json_text(to->json, name, text);
    else
      fprintf(to->out, "  %-26s %s\n", name, text);
    sal_free(text);
    return SAL_OK;
  }
  SAL_TRY(sal_h5_get(file, name, H5T_NATIVE_DOUBLE, &value));
  if (to->json) {
    sal_json_number(to->json, name, value);
    return SAL_OK;
  }
  snprintf(number, sizeof number, type == 'w' ? "%.0f" : "%g", value);
  fprintf(to->out, "  %-26s %s\n", name, number);
  return SAL_OK;
}

static sal_err tell_provenance(const teller *to, const sal_h5 *file)
{
  static const struct {
    const char *name;
    char type; /* text, optional text, whole, real */
  } row[] = {{"t_end", 'r'},        {"n_mesh", 'w'},
             {"reference", 't'},    {"reference_tolerance", 'r'},
             {"jacobian", 't'},     {"floor", 'r'},
             {"repeats", 'w'},      {"command", 't'},
             {"created", 't'},      {"host", 't'},
             {"ranks", 'w'},        {"threads", 'w'},
             {"width", 'w'},        {"wall_seconds", 'r'},
             {"version", 't'},      {"git_commit", 't'},
             {"compiler", 't'},     {"compiler_flags", 't'},
             {"hdf5_version", 't'}, {"mpi_version", 't'},
             {"libraries", 'o'},    {"given", 'o'}};

  if (to->json)
    sal_json_object(to->json, "provenance");
  else
    fprintf(to->out, "\nProvenance\n");
  for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i)
    SAL_TRY(tell_attribute(to, file, row[i].name, row[i].type));
  if (to->json) sal_json_end(to->json);
  return SAL_OK;
}

static sal_err tell_head(const teller *to, const sal_h5 *file, const sal_cube *c)
{
  char *model_title = NULL;

  SAL_TRY(sal_h5_text_get(file, file->id, "model_title", &model_title));
  sal_text_plain(model_title);
  if (to->json) {
    sal_json_text(to->json, "path", file->path);
    sal_json_text(to->json, "title", c->title);
    sal_json_text(to->json, "model", c->model);
    sal_json_text(to->json, "model_title", model_title);
  } else {
    fprintf(to->out, "%s: %s\nmodel %s: %s\n", file->path, c->title, c->model, model_title);
  }
  sal_free(model_title);
  return SAL_OK;
}

static sal_err tell_all(const teller *to, const sal_h5 *file, sal_cube *c)
{
  SAL_TRY(sal_cube_open_frame(file, c));
  SAL_TRY(tell_head(to, file, c));
  tell_dimensions(to, c);
  SAL_TRY(tell_coordinates(to, file, c));
  SAL_TRY(tell_stored(to, file));
  SAL_TRY(tell_outcomes(to, file, c));
  SAL_TRY(tell_reasons(to, file, c));
  SAL_TRY(tell_verdicts(to, file, c));
  SAL_TRY(tell_cell_metrics(to, file, c));
  SAL_TRY(tell_map(to, file, c));
  return tell_provenance(to, file);
}

/* Into memory first: of a cube that is damaged nothing but that is said. */
static sal_err describe_cube(const sal_h5 *file, bool json, FILE *out)
{
  sal_cube frame = {0};
  char *text = NULL;
  size_t size = 0;
  FILE *held = open_memstream(&text, &size);

  if (!held) return sal_h5_full(file);
  sal_json j;
  const teller to = {held, json ? &j : NULL};
  if (json) sal_json_begin(&j, held);
  sal_err err = tell_all(&to, file, &frame);
  if (json && err == SAL_OK) sal_json_end(&j);
  if (fclose(held) && err == SAL_OK) err = sal_h5_full(file);
  if (err == SAL_OK) fwrite(text, 1, size, out);
  free(text);
  sal_cube_free(&frame);
  return err;
}

sal_err sal_cube_info(const char *path, bool json, FILE *out)
{
  sal_h5 file;

  SAL_TRY(sal_cube_open(path, &file));
  const sal_err err = describe_cube(&file, json, out);
  const sal_err closed = sal_h5_close(&file);
  return err ? err : closed;
}
