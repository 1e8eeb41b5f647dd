/** @file src/answers/binning.c
 *  From the axes of a sweep to bins.
 */
#include "binning.h"
#include "memory.h"
#include "quantiles.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The values of a column of an axis, ascending, each once. */
static int64_t distinct_values(const sal_axis *axis, int c, double value[])
{
  int64_t n = 0;

  for (int64_t i = 0; i < axis->n_point; ++i) value[i] = sal_axis_value(axis, i, c);
  sal_quantiles_sort(axis->n_point, value);
  for (int64_t i = 0; i < axis->n_point; ++i)
    if (n == 0 || value[i] > value[n - 1]) value[n++] = value[i];
  return n;
}

/* A short number x with lo < x <= hi, near the middle. */
static double short_number_between(double lo, double hi, bool by_log, bool whole)
{
  const double middle = by_log ? sqrt(lo) * sqrt(hi) : lo + (hi - lo) / 2;
  char text[64];

  if (whole) return ceil(middle);
  for (int digits = 3; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, middle);
    const double x = strtod(text, NULL);
    if (lo < x && x <= hi) return x;
  }
  return hi;
}

static bool is_whole(const sal_model *m, int column)
{
  const int state = column - m->n_param - m->n_option;

  return column < m->n_param ? m->param[column].whole : state >= 0 && m->state[state].whole;
}

/* value [n] ascending; at most `most` bins, but one for each word. */
static void set_edges(const sal_sweep *s, const sal_axis *axis, int64_t n, const double value[],
                      int most, sal_binning_quantity *out)
{
  const bool wide = value[0] > 0 && (!sal_axis_joint(axis) || value[n - 1] >= 10 * value[0]);
  const bool by_log = wide && axis->kind != SAL_AXIS_LINEAR;

  out->n_bin = n < most || out->word ? (int)n : most;
  for (int b = 0; b < out->n_bin; ++b) {
    const int64_t next = (b + 1) * n / out->n_bin;
    if (out->word)
      out->edge[b] = value[b];
    else if (next < n)
      out->edge[b] = short_number_between(value[next - 1], value[next], by_log,
                                          is_whole(s->model, out->column));
  }
}

static uint8_t bin_of(const sal_binning_quantity *q, double x)
{
  int b = 0;

  while (b < q->n_bin - 1 && (q->word ? x != q->edge[b] : x >= q->edge[b])) ++b;
  return (uint8_t)b;
}

/* Column c of an axis.  The quantity is left out when it has one value.  value: room for those of
 * all cells. */
static sal_err add_column(const sal_sweep *s, const sal_axis *axis, int c, int most, double value[],
                          sal_binning *out)
{
  sal_binning_quantity *q = &out->quantity[out->n];
  const int option = axis->column[c] - s->model->n_param;
  const int64_t n_value = distinct_values(axis, c, value);

  if (n_value < 2) return SAL_OK;
  q->column = axis->column[c];
  q->word = option >= 0 && option < s->model->n_option;
  if (q->word && n_value > SAL_MAX_BIN)
    return sal_fail(SAL_ERR_INPUT, "%s: %s has %lld words; rules tell at most %d apart", s->path,
                    s->model->option[option].name, (long long)n_value, SAL_MAX_BIN);
  ++out->n;
  set_edges(s, axis, n_value, value, most, q);
  return SAL_OK;
}

sal_err sal_binning_edges(const sal_sweep *s, sal_binning *out)
{
  int n_column = 0;
  SAL_OWN double *value = sal_alloc((size_t)s->n_cell, sizeof *value);

  *out = (sal_binning){0};
  if (!value) return sal_fail(SAL_ERR_MEMORY, "no memory for rules");
  for (int a = 0; a < s->n_axis; ++a) n_column += s->axis[a].n_column;
  const int most =
      n_column > SAL_FEATURE_BINS / SAL_MAX_BIN ? SAL_FEATURE_BINS / n_column : SAL_MAX_BIN;
  for (int a = 0; a < s->n_axis; ++a)
    for (int c = 0; c < s->axis[a].n_column; ++c)
      SAL_TRY(add_column(s, &s->axis[a], c, most, value, out));
  return SAL_OK;
}

/* Room for the bins of n cells. */
static sal_err make_room(int32_t n, sal_binning *out)
{
  for (int i = 0; i < out->n; ++i) {
    out->quantity[i].bin = sal_alloc((size_t)n, sizeof *out->quantity[i].bin);
    if (!out->quantity[i].bin)
      return sal_fail(SAL_ERR_MEMORY, "no memory for rules about %d cells", (int)n);
  }
  return SAL_OK;
}

sal_err sal_binning_make(const sal_sweep *s, const sal_binning *edges, int32_t n,
                         const int32_t cell[], sal_binning *out)
{
  double value[SAL_MAX_QUANTITY];

  *out = *edges;
  for (int i = 0; i < out->n; ++i) out->quantity[i].bin = NULL;
  const sal_err err = make_room(n, out);
  if (err != SAL_OK) {
    sal_binning_free(out);
    return err;
  }
  for (int32_t c = 0; c < n; ++c) {
    sal_sweep_cell(s, cell[c], value, value + s->model->n_param + s->model->n_option);
    for (int i = 0; i < out->n; ++i)
      out->quantity[i].bin[c] = bin_of(&out->quantity[i], value[out->quantity[i].column]);
  }
  return SAL_OK;
}

void sal_binning_free(sal_binning *binning)
{
  for (int i = 0; i < binning->n; ++i) sal_free(binning->quantity[i].bin);
  *binning = (sal_binning){0};
}
