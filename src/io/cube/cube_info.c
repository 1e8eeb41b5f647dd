/** Summary of a cube: ranges and counts over its cells, names, attributes. */
#include "cube_info.h"
#include "base.h"
#include "cube_open.h"
#include "cube_read.h"
#include "dataset.h"
#include "map_frame.h"

static void take_range(void *with, int64_t first, int64_t n, const double value[])
{
  sal_cube_range *r = with;

  (void)first;
  for (int64_t i = 0; i < n; ++i) {
    if (isnan(value[i])) continue;
    r->least = fmin(r->least, value[i]);
    r->most = fmax(r->most, value[i]);
    ++r->known;
  }
}

/* The range of a dataset along cells. */
static sal_err read_range(const sal_h5 *file, const char *name, int64_t n_cell, sal_cube_range *out)
{
  *out = (sal_cube_range){NAN, NAN, 0};
  return sal_dataset_walk(file, name, n_cell, take_range, out);
}

static sal_err read_coordinates(const sal_h5 *file, sal_cube_info *info)
{
  const sal_cube *c = &info->frame;
  const int n = c->n_param + c->n_state;
  char name[128];

  info->coordinate = sal_alloc((size_t)n, sizeof *info->coordinate);
  if (!info->coordinate) return sal_h5_full(file);
  for (int i = 0; i < n; ++i) {
    if (i < c->n_param)
      snprintf(name, sizeof name, "%s", c->param_name[i]);
    else
      snprintf(name, sizeof name, "initial_%s", c->state_name[i - c->n_param]);
    SAL_TRY(read_range(file, name, c->n_cell, &info->coordinate[i]));
  }
  return SAL_OK;
}

static sal_err read_stored(const sal_h5 *file, sal_cube_info *info)
{
  const char *const along[] = {SAL_STORED_GROUP "/" SAL_CUBE_NUMBER, SAL_STORED_GROUP "/t"};
  int64_t *const n[] = {&info->stored_cells, &info->stored_points};
  bool there;

  SAL_TRY(sal_h5_has(file, SAL_STORED_GROUP, &there));
  for (int i = 0; there && i < 2; ++i) {
    SAL_DATASET(d);
    SAL_TRY(sal_dataset_open(file, along[i], &d));
    *n[i] = d.n;
  }
  return SAL_OK;
}

static void take_outcomes(void *with, int64_t first, int64_t n, const double code[])
{
  sal_cube_info *info = with;

  for (int64_t i = 0; i < n; ++i) {
    const int o = code[i] >= 0 && code[i] < SAL_N_OUTCOME ? (int)code[i] : SAL_N_OUTCOME;
    ++info->outcomes[o];
    ++info->by_solver[(first + i) % info->frame.n_method][o];
  }
}

static sal_err read_outcomes(const sal_h5 *file, sal_cube_info *info)
{
  info->by_solver = sal_alloc((size_t)info->frame.n_method, sizeof info->by_solver[0]);
  if (!info->by_solver) return sal_h5_full(file);
  return sal_dataset_walk(file, sal_metrics[SAL_METRIC_OUTCOME].name,
                          sal_cube_open_records(&info->frame), take_outcomes, info);
}

static void take_measures(void *with, int64_t first, int64_t n, const double value[])
{
  sal_cube_info *info = with;

  for (int64_t i = 0; i < n; ++i)
    take_range(&info->measured[(first + i) % info->n_measure], 0, 1, &value[i]);
}

static sal_err read_measures(const sal_h5 *file, sal_cube_info *info)
{
  static const char *const names[] = {"measure", "measure_unit", "measure_text"};
  bool there;

  SAL_TRY(sal_h5_has(file, names[0], &there));
  for (int i = 0; there && i < SAL_CUBE_MEASURE_TEXTS; ++i) {
    SAL_DATASET(texts);
    SAL_TRY(sal_dataset_open(file, names[i], &texts));
    SAL_TRY(sal_dataset_read_texts(file, &texts, &info->measure[i]));
    if (i > 0 && texts.n != info->n_measure) return sal_h5_fail(file);
    info->n_measure = texts.n;
  }
  if (!there) return SAL_OK;
  info->measured = sal_alloc((size_t)info->n_measure, sizeof *info->measured);
  if (!info->measured) return sal_h5_full(file);
  for (int64_t i = 0; i < info->n_measure; ++i) info->measured[i] = (sal_cube_range){NAN, NAN, 0};
  return sal_dataset_walk(file, "measures", info->frame.n_cell * info->n_measure, take_measures,
                          info);
}

/* Words seen so far. */
typedef struct {
  int first, n_word;
  sal_cube_words *words;
} tally;

static void take_words(void *with, int64_t first, int64_t n, const double value[])
{
  const tally *t = with;

  (void)first;
  for (int64_t i = 0; i < n; ++i)
    if (value[i] >= t->first && value[i] < t->n_word) {
      ++t->words->count[(int)value[i]];
      ++t->words->all;
    }
}

/* Counts the words of n values of a metric, from the word number `first` on. */
static sal_err read_words(const sal_h5 *file, const sal_metric *metric, int64_t n, int first,
                          sal_cube_words *out)
{
  tally t = {.first = first, .words = out};
  bool there;

  out->metric = metric;
  SAL_TRY(sal_h5_has(file, metric->name, &there));
  if (!there) return SAL_OK;
  sal_metric_words(metric->kind, &t.n_word);
  assert(t.n_word <= SAL_CUBE_WORDS);
  return sal_dataset_walk(file, metric->name, n, take_words, &t);
}

/* The real figures of the cells: stiffness, error of the reference. */
static sal_err read_cell_metrics(const sal_h5 *file, sal_cube_info *info)
{
  for (int m = 0; m < SAL_N_CELL_METRIC; ++m) {
    const sal_metric *metric = &sal_metrics_of_cell[m];
    if (metric->kind != SAL_REAL) continue;
    SAL_TRY(sal_h5_has(file, metric->name, &info->has[m]));
    if (info->has[m]) SAL_TRY(read_range(file, metric->name, info->frame.n_cell, &info->metric[m]));
  }
  return SAL_OK;
}

static sal_err read_provenance(const sal_h5 *file, sal_cube_info *info)
{
  static const sal_cube_attribute row[] = {
#define SAL_PROVENANCE(where, kind, name, value)
#define SAL_PROVENANCE_SHOWN(where, kind, name, value) {name, SAL_CUBE_##kind, NULL, 0},
#include "provenance.def"
  };
  _Static_assert(sizeof row == sizeof info->attribute, "there is room for all rows");

  for (int i = 0; i < SAL_CUBE_ATTRIBUTES; ++i) {
    sal_cube_attribute *a = &info->attribute[i];
    *a = row[i];
    if (a->kind == SAL_CUBE_WHOLE || a->kind == SAL_CUBE_REAL)
      SAL_TRY(sal_h5_get(file, a->name, H5T_NATIVE_DOUBLE, &a->number));
    else if (a->kind == SAL_CUBE_TEXT || H5Aexists(file->id, a->name) != 0)
      SAL_TRY(sal_h5_text_get(file, file->id, a->name, &a->text));
  }
  return SAL_OK;
}

static sal_err read_all(const sal_h5 *file, sal_cube_info *info)
{
  SAL_TRY(sal_cube_open_frame(file, &info->frame));
  const int64_t n_cell = info->frame.n_cell, n = sal_cube_open_records(&info->frame);
  SAL_TRY(sal_h5_text_get(file, file->id, "model_title", &info->model_title));
  SAL_TRY(read_coordinates(file, info));
  SAL_TRY(read_stored(file, info));
  SAL_TRY(read_outcomes(file, info));
  SAL_TRY(read_words(file, &sal_metrics[SAL_METRIC_REASON], n, 1, &info->reasons));
  SAL_TRY(read_words(file, &sal_metrics_of_cell[SAL_CELL_VERDICT], n_cell, 0, &info->verdicts));
  SAL_TRY(read_cell_metrics(file, info));
  SAL_TRY(read_measures(file, info));
  SAL_TRY(sal_map_counts_read(file, n_cell, &info->n_map, &info->map_by, info->map));
  return read_provenance(file, info);
}

sal_err sal_cube_info_read(const char *path, sal_cube_info *info)
{
  sal_h5 file;

  *info = (sal_cube_info){0};
  SAL_TRY(sal_cube_open(path, &file));
  const sal_err err = sal_h5_close(&file, read_all(&file, info));
  if (err != SAL_OK) sal_cube_info_free(info);
  return err;
}

void sal_cube_info_free(sal_cube_info *info)
{
  for (int i = 0; i < SAL_CUBE_ATTRIBUTES; ++i) sal_free(info->attribute[i].text);
  for (int i = 0; i < SAL_CUBE_MEASURE_TEXTS; ++i) sal_h5_text_free(&info->measure[i]);
  sal_free_all(info->model_title, info->coordinate, info->by_solver, info->measured);
  sal_cube_free(&info->frame);
  *info = (sal_cube_info){0};
}
