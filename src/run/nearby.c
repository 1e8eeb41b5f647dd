/** @file src/run/nearby.c
 *  The cells around a point.
 */
#include "nearby.h"
#include "memory.h"
#include <assert.h>
#include <float.h>
#include <math.h>

enum { MAX_SHARE = SAL_MAX_COLUMN + 1 };

/* What one axis contributes. */
typedef struct {
  int     n;
  int64_t point[MAX_SHARE];
  double  share[MAX_SHARE];
} part;

static void note_outside(sal_nearby *out, int column, double lo, double hi)
{
  out->lo[out->n_outside]        = lo;
  out->hi[out->n_outside]        = hi;
  out->outside[out->n_outside++] = column;
}

/* Smallest and largest value of a column. */
static void range_of(const sal_axis *axis, int c, double *lo, double *hi)
{
  *lo = *hi = sal_axis_value(axis, 0, c);
  for (int64_t i = 1; i < axis->n_point; ++i) {
    *lo = fmin(*lo, sal_axis_value(axis, i, c));
    *hi = fmax(*hi, sal_axis_value(axis, i, c));
  }
}

static double scaled(bool log_scale, double x) { return log_scale ? log(x) : x; }

/* The points on either side of x.  Those of a list may stand in any order. */
static part bracket(const sal_axis *axis, double x, sal_nearby *out)
{
  int64_t below = -1, above = -1;
  double  lo, hi, at_below = -INFINITY, at_above = INFINITY;

  range_of(axis, 0, &lo, &hi);
  const double slack = 4 * DBL_EPSILON * fmax(fabs(lo), fabs(hi));
  if (x < lo - slack || x > hi + slack) note_outside(out, axis->column[0], lo, hi);
  x = fmin(fmax(x, lo), hi);
  for (int64_t i = 0; i < axis->n_point; ++i) {
    const double v = sal_axis_value(axis, i, 0);
    if (v <= x && v > at_below) at_below = v, below = i;
    if (v >= x && v < at_above) at_above = v, above = i;
  }
  if (below == above) return (part){1, {below}, {1}};
  const bool   by_log = axis->kind != SAL_AXIS_LINEAR && lo > 0;
  const double from = scaled(by_log, at_below), to = scaled(by_log, at_above);
  const double share = (scaled(by_log, x) - from) / (to - from);
  return (part){2, {below, above}, {1 - share, share}};
}

/* The point with that option. */
static sal_err match(const sal_model *m, const sal_axis *axis, double x, part *out)
{
  const sal_option *option = &m->option[axis->column[0] - m->n_param];

  for (int64_t i = 0; i < axis->n_point; ++i)
    if (sal_axis_value(axis, i, 0) == x) {
      *out = (part){1, {i}, {1}};
      return SAL_OK;
    }
  return sal_fail(SAL_ERR_INPUT, "%s = %s is not in the map", option->name, option->choice[(int)x]);
}

/* Takes a point into those found so far, nearest first; the earlier one of equals stays ahead. */
static void insert(part *p, double distance[], int most, int64_t point, double d)
{
  int i = p->n < most ? p->n++ : most;

  if (i == most && d >= distance[most - 1]) return;
  for (i = i == most ? most - 1 : i; i > 0 && d < distance[i - 1]; --i) {
    p->point[i] = p->point[i - 1];
    distance[i] = distance[i - 1];
  }
  p->point[i] = point;
  distance[i] = d;
}

/* Shares inverse to the distance; a point that is hit takes all. */
static void share_out(part *p, const double distance[])
{
  double sum = 0;

  if (distance[0] < 1e-12) p->n = 1;
  for (int i = 0; i < p->n; ++i) sum += p->share[i] = p->n == 1 ? 1 : 1 / distance[i];
  for (int i = 0; i < p->n; ++i) p->share[i] /= sum;
}

static part nearest(const sal_axis *axis, const double value[], sal_nearby *out)
{
  const int n                   = axis->n_column;
  const int most                = axis->n_point < n + 1 ? (int)axis->n_point : n + 1;
  part      result              = {0};
  double    distance[MAX_SHARE] = {0}, from[SAL_MAX_COLUMN], span[SAL_MAX_COLUMN];
  bool      by_log[SAL_MAX_COLUMN];

  for (int c = 0; c < n; ++c) {
    double lo, hi, x = value[axis->column[c]];
    range_of(axis, c, &lo, &hi);
    if (x < lo || x > hi) note_outside(out, axis->column[c], lo, hi);
    by_log[c] = lo > 0 && hi >= 10 * lo;
    span[c]   = hi > lo ? scaled(by_log[c], hi) - scaled(by_log[c], lo) : 1;
    from[c]   = scaled(by_log[c], fmin(fmax(x, lo), hi));
  }
  for (int64_t i = 0; i < axis->n_point; ++i) {
    double square = 0;
    for (int c = 0; c < n; ++c) {
      const double d = (scaled(by_log[c], sal_axis_value(axis, i, c)) - from[c]) / span[c];
      square += d * d;
    }
    insert(&result, distance, most, i, sqrt(square));
  }
  share_out(&result, distance);
  return result;
}

static sal_err find_part(const sal_sweep *sweep, int a, const double value[], sal_nearby *out,
                         part *p)
{
  const sal_model *m    = sweep->model;
  const sal_axis  *axis = &sweep->axis[a];
  const int        k    = axis->column[0];

  if (sal_axis_joint(axis))
    *p = nearest(axis, value, out);
  else if (k >= m->n_param && k < m->n_param + m->n_option)
    return match(m, axis, value[k], p);
  else
    *p = bracket(axis, value[k], out);
  return SAL_OK;
}

/* All combinations of the parts, the last axis running fastest. */
static void combine(const sal_sweep *sweep, const part p[], int64_t n, sal_nearby *out)
{
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = i, cell = 0, stride = 1;
    double  weight = 1;
    for (int a = sweep->n_axis - 1; a >= 0; --a) {
      assert(p[a].n > 0);
      const int k = (int)(rest % p[a].n);
      rest /= p[a].n;
      cell += stride * p[a].point[k];
      stride *= sweep->axis[a].n_point;
      weight *= p[a].share[k];
    }
    if (weight <= 0) continue;
    int at = out->n++; /* points of a list may stand in any order */
    for (; at > 0 && out->cell[at - 1] > cell; --at) {
      out->cell[at]   = out->cell[at - 1];
      out->weight[at] = out->weight[at - 1];
    }
    out->cell[at]   = cell;
    out->weight[at] = weight;
  }
}

sal_err sal_nearby_find(const sal_sweep *sweep, const double value[], sal_nearby *out)
{
  part    p[SAL_MAX_AXIS] = {{0}};
  int64_t n               = 1;

  *out = (sal_nearby){0};
  for (int a = 0; a < sweep->n_axis; ++a) {
    SAL_TRY(find_part(sweep, a, value, out, &p[a]));
    n *= p[a].n;
  }
  out->cell   = sal_alloc((size_t)n, sizeof *out->cell);
  out->weight = sal_alloc((size_t)n, sizeof *out->weight);
  if (!out->cell || !out->weight) {
    sal_nearby_free(out);
    return sal_fail(SAL_ERR_MEMORY, "no memory for %lld neighbouring cells", (long long)n);
  }
  combine(sweep, p, n, out);
  return SAL_OK;
}

void sal_nearby_free(sal_nearby *nearby)
{
  sal_free(nearby->cell);
  sal_free(nearby->weight);
  *nearby = (sal_nearby){0};
}
