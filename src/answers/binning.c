/** @file src/answers/binning.c
 *  From the axes of a sweep to bins.
 */
#include "binning.h"
#include "memory.h"
#include "quantiles.h"
#include "sobol.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The values of a column of an axis, ascending, each once: themselves, or coordinates of a sequence. */
typedef struct {
  const sal_axis *axis;
  int c;
  int64_t n;
  double *value;
  uint32_t *x;
} ranked;

static void end_ranked(ranked *r)
{
  sal_free(r->value);
  sal_free(r->x);
}

static double value_of(const ranked *r, int64_t i)
{
  return r->x ? sal_axis_sequence_value(r->axis, r->x[i], r->c) : r->value[i];
}

/* Coordinates of a sequence differ; so do values of a range that is wide beside their rounding. */
static bool is_wide_sequence(const sal_axis *axis, int c)
{
  const double lo = axis->lo[c], hi = axis->hi[c];

  return axis->kind == SAL_AXIS_SOBOL && !axis->whole[c] &&
         fabs(hi - lo) > 1e-4 * fmax(fabs(lo), fabs(hi));
}

enum { DIGIT = 10, DIGITS = SAL_SOBOL_BITS / DIGIT };

/* From the lowest digit on; the last time in x, since their number is odd. */
static void sort_by_digits(int64_t n, uint32_t from[], uint32_t to[])
{
  for (int d = 0; d < DIGITS; ++d) {
    int64_t at[1 << DIGIT] = {0}, sum = 0;
    for (int64_t i = 0; i < n; ++i) ++at[from[i] >> d * DIGIT & ((1 << DIGIT) - 1)];
    for (int k = 0; k < 1 << DIGIT; ++k) {
      const int64_t count = at[k];
      at[k] = sum;
      sum += count;
    }
    for (int64_t i = 0; i < n; ++i) to[at[from[i] >> d * DIGIT & ((1 << DIGIT) - 1)]++] = from[i];
    uint32_t *const swapped = from;
    from = to;
    to = swapped;
  }
}

static sal_err rank_sequence(ranked *r)
{
  SAL_OWN uint32_t *spare = sal_alloc((size_t)r->n, sizeof *spare);
  uint32_t x = 0;

  r->x = sal_alloc((size_t)r->n, sizeof *r->x);
  if (!spare || !r->x) return sal_fail(SAL_ERR_MEMORY, "no memory for rules");
  for (int64_t i = 0; i < r->n; ++i) spare[i] = x = sal_sobol_after(r->c, i, x);
  sort_by_digits(r->n, spare, r->x);
  return SAL_OK;
}

static sal_err rank_values(ranked *r)
{
  const int64_t n = r->axis->n_point;
  double *value = r->value = sal_alloc((size_t)n, sizeof *value);

  if (!value) return sal_fail(SAL_ERR_MEMORY, "no memory for rules");
  for (int64_t i = 0; i < n; ++i) value[i] = sal_axis_value(r->axis, i, r->c);
  sal_quantiles_sort(n, value);
  r->n = 0;
  for (int64_t i = 0; i < n; ++i)
    if (r->n == 0 || value[i] > value[r->n - 1]) value[r->n++] = value[i];
  return SAL_OK;
}

static sal_err rank_column(const sal_axis *axis, int c, ranked *r)
{
  *r = (ranked){.axis = axis, .c = c, .n = axis->n_point};
  return is_wide_sequence(axis, c) ? rank_sequence(r) : rank_values(r);
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

/* At most `most` bins, but one for each word. */
static void set_edges(const sal_sweep *s, const ranked *r, int most, sal_binning_quantity *out)
{
  const int64_t n = r->n;
  const double first = value_of(r, 0), last = value_of(r, n - 1);
  const bool wide = first > 0 && (!sal_axis_joint(r->axis) || last >= 10 * first);
  const bool by_log = wide && r->axis->kind != SAL_AXIS_LINEAR;

  out->n_bin = n < most || out->word ? (int)n : most;
  for (int b = 0; b < out->n_bin; ++b) {
    const int64_t next = (b + 1) * n / out->n_bin;
    if (out->word)
      out->edge[b] = value_of(r, b);
    else if (next < n)
      out->edge[b] = short_number_between(value_of(r, next - 1), value_of(r, next), by_log,
                                          is_whole(s->model, out->column));
  }
}

static uint8_t bin_of(const sal_binning_quantity *q, double x)
{
  int b = 0;

  while (b < q->n_bin - 1 && (q->word ? x != q->edge[b] : x >= q->edge[b])) ++b;
  return (uint8_t)b;
}

/* Column c of an axis.  The quantity is left out when it has one value. */
static sal_err add_column(const sal_sweep *s, const sal_axis *axis, int c, int most,
                          sal_binning *out)
{
  SAL_OWN_BY(end_ranked) ranked r;
  sal_binning_quantity *q = &out->quantity[out->n];
  const int option = axis->column[c] - s->model->n_param;

  SAL_TRY(rank_column(axis, c, &r));
  if (r.n < 2) return SAL_OK;
  q->column = axis->column[c];
  q->word = option >= 0 && option < s->model->n_option;
  if (q->word && r.n > SAL_MAX_BIN)
    return sal_fail(SAL_ERR_INPUT, "%s: %s has %lld words; rules tell at most %d apart", s->path,
                    s->model->option[option].name, (long long)r.n, SAL_MAX_BIN);
  ++out->n;
  set_edges(s, &r, most, q);
  return SAL_OK;
}

sal_err sal_binning_edges(const sal_sweep *s, sal_binning *out)
{
  int n_column = 0;

  *out = (sal_binning){0};
  for (int a = 0; a < s->n_axis; ++a) n_column += s->axis[a].n_column;
  const int most =
      n_column > SAL_FEATURE_BINS / SAL_MAX_BIN ? SAL_FEATURE_BINS / n_column : SAL_MAX_BIN;
  for (int a = 0; a < s->n_axis; ++a)
    for (int c = 0; c < s->axis[a].n_column; ++c) SAL_TRY(add_column(s, &s->axis[a], c, most, out));
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
