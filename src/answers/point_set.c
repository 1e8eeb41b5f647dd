/** @file src/answers/point_set.c
 *  Points near a place.
 *
 *  Most points are told to be too far by their values, before logarithms are taken.
 */
#include "point_set.h"
#include "memory.h"
#include <assert.h>
#include <math.h>

enum { LEAF = 16, SAMPLE = 4096, COARSE = UINT16_MAX };

/* Bounds on squares are rounded towards less. */
static const double rounded_down = 1 - 1e-12;

static double value_at(const sal_point_set *s, int64_t point, int k)
{
  return sal_axis_value(s->axis, point, s->c[k]);
}

/* ---- Search ---- */

typedef struct {
  const sal_point_set *set;
  const sal_point_search *ask;
  double boxed;                                         /* the limit for which the box was made */
  double lo[SAL_MAX_QUANTITY], hi[SAL_MAX_QUANTITY];    /* of values */
  int32_t from[SAL_MAX_QUANTITY], to[SAL_MAX_QUANTITY]; /* of coarse coordinates */
} search;

/* A coordinate in COARSEths, within the range; the box is wider by one on both sides. */
static int32_t coarse_of(double z) { return (int32_t)(fmin(fmax(z, 0), 1) * COARSE); }

/* The values that may lie within the limit. */
static void make_box(search *q)
{
  const double reach = sqrt(fmax(0, *q->ask->limit - q->ask->before)) * (1 + 1e-9);

  q->boxed = *q->ask->limit;
  for (int k = 0; k < q->set->n; ++k) {
    const double r = reach / q->ask->scale[k] + 1e-9;
    q->lo[k] = -INFINITY;
    q->hi[k] = INFINITY;
    q->from[k] = -1;
    q->to[k] = COARSE + 1;
    if (!(r < 2)) continue;
    q->from[k] = coarse_of(q->ask->z[k] - r) - 1;
    q->to[k] = coarse_of(q->ask->z[k] + r) + 1;
    q->lo[k] = sal_reader_coordinate_value(&q->set->at[k], q->ask->z[k] - r);
    q->hi[k] = sal_reader_coordinate_value(&q->set->at[k], q->ask->z[k] + r);
  }
}

static void try_point(search *q, int64_t point)
{
  const sal_point_set *s = q->set;
  const sal_point_search *ask = q->ask;
  double value[SAL_MAX_QUANTITY], sum = ask->before;

  if (s->class_of && s->class_of[point] != ask->class) return;
  if (*ask->limit < 0.8 * q->boxed) make_box(q);
  for (int k = 0; k < s->n; ++k) {
    value[k] = value_at(s, point, k);
    if (value[k] < q->lo[k] || value[k] > q->hi[k]) return;
  }
  for (int k = 0; k < s->n; ++k) {
    const double d = ask->scale[k] * (sal_reader_coordinate_of(&s->at[k], value[k]) - ask->z[k]);
    sum += d * d;
  }
  if (sum * rounded_down + ask->after * rounded_down <= *ask->limit)
    ask->found(ask->with, point, sum);
}

/* A few points from everywhere first: then the box is small. */
static void search_all(search *q)
{
  const int64_t n = q->set->axis->n_point, step = n > SAMPLE ? n / SAMPLE : 1;

  for (int64_t i = 0; i < n; i += step) try_point(q, i);
  for (int64_t b = 0; b < n && step > 1; b += step)
    for (int64_t i = b + 1; i < b + step && i < n; ++i) try_point(q, i);
}

/* Most points of a leaf are told to be outside of the box without a look at their values. */
static void try_indexed(search *q, int64_t i)
{
  const uint16_t *coarse = &q->set->coarse[i * q->set->n];

  for (int k = 0; k < q->set->n; ++k)
    if (coarse[k] < q->from[k] || coarse[k] > q->to[k]) return;
  try_point(q, q->set->order[i]);
}

/* Points [first, end) below a split: `square` of the distance to them, off[k] its parts. */
static void search_below(search *q, int split, int64_t first, int64_t end, double square,
                         double off[])
{
  const sal_point_set *s = q->set;

  if (split >= (1 << s->depth) - 1) {
    for (int64_t i = first; i < end; ++i) try_indexed(q, i);
    return;
  }
  const int k = s->split[split].coordinate;
  const double d = q->ask->scale[k] * (q->ask->z[k] - s->split[split].at);
  const int64_t middle = first + (end - first) / 2;
  const double was = off[k], across = square - was + d * d;
  if (d < 0)
    search_below(q, 2 * split + 1, first, middle, square, off);
  else
    search_below(q, 2 * split + 2, middle, end, square, off);
  if ((q->ask->before + across + q->ask->after) * (1 - 1e-9) > *q->ask->limit) return;
  off[k] = d * d;
  if (d < 0)
    search_below(q, 2 * split + 2, middle, end, across, off);
  else
    search_below(q, 2 * split + 1, first, middle, across, off);
  off[k] = was;
}

void sal_point_set_search(const sal_point_set *s, const sal_point_search *ask)
{
  search q = {.set = s, .ask = ask};
  double off[SAL_MAX_QUANTITY] = {0};

  make_box(&q);
  if (s->order)
    search_below(&q, 0, 0, s->axis->n_point, 0, off);
  else
    search_all(&q);
}

/* ---- Index ---- */

typedef struct {
  double value;
  int32_t point;
} keyed;

/* Puts into place m of [0, n) what belongs there by value, with less below and more above it. */
static void select_value(keyed a[], int64_t n, int64_t m)
{
  int64_t lo = 0, hi = n - 1;

  while (lo < hi) {
    const double pivot = a[lo + (hi - lo) / 2].value;
    int64_t i = lo, j = hi;
    while (i <= j) {
      while (a[i].value < pivot) ++i;
      while (a[j].value > pivot) --j;
      if (i > j) break;
      const keyed other = a[i];
      a[i++] = a[j];
      a[j--] = other;
    }
    if (m <= j)
      hi = j;
    else if (m >= i)
      lo = i;
    else
      return;
  }
}

/* Splits [first, end) at its middle across the longest side of its box. */
static void split_points(sal_point_set *s, keyed key[], int split, int64_t first, int64_t end,
                         double lo[], double hi[])
{
  const int64_t middle = first + (end - first) / 2;
  int k = 0;

  if (split >= (1 << s->depth) - 1) return;
  for (int i = 1; i < s->n; ++i)
    if (hi[i] - lo[i] > hi[k] - lo[k]) k = i;
  for (int64_t i = first; i < end; ++i)
    key[i - first] = (keyed){value_at(s, s->order[i], k), s->order[i]};
  select_value(key, end - first, middle - first);
  for (int64_t i = first; i < end; ++i) s->order[i] = key[i - first].point;
  const double at = sal_reader_coordinate_of(&s->at[k], key[middle - first].value);
  const double low = lo[k], high = hi[k];
  s->split[split] = (sal_point_split){at, k};
  hi[k] = at;
  split_points(s, key, 2 * split + 1, first, middle, lo, hi);
  hi[k] = high;
  lo[k] = at;
  split_points(s, key, 2 * split + 2, middle, end, lo, hi);
  lo[k] = low;
}

double sal_point_set_bytes(double n_point, int n, bool making)
{
  const double splits = n_point > LEAF ? 2 * n_point / LEAF : 1;

  return n_point * (double)(sizeof(int32_t) + (size_t)n * sizeof(uint16_t) +
                            (making ? sizeof(keyed) : 0)) +
         splits * (double)sizeof(sal_point_split);
}

sal_err sal_point_set_index(sal_point_set *s)
{
  const int64_t n = s->axis->n_point;
  double lo[SAL_MAX_QUANTITY], hi[SAL_MAX_QUANTITY];

  if (s->order || s->n == 0) return SAL_OK;
  assert(n <= INT32_MAX);
  for (s->depth = 0; n >> s->depth > LEAF;) ++s->depth;
  SAL_OWN keyed *key = sal_alloc((size_t)n, sizeof *key);
  s->order = sal_alloc((size_t)n, sizeof *s->order);
  s->split = sal_alloc((size_t)1 << s->depth, sizeof *s->split);
  s->coarse = sal_alloc((size_t)n, (size_t)s->n * sizeof *s->coarse);
  if (!key || !s->order || !s->split || !s->coarse) {
    sal_point_set_free(s);
    return sal_fail(SAL_ERR_MEMORY, "no memory for an index of %lld points", (long long)n);
  }
  for (int64_t i = 0; i < n; ++i) s->order[i] = (int32_t)i;
  for (int k = 0; k < s->n; ++k) lo[k] = 0, hi[k] = 1;
  split_points(s, key, 0, 0, n, lo, hi);
  for (int64_t i = 0; i < n; ++i)
    for (int k = 0; k < s->n; ++k)
      s->coarse[i * s->n + k] =
          (uint16_t)coarse_of(sal_reader_coordinate_of(&s->at[k], value_at(s, s->order[i], k)));
  return SAL_OK;
}

void sal_point_set_free(sal_point_set *s)
{
  sal_free(s->order);
  sal_free(s->split);
  sal_free(s->coarse);
  s->order = NULL;
  s->split = NULL;
  s->coarse = NULL;
}
