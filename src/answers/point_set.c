/** Points near a place.
 *
 *  Most points are rejected as too far by their values, before logarithms are taken.
 */
#include "base.h"
#include "neighbours.h"

enum { LEAF = 16, SAMPLE = 4096, COARSE = UINT16_MAX };

/* Bounds on squares are rounded towards less. */
static const double rounded_down = 1 - 1e-9;

static double value_at(const sal_point_set *s, int64_t point, int k)
{
  return sal_axis_value(s->axis, point, s->c[k]);
}

enum { MOST = SAL_SURROGATE_MOST_COORDINATES };

typedef struct {
  const sal_point_set *set;
  const sal_point_search *ask;
  sal_metric_block block;
  double slack[MOST];                                /* of x by coarse coordinates */
  double centre[MOST], reach[MOST];                  /* of the block; without an index */
  double boxed;                                      /* the limit for which the box was made */
  double lo[SAL_MAX_QUANTITY], hi[SAL_MAX_QUANTITY]; /* of values */
} search;

/* A coordinate in COARSEths, within the range. */
static int32_t coarse_of(double z) { return (int32_t)(fmin(fmax(z, 0), 1) * COARSE); }

/* The values that may lie within the limit. */
static void make_box(search *q)
{
  const double most = sqrt(fmax(0, *q->ask->limit - q->ask->before)) * (1 + 1e-9);

  q->boxed = *q->ask->limit;
  for (int k = 0; k < q->set->n; ++k) {
    const double r = most * q->reach[k] + 1e-9;
    q->lo[k] = -INFINITY;
    q->hi[k] = INFINITY;
    if (!(r < 2)) continue;
    q->lo[k] = sal_surrogate_coordinate_value(&q->set->at[k], q->centre[k] - r);
    q->hi[k] = sal_surrogate_coordinate_value(&q->set->at[k], q->centre[k] + r);
  }
}

static void offer_coordinates(const search *q, int64_t point, const double z[])
{
  double dz[MOST];

  for (int k = 0; k < q->set->n; ++k) dz[k] = z[k] - q->ask->z[k];
  const double sum = sal_metric_block_square(&q->block, dz);
  if (sum * rounded_down <= *q->ask->limit) q->ask->found(q->ask->with, point, z, sum);
}

static void offer_point(const search *q, int64_t point, const double value[])
{
  double z[MOST];

  for (int k = 0; k < q->set->n; ++k) z[k] = sal_surrogate_coordinate_of(&q->set->at[k], value[k]);
  offer_coordinates(q, point, z);
}

static bool is_of_class(const search *q, int64_t point)
{
  return !q->set->class_of || q->set->class_of[point] == q->ask->class;
}

static void try_point(search *q, int64_t point)
{
  double value[MOST];

  if (!is_of_class(q, point)) return;
  if (*q->ask->limit < 0.8 * q->boxed) make_box(q);
  for (int k = 0; k < q->set->n; ++k) {
    value[k] = value_at(q->set, point, k);
    if (value[k] < q->lo[k] || value[k] > q->hi[k]) return;
  }
  offer_point(q, point, value);
}

/* Point by point of boxes that may be near enough. */
static void try_sequence(void *with, int64_t point)
{
  const search *q = with;
  double z[MOST];

  sal_surrogate_coordinates_point(q->set->of, q->set->number, point, z);
  offer_coordinates(q, point, z);
}

/* A few points from everywhere first: then the box is small. */
static void search_all(search *q)
{
  const int64_t n = q->set->axis->n_point, step = n > SAMPLE ? n / SAMPLE : 1;

  sal_metric_block_ellipsoid(&q->block, q->centre, q->reach);
  make_box(q);
  for (int64_t i = 0; i < n; i += step) try_point(q, i);
  for (int64_t b = 0; b < n && step > 1; b += step)
    for (int64_t i = b + 1; i < b + step && i < n; ++i) try_point(q, i);
}

/* Most points of a leaf are rejected as too far by their coarse coordinates, without logarithms. */
static void try_indexed(const search *q, int64_t i)
{
  const uint16_t *coarse = &q->set->coarse[i * q->set->n];
  const int n = q->set->n;
  double dz[MOST], value[MOST], sum = q->ask->before;

  for (int k = n - 1; k >= 0; --k) {
    dz[k] = (coarse[k] + 0.5) / COARSE - q->ask->z[k];
    const double x = sal_metric_block_x(&q->block, k, dz);
    const double least = fabs(x) - q->slack[k];
    if (least > 0) sum += least * least;
    if (sum * rounded_down > *q->ask->limit) return;
  }
  const int64_t point = q->set->order[i];
  if (!is_of_class(q, point)) return;
  for (int k = 0; k < n; ++k) value[k] = value_at(q->set, point, k);
  offer_point(q, point, value);
}

/* Points [first, end) below a split, in a box of coordinates; the nearer half first. */
static void search_below(const search *q, int split, int64_t first, int64_t end, double lo[],
                         double hi[])
{
  const sal_point_set *s = q->set;

  if (sal_metric_block_box_near(&q->block, lo, hi, NULL) * rounded_down > *q->ask->limit) return;
  if (split >= (1 << s->depth) - 1) {
    for (int64_t i = first; i < end; ++i) try_indexed(q, i);
    return;
  }
  const int k = s->split[split].coordinate;
  const double at = s->split[split].at, low = lo[k], high = hi[k];
  const int64_t middle = first + (end - first) / 2;
  const bool above = q->ask->z[k] >= at;
  for (int side = 0; side < 2; ++side) {
    const bool up = (side == 0) == above;
    lo[k] = up ? at : low;
    hi[k] = up ? high : at;
    if (up)
      search_below(q, 2 * split + 2, middle, end, lo, hi);
    else
      search_below(q, 2 * split + 1, first, middle, lo, hi);
  }
  lo[k] = low;
  hi[k] = high;
}

/* A coarse coordinate is half a step off, but for rounding. */
static void begin_search(search *q)
{
  const sal_point_search *ask = q->ask;

  sal_metric_block_make(ask->metric, ask->first, q->set->n, ask->z, ask->offset, ask->before,
                        &q->block);
  for (int k = 0; k < q->set->n; ++k) {
    q->slack[k] = 0;
    for (int a = k; a < q->set->n; ++a) q->slack[k] += fabs(q->block.l[k][a]) * 0.51 / COARSE;
  }
}

static void search_index(search *q)
{
  double lo[SAL_MAX_QUANTITY], hi[SAL_MAX_QUANTITY];

  for (int k = 0; k < q->set->n; ++k) lo[k] = -1e-9, hi[k] = 1 + 1e-9;
  search_below(q, 0, 0, q->set->axis->n_point, lo, hi);
}

void sal_point_set_search(const sal_point_set *s, const sal_point_search *ask)
{
  search q = {.set = s, .ask = ask};

  begin_search(&q);
  if (s->sequence.n > 0)
    sal_sobol_boxes_search(&s->sequence, &q.block, NULL, ask->limit, try_sequence, &q);
  else if (s->order)
    search_index(&q);
  else
    search_all(&q);
}

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
  const double at = sal_surrogate_coordinate_of(&s->at[k], key[middle - first].value);
  const double low = lo[k], high = hi[k];
  s->split[split] = (sal_point_split){at, k};
  hi[k] = at;
  split_points(s, key, 2 * split + 1, first, middle, lo, hi);
  hi[k] = high;
  lo[k] = at;
  split_points(s, key, 2 * split + 2, middle, end, lo, hi);
  lo[k] = low;
}

double sal_point_set_bytes(double n_point, int n, bool building)
{
  const double splits = n_point > LEAF ? 2 * n_point / LEAF : 1;

  return n_point * (double)(sizeof(int32_t) + (size_t)n * sizeof(uint16_t) +
                            (building ? sizeof(keyed) : 0)) +
         splits * (double)sizeof(sal_point_split);
}

sal_err sal_point_set_index(sal_point_set *s)
{
  const int64_t n = s->axis->n_point;
  double lo[SAL_MAX_QUANTITY], hi[SAL_MAX_QUANTITY];

  if (s->order || s->n == 0 || s->sequence.n > 0) return SAL_OK;
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
          (uint16_t)coarse_of(sal_surrogate_coordinate_of(&s->at[k], value_at(s, s->order[i], k)));
  return SAL_OK;
}

void sal_point_set_free(sal_point_set *s)
{
  sal_free_all(s->order, s->split, s->coarse);
  s->order = NULL;
  s->split = NULL;
  s->coarse = NULL;
}
