/** Draws between the cells of a grid, written down as a sweep file. */
#include "base.h"
#include "document_edit.h"
#include "extension.h"
#include "parameter_column.h"
#include "random.h"
#include "scalar_math.h"

enum { MAX_TRY = 1000 }; /* draws for each point */
#define REPLICATE_ROUNDING 1e-6

/* A quantity that is drawn. */
typedef struct {
  int column, c; /* of the model, and on the axis */
  const sal_axis *axis;
  double lo, hi; /* of its values on the axis */
  bool by_log, whole;
  bool listed; /* its values are those of the points, and none between them */
} drawn_quantity;

static drawn_quantity draw_of(const sal_model *m, const sal_axis *axis, int c)
{
  drawn_quantity d = {.column = axis->column[c],
                      .c = c,
                      .axis = axis,
                      .listed = axis->kind == SAL_AXIS_LIST ||
                                sal_parameter_column_is_discrete(m, axis->column[c]),
                      .lo = axis->lo[c],
                      .hi = axis->hi[c],
                      .by_log = sal_axis_column_by_log(axis, c),
                      .whole = axis->whole[c]};

  if (axis->kind == SAL_AXIS_ROWS) sal_axis_ends(axis, c, &d.lo, &d.hi);
  return d;
}

/* All quantities that are drawn; returns how many. */
static int list_draws(const sal_sweep *s, drawn_quantity list[])
{
  int n = 0;

  for (int a = 0; a < s->n_axis; ++a)
    for (int c = 0; c < s->axis[a].n_column; ++c)
      if (!sal_parameter_column_is_option(s->model, s->axis[a].column[c]))
        list[n++] = draw_of(s->model, &s->axis[a], c);
  return n;
}

/* Has a replicate another value? */
static bool has_other_value(const drawn_quantity *d)
{
  return !d->whole && !d->listed && d->hi > d->lo;
}

static int count_moving(int n, const drawn_quantity list[])
{
  int count = 0;

  for (int i = 0; i < n; ++i) count += has_other_value(&list[i]);
  return count;
}

/* From a share 0 <= u < 1. */
static double value_of_share(const drawn_quantity *d, double u)
{
  if (d->listed) return sal_axis_value(d->axis, (int64_t)(u * (double)d->axis->n_point), d->c);
  if (d->whole && !d->by_log) return fmin(d->hi, d->lo + floor(u * (d->hi - d->lo + 1)));
  const double v =
      d->by_log ? d->lo * sal_scalar_pow(d->hi / d->lo, u) : d->lo + u * (d->hi - d->lo);
  return fmin(d->hi, fmax(d->lo, d->whole ? rint(v) : v));
}

/* Are the values allowed together? */
static bool suits_model(const sal_sweep *s, int n, const drawn_quantity list[],
                        const double value[])
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION];

  memcpy(param, s->param, sizeof param);
  for (int i = 0; i < n; ++i)
    if (list[i].column < s->model->n_param) param[list[i].column] = value[i];
  return !sal_variants_flaw(s, param);
}

/* Attempts lie far apart, so that another number of points leaves the first as they were. */
static uint64_t draw_index(uint64_t attempt, uint64_t point)
{
  return attempt * SAL_MAX_OFFGRID + point;
}

/* The stream of quantity i of a point, or of its replicate.  Draws must not depend on how many
 * quantities a model may have. */
static uint32_t draw_stream(int i, bool replicate)
{
  enum { BLOCK = 52 };

  return (uint32_t)(i / BLOCK * 2 * BLOCK + (replicate ? BLOCK : 0) + i % BLOCK);
}

/* Draws a point, and its shares of the ranges, until it makes sense; false when it never does. */
static bool draw_point(const sal_sweep *s, int n, const drawn_quantity list[], uint64_t seed,
                       uint64_t point, double share[], double value[])
{
  for (uint64_t attempt = 0; attempt < MAX_TRY; ++attempt) {
    for (int i = 0; i < n; ++i) {
      share[i] = sal_random(seed, draw_index(attempt, point), draw_stream(i, false));
      value[i] = value_of_share(&list[i], share[i]);
    }
    if (suits_model(s, n, list, value)) return true;
  }
  return false;
}

/* The same for its replicate r, from 1 on; value [n]: out, moving [n] of the point. */
static bool draw_replicate(const sal_sweep *s, int n, const drawn_quantity list[], uint64_t seed,
                           uint64_t point, int r, const double share[], double value[])
{
  for (uint64_t attempt = 0; attempt < MAX_TRY; ++attempt) {
    const uint64_t index = draw_index(attempt * SAL_MAX_REPLICATES + (uint64_t)r, point);
    for (int i = 0; i < n; ++i) {
      if (!has_other_value(&list[i])) continue;
      const double u = sal_random(seed, index, draw_stream(i, true));
      const double step = (2 * u - 1) * SAL_REPLICATE_SHARE;
      const bool inside = share[i] + step >= 0 && share[i] + step <= 1;
      value[i] = value_of_share(&list[i], share[i] + (inside ? step : -step));
    }
    if (suits_model(s, n, list, value)) return true;
  }
  return false;
}

static void add_columns(const sal_sweep *s, int n, const drawn_quantity list[], sal_text *out)
{
  for (int i = 0; i < n; ++i)
    sal_text_add(out, "%s%s", i ? ", " : "", sal_parameter_column_name(s->model, list[i].column));
}

/* The axes of options as they are. */
static void add_option_axes(const sal_sweep *s, sal_text *out)
{
  for (int a = 0; a < s->n_axis; ++a) {
    const sal_axis *axis = &s->axis[a];
    if (!sal_parameter_column_is_option(s->model, axis->column[0])) continue;
    const sal_option *option = &s->model->option[axis->column[0] - s->model->n_param];
    sal_text_add(out, "  - {name: %s, list: [", option->name);
    for (int64_t i = 0; i < axis->n_point; ++i)
      sal_text_add(out, "%s%s", i ? ", " : "", option->choice[(int)sal_axis_value(axis, i, 0)]);
    sal_text_add(out, "]}\n");
  }
}

static void add_row(int n, const double value[], sal_text *out)
{
  for (int i = 0; i < n; ++i) sal_text_add(out, "%s%.17g", i ? ", " : "      - [", value[i]);
  sal_text_add(out, "]\n");
}

/* A line for each point and each of its replicates. */
static sal_err add_points(const sal_sweep *s, int n, const drawn_quantity list[],
                          const sal_offgrid_request *q, sal_text *out)
{
  double share[SAL_MAX_QUANTITY], value[SAL_MAX_QUANTITY];

  for (uint64_t p = 0; p < (uint64_t)q->points; ++p) {
    bool sense = draw_point(s, n, list, q->seed, p, share, value);
    if (sense) add_row(n, value, out);
    for (int r = 1; r < q->replicates && sense; ++r) {
      sense = draw_replicate(s, n, list, q->seed, p, r, share, value);
      if (sense) add_row(n, value, out);
    }
    if (!sense)
      return sal_fail(SAL_ERR_INPUT, "%s: %d draws in a row made no sense to the model %s", s->path,
                      MAX_TRY, s->model->name);
  }
  return SAL_OK;
}

static sal_err check_draws(const sal_sweep *s, int n, const drawn_quantity list[], int replicates)
{
  if (n == 0)
    return sal_fail(SAL_ERR_INPUT, "%s: no axis varies a number, so there is nothing off its grid",
                    s->path);
  if (replicates > 1 && count_moving(n, list) == 0)
    return sal_fail(
        SAL_ERR_INPUT,
        "%s: its axes vary lists and whole numbers alone, and so have no replicates; allowed: 1",
        s->path);
  return SAL_OK;
}

/* "cells=", and their YAML. */
static sal_err add_cells(const sal_sweep *s, const sal_offgrid_request *q, sal_text *out)
{
  drawn_quantity list[SAL_MAX_QUANTITY];
  const int n = list_draws(s, list);

  SAL_TRY(check_draws(s, n, list, q->replicates));
  sal_text_add(out, "cells=\naxes:\n  - columns: [");
  add_columns(s, n, list, out);
  sal_text_add(out, "]\n    rows:\n");
  SAL_TRY(add_points(s, n, list, q, out));
  add_option_axes(s, out);
  return SAL_OK;
}

static int compare_descending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* Tolerances between two neighbours of a sweep, in steps of 1 / parts of a decade. */
static int steps_between(double loose, double tight, int parts)
{
  const int n = (int)lround(parts * sal_scalar_log10(loose / tight));
  return n > 1 ? n : 1;
}

/* "rtol=", those of the sweep and what lies between them, the loosest first. */
static void add_tolerances(const sal_sweep *s, sal_text *out)
{
  double own[SAL_MAX_LIST];
  int parts = 2 * sal_sweep_decade_parts(s), n;
  const int last = s->n_tolerance - 1;

  memcpy(own, s->tolerance, (size_t)s->n_tolerance * sizeof *own);
  qsort(own, (size_t)s->n_tolerance, sizeof *own, compare_descending);
  do {
    parts /= 2;
    n = 1;
    for (int i = 0; i < last; ++i) n += steps_between(own[i], own[i + 1], parts);
  } while (n > SAL_MAX_LIST && parts > 0);
  sal_text_add(out, "rtol=[%.17g", own[0]);
  for (int i = 0; i < last; ++i) {
    const int steps = steps_between(own[i], own[i + 1], parts);
    for (int k = 1; k < steps; ++k)
      sal_text_add(out, ", %.17g", own[i] * sal_scalar_pow(own[i + 1] / own[i], (double)k / steps));
    sal_text_add(out, ", %.17g", own[i + 1]);
  }
  sal_text_add(out, "]");
}

/* Adds the methods, or the strategies, that are run, as a list of words. */
static void add_words(const char *key, const sal_sweep *s, const bool *run, bool methods,
                      sal_text *out)
{
  const char *names[SAL_MAX_LIST + 1] = {NULL};
  int n = 0;

  for (int i = 0; i < (methods ? s->n_method : s->n_strategy); ++i)
    if (!run || run[i]) names[n++] = methods ? s->method[i]->name : s->strategy[i]->name;
  sal_text_add(out, "%s=[", key);
  sal_text_join(out, ", ", names);
  sal_text_add(out, "]");
}

/* Keys that are set in a sweep to make one of points. */
enum { CELLS, TOLERANCES, METHODS, STRATEGIES, N_SET };

static sal_err edit_document(const sal_sweep *s, sal_text set[], int n, char **out)
{
  static const char *const whole[] = {"timing.repeats=0", "cutoff={}", "pilots={}",
                                      "orbit.continue=none"};
  enum { WHOLE = sizeof whole / sizeof *whole };
  const int n_whole = WHOLE - (s->orbit.follow == SAL_FOLLOW_NONE); /* orbit may be absent */
  const char *text[WHOLE + N_SET];
  SAL_OWN_BY(sal_document_free) sal_document document = {.path = s->path};

  for (int i = 0; i < n_whole; ++i) text[i] = whole[i];
  for (int i = 0; i < n; ++i) {
    if (set[i].lost) return sal_fail(SAL_ERR_MEMORY, "no memory for points of %s", s->path);
    text[n_whole + i] = set[i].string;
  }
  SAL_TRY(sal_document_parse(s->path, s->text, &document));
  SAL_TRY(sal_document_override(&document, n_whole + n, text));
  *out = sal_document_emit(&document);
  return *out ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", s->path);
}

sal_err sal_offgrid_text(const sal_sweep *s, const sal_offgrid_request *q, char **out)
{
  sal_text set[N_SET] = {{0}};

  *out = NULL;
  sal_err err = add_cells(s, q, &set[CELLS]);
  if (err == SAL_OK) {
    add_tolerances(s, &set[TOLERANCES]);
    add_words("solvers", s, q->method, true, &set[METHODS]);
    add_words("strategies", s, q->strategy, false, &set[STRATEGIES]);
    err = edit_document(s, set, q->method || q->strategy ? N_SET : METHODS, out);
  }
  for (int i = 0; i < N_SET; ++i) sal_text_free(&set[i]);
  return err;
}

/* How far two values are apart, as a share of the range. */
static double distance_in_range(const drawn_quantity *d, double a, double b)
{
  return fabs(d->by_log ? sal_scalar_log(b / a) / sal_scalar_log(d->hi / d->lo)
                        : (b - a) / (d->hi - d->lo));
}

static bool are_replicates(const sal_sweep *points, int n, const drawn_quantity list[], int64_t a,
                           int64_t b)
{
  const sal_model *m = points->model;
  double x[SAL_MAX_QUANTITY], y[SAL_MAX_QUANTITY];

  sal_sweep_cell(points, a, x, x + m->n_param + m->n_option);
  sal_sweep_cell(points, b, y, y + m->n_param + m->n_option);
  for (int i = 0; i < n; ++i) {
    const int c = list[i].column;
    /* up to the rounding of the values */
    if (has_other_value(&list[i]) &&
        !(distance_in_range(&list[i], x[c], y[c]) < SAL_REPLICATE_SHARE * (1 + REPLICATE_ROUNDING)))
      return false;
    if (has_other_value(&list[i])) y[c] = x[c];
  }
  return memcmp(x, y, (size_t)sal_parameter_column_count(m) * sizeof *x) == 0;
}

int64_t sal_offgrid_replicates(const sal_sweep *s, const sal_sweep *points)
{
  drawn_quantity list[SAL_MAX_QUANTITY];
  const int n = list_draws(s, list);
  const int64_t rows = points->n_axis > 0 ? points->axis[0].n_point : 1;
  const int64_t options = points->n_cell / rows; /* cells of a row */
  int64_t count = 1;

  if (count_moving(n, list) == 0) return 1;
  while (count < rows && are_replicates(points, n, list, 0, count * options)) ++count;
  if (rows % count) return 1;
  for (int64_t row = 0; row < rows; ++row)
    if (!are_replicates(points, n, list, row / count * count * options, row * options)) return 1;
  return count;
}
