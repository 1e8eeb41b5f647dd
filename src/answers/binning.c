/** @file src/answers/binning.c
 *  From axes to bins.
 */
#include "binning.h"
#include "memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int less(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;

  return (a > b) - (a < b);
}

/* The values of a column of an axis, ascending, each once. */
static int64_t gather(const sal_axis *axis, int c, double value[])
{
  int64_t n = 0;

  for (int64_t i = 0; i < axis->n_point; ++i) value[i] = sal_axis_value(axis, i, c);
  qsort(value, (size_t)axis->n_point, sizeof *value, less);
  for (int64_t i = 0; i < axis->n_point; ++i)
    if (n == 0 || value[i] > value[n - 1]) value[n++] = value[i];
  return n;
}

/* A short number x with lo < x <= hi, near the middle. */
static double between(double lo, double hi, bool by_log, bool whole)
{
  const double middle = by_log ? sqrt(lo) * sqrt(hi) : lo + (hi - lo) / 2;
  char         text[64];

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

/* value [n] ascending; at most `most` bins. */
static void set_cuts(const sal_sweep *s, const sal_axis *axis, int64_t n, const double value[],
                     int most, sal_bins *out)
{
  const bool wide   = value[0] > 0 && (!sal_axis_joint(axis) || value[n - 1] >= 10 * value[0]);
  const bool by_log = wide && axis->kind != SAL_AXIS_LINEAR;

  out->n_bin = n < most ? (int)n : most;
  for (int b = 0; b < out->n_bin; ++b) {
    const int64_t next = (b + 1) * n / out->n_bin;
    if (out->word)
      out->cut[b] = value[b];
    else if (next < n)
      out->cut[b] = between(value[next - 1], value[next], by_log, is_whole(s->model, out->column));
  }
}

static uint8_t bin_of(const sal_bins *c, double x)
{
  int b = 0;

  if (c->word)
    while (c->cut[b] != x) ++b;
  else
    while (b < c->n_bin - 1 && x >= c->cut[b]) ++b;
  return (uint8_t)b;
}

/* Column c of axis a: false when memory ran out.  The quantity is left out when it has one value.
 * value: room for those of all cells. */
static bool add_column(const sal_sweep *s, const sal_axis *axis, int c, int most, int32_t n,
                       const int32_t cell[], double value[], sal_binning *out)
{
  sal_bins     *cut     = &out->cut[out->n];
  const int     option  = axis->column[c] - s->model->n_param;
  const int64_t n_value = gather(axis, c, value);

  if (n_value < 2) return true;
  if (!(cut->bin = sal_alloc((size_t)n, sizeof *cut->bin))) return false;
  cut->column = axis->column[c];
  cut->word   = option >= 0 && option < s->model->n_option;
  set_cuts(s, axis, n_value, value, most, cut);
  sal_sweep_column(s, cut->column, value);
  for (int32_t i = 0; i < n; ++i) cut->bin[i] = bin_of(cut, value[cell[i]]);
  ++out->n;
  return true;
}

sal_err sal_binning_make(const sal_sweep *s, int32_t n, const int32_t cell[], sal_binning *out)
{
  int     n_column = 0;
  double *value    = sal_alloc((size_t)s->n_cell, sizeof *value);
  bool    fits     = value != NULL;

  *out = (sal_binning){0};
  for (int a = 0; a < s->n_axis; ++a) n_column += s->axis[a].n_column;
  const int most =
      n_column > SAL_FEATURE_BINS / SAL_MAX_BIN ? SAL_FEATURE_BINS / n_column : SAL_MAX_BIN;
  for (int a = 0; a < s->n_axis; ++a)
    for (int c = 0; fits && c < s->axis[a].n_column; ++c)
      fits = add_column(s, &s->axis[a], c, most, n, cell, value, out);
  sal_free(value);
  if (fits) return SAL_OK;
  sal_binning_free(out);
  return sal_fail(SAL_ERR_MEMORY, "no memory for rules about %d cells", (int)n);
}

void sal_binning_free(sal_binning *cuts)
{
  for (int i = 0; i < cuts->n; ++i) sal_free(cuts->cut[i].bin);
  *cuts = (sal_binning){0};
}
