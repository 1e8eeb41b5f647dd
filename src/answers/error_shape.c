/** Quantiles, and a search among them. */
#include "between_levels.h"
#include "quantiles.h"
#include <stdlib.h>

static void add_knot(sal_error_shape *s, int64_t n, const double residual[], int64_t i,
                     int64_t *last)
{
  if (i <= *last) return;
  s->at[s->n] = residual[i];
  s->below[s->n++] = i + 1 < n ? (double)(i + 1) / (double)n : 1 - 1 / (double)n;
  *last = i;
}

void sal_error_shape_make(int64_t n, double residual[], sal_error_shape *s)
{
  const int64_t tail = SAL_BETWEEN_SHAPE_TAIL, steps = SAL_BETWEEN_SHAPE_QUANTILES - 1;
  int64_t last = -1;

  *s = (sal_error_shape){.n = 0};
  if (n == 0) return;
  sal_quantiles_sort(n, residual);
  for (int64_t i = 0; i < tail && i < n; ++i) add_knot(s, n, residual, i, &last);
  for (int64_t j = 0; j <= steps; ++j) {
    const int64_t i = j * (n - 1) / steps;
    if (i < n - tail) add_knot(s, n, residual, i, &last);
  }
  for (int64_t i = n > tail ? n - tail : 0; i < n; ++i) add_knot(s, n, residual, i, &last);
  sal_error_shape_index(s);
}

/* Bins from -reach to reach; what is beyond lies in the first and the last one. */
static const double reach = 8;

/* Rounding keeps it from falling where z rises. */
static int bin_of(double z)
{
  const double at = (z + reach) * (SAL_BETWEEN_SHAPE_BINS / (2 * reach));

  return !(at > 0) ? 0 : at < SAL_BETWEEN_SHAPE_BINS - 1 ? (int)at : SAL_BETWEEN_SHAPE_BINS - 1;
}

void sal_error_shape_index(sal_error_shape *s)
{
  int i = 0;

  for (int b = 0; b < SAL_BETWEEN_SHAPE_BINS; ++b) {
    while (i < s->n && bin_of(s->at[i]) < b) ++i;
    s->before[b] = (int16_t)i;
  }
}

double sal_error_shape_below(const sal_error_shape *s, double z)
{
  int lo = s->before[bin_of(z)];

  while (lo < s->n && s->at[lo] <= z) ++lo;
  if (lo == 0) return 0;
  if (lo == s->n) return s->below[s->n - 1];
  const double share = (z - s->at[lo - 1]) / (s->at[lo] - s->at[lo - 1]);
  return s->below[lo - 1] + share * (s->below[lo] - s->below[lo - 1]);
}
