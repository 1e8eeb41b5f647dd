/** @file src/answers/stencil.c
 *  The cells around a point.
 */
#include "stencil.h"
#include "memory.h"
#include "parameter_column.h"
#include <assert.h>
#include <float.h>
#include <math.h>

enum { MAX_SHARE = SAL_MAX_COLUMN + 1 };

/* The points of one axis that the stencil has, and their shares. */
typedef struct {
  int     n;
  int64_t point[MAX_SHARE];
  double  share[MAX_SHARE];
} axis_share;

static void note_outside(sal_stencil *out, int column, double lo, double hi)
{
  out->lo[out->n_outside]        = lo;
  out->hi[out->n_outside]        = hi;
  out->outside[out->n_outside++] = column;
}

/* Smallest and largest value of a column. */
static void column_range(const sal_axis *axis, int c, double *lo, double *hi)
{
  *lo = *hi = sal_axis_value(axis, 0, c);
  for (int64_t i = 1; i < axis->n_point; ++i) {
    *lo = fmin(*lo, sal_axis_value(axis, i, c));
    *hi = fmax(*hi, sal_axis_value(axis, i, c));
  }
}

static double scaled(bool log_scale, double x) { return log_scale ? log(x) : x; }

/* The points on either side of x. */
static axis_share bracket_points(const sal_axis *axis, double x, sal_stencil *out)
{
  sal_axis_neighbours b;
  double              lo, hi;

  if (!sal_axis_bracket(axis, x, &lo, &hi, &b)) note_outside(out, axis->column[0], lo, hi);
  if (b.below == b.above) return (axis_share){1, {b.below}, {1}};
  return (axis_share){2, {b.below, b.above}, {1 - b.share, b.share}};
}

/* The value of an option or of a discrete state is none of the map's. */
static sal_err fail_not_there(const sal_model *m, int column, double x)
{
  const char *name = sal_parameter_column_name(m, column);

  if (!sal_parameter_column_is_option(m, column))
    return sal_fail(SAL_ERR_INPUT, "%s = %.10g is not in the map", name, x);
  return sal_fail(SAL_ERR_INPUT, "%s = %s is not in the map", name,
                  m->option[column - m->n_param].choice[(int)x]);
}

/* The point with that value. */
static sal_err match_value(const sal_model *m, const sal_axis *axis, double x, axis_share *out)
{
  for (int64_t i = 0; i < axis->n_point; ++i)
    if (sal_axis_value(axis, i, 0) == x) {
      *out = (axis_share){1, {i}, {1}};
      return SAL_OK;
    }
  return fail_not_there(m, axis->column[0], x);
}

/* Takes a point into those found so far, nearest first; the earlier one of equals stays ahead. */
static void insert_nearest(axis_share *p, double distance[], int most, int64_t point, double d)
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
static void share_by_distance(axis_share *p, const double distance[])
{
  double sum = 0;

  if (distance[0] < 1e-12) p->n = 1;
  for (int i = 0; i < p->n; ++i) sum += p->share[i] = p->n == 1 ? 1 : 1 / distance[i];
  for (int i = 0; i < p->n; ++i) p->share[i] /= sum;
}

/* Has the point the discrete states asked for? */
static bool matches_discrete(const sal_model *m, const sal_axis *axis, int64_t point,
                             const double value[])
{
  for (int c = 0; c < axis->n_column; ++c)
    if (sal_parameter_column_is_discrete(m, axis->column[c]) &&
        sal_axis_value(axis, point, c) != value[axis->column[c]])
      return false;
  return true;
}

/* None where no point has the discrete states asked for. */
static axis_share nearest_points(const sal_model *m, const sal_axis *axis, const double value[],
                                 sal_stencil *out)
{
  const int  n                   = axis->n_column;
  const int  most                = axis->n_point < n + 1 ? (int)axis->n_point : n + 1;
  axis_share result              = {0};
  double     distance[MAX_SHARE] = {0}, from[SAL_MAX_COLUMN], span[SAL_MAX_COLUMN];
  bool       by_log[SAL_MAX_COLUMN];

  for (int c = 0; c < n; ++c) {
    double lo, hi, x = value[axis->column[c]];
    column_range(axis, c, &lo, &hi);
    if (x < lo || x > hi) note_outside(out, axis->column[c], lo, hi);
    by_log[c] = lo > 0 && hi >= 10 * lo;
    span[c]   = hi > lo ? scaled(by_log[c], hi) - scaled(by_log[c], lo) : 1;
    from[c]   = scaled(by_log[c], fmin(fmax(x, lo), hi));
  }
  for (int64_t i = 0; i < axis->n_point; ++i) {
    double square = 0;
    if (!matches_discrete(m, axis, i, value)) continue;
    for (int c = 0; c < n; ++c) {
      const double d = (scaled(by_log[c], sal_axis_value(axis, i, c)) - from[c]) / span[c];
      square += d * d;
    }
    insert_nearest(&result, distance, most, i, sqrt(square));
  }
  if (result.n > 0) share_by_distance(&result, distance);
  return result;
}

static sal_err share_axis(const sal_sweep *sweep, int a, const double value[], sal_stencil *out,
                          axis_share *p)
{
  const sal_model *m    = sweep->model;
  const sal_axis  *axis = &sweep->axis[a];
  const int        k    = axis->column[0];

  if (!sal_axis_joint(axis)) {
    if (sal_parameter_column_is_discrete(m, k)) return match_value(m, axis, value[k], p);
    *p = bracket_points(axis, value[k], out);
    return SAL_OK;
  }
  *p = nearest_points(m, axis, value, out);
  for (int c = 0; p->n == 0 && c < axis->n_column; ++c)
    if (sal_parameter_column_is_discrete(m, axis->column[c]))
      return fail_not_there(m, axis->column[c], value[axis->column[c]]);
  return SAL_OK;
}

/* All combinations of the parts, the last axis running fastest; their weights sum to `total`. */
static void combine_axes(const sal_sweep *sweep, const axis_share p[], int64_t n, double total,
                         sal_stencil *out)
{
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = i, cell = 0, stride = 1;
    double  weight = total;
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

/* ---- scattered cells ---- */

enum { FIRST_ROOM = 16 };

/* The scattered cells around the point: numbers, and the height of each hat there. */
typedef struct {
  const sal_sweep  *sweep;
  const axis_share *p; /* [n_axis] */
  int               n, room;
  int64_t          *point;
  double           *hat;
  bool              out_of_memory;
} hat_list;

/* One axis of a hat, at share x of the gap that begins with point `below`, of a scattered point
 * there.  It reaches half the gap at most, and no further than the ends of the gap: what lies
 * beyond is not touched by it. */
static double hat_of(const sal_axis *axis, const axis_share *p, double value)
{
  sal_axis_neighbours b;
  double              lo, hi;

  sal_axis_bracket(axis, value, &lo, &hi, &b);
  if (p->n == 1) return b.below == p->point[0] && b.below == b.above; /* x is a point of the axis */
  const double x = p->share[1];
  if (b.below == b.above) /* at an end of the gap */
    return fmax(0, 1 - 2 * (b.below == p->point[0] ? x : 1 - x));
  const double reach = fmin(0.5, x < b.share ? b.share : 1 - b.share);
  return fmax(0, 1 - fabs(x - b.share) / reach);
}

static bool grow_hats(hat_list *c)
{
  const int room  = c->room ? 2 * c->room : FIRST_ROOM;
  int64_t  *point = sal_alloc((size_t)room, sizeof *point);
  double   *hat   = sal_alloc((size_t)room, sizeof *hat);

  c->out_of_memory = !point || !hat;
  for (int i = 0; !c->out_of_memory && i < c->n; ++i) point[i] = c->point[i], hat[i] = c->hat[i];
  sal_free(c->out_of_memory ? point : c->point);
  sal_free(c->out_of_memory ? hat : c->hat);
  if (c->out_of_memory) return false;
  c->point = point;
  c->hat   = hat;
  c->room  = room;
  return true;
}

/* Keeps the list in the order of the points. */
static void add_scattered(void *with, int64_t point)
{
  hat_list            *c   = with;
  const sal_scattered *s   = &c->sweep->scattered;
  double               hat = 1;

  for (int a = 0; a < c->sweep->n_axis; ++a) {
    const sal_axis *axis = &c->sweep->axis[a];
    hat *= hat_of(axis, &c->p[a], sal_axis_value(&s->point, point, sal_scattered_column(s, axis)));
  }
  if (!(hat > 0) || c->out_of_memory || (c->n == c->room && !grow_hats(c))) return;
  int at = c->n++;
  for (; at > 0 && c->point[at - 1] > point; --at) {
    c->point[at] = c->point[at - 1];
    c->hat[at]   = c->hat[at - 1];
  }
  c->point[at] = point;
  c->hat[at]   = hat;
}

/* Turns hats into weights, and returns what is left for the grid: with one hat h, h and 1 - h.  Of
 * several each has a share by h / (1 - h), so that a point that is hit takes all, however close the
 * others are. */
static double weigh_hats(hat_list *c)
{
  double left = 1, sum = 0;
  int    hit = -1;

  for (int i = 0; i < c->n; ++i) {
    if (c->hat[i] >= 1 - 8 * DBL_EPSILON && hit < 0) hit = i;
    left *= 1 - c->hat[i];
    sum += c->hat[i] / (1 - c->hat[i]);
  }
  for (int i = 0; i < c->n; ++i)
    c->hat[i] = hit >= 0 ? i == hit : (1 - left) * c->hat[i] / (1 - c->hat[i]) / sum;
  return hit >= 0 ? 0 : left;
}

/* The scattered cells of the boxes that the point touches. */
static sal_err gather_hats(const sal_sweep *sweep, const axis_share p[], hat_list *c)
{
  int     n_slot[SAL_MAX_AXIS];
  int64_t slot[SAL_MAX_AXIS][SAL_MAX_SLOT];

  *c = (hat_list){.sweep = sweep, .p = p};
  if (sweep->scattered.point.n_point == 0) return SAL_OK;
  for (int a = 0; a < sweep->n_axis; ++a) {
    n_slot[a]  = p[a].n == 1 ? 1 : 3;
    slot[a][0] = 2 * p[a].point[0];
    slot[a][1] = 2 * p[a].point[0] + 1;
    slot[a][2] = 2 * p[a].point[p[a].n - 1];
  }
  sal_scattered_find(&sweep->scattered, sweep->n_axis, sweep->axis, n_slot, slot, add_scattered, c);
  return c->out_of_memory ? sal_fail(SAL_ERR_MEMORY, "no memory for scattered cells") : SAL_OK;
}

/* Puts both together: n cells of the grid at most, and the scattered ones behind them. */
static sal_err fill_stencil(const sal_sweep *sweep, const axis_share p[], int64_t n, hat_list *c,
                            sal_stencil *out)
{
  out->cell   = sal_alloc((size_t)(n + c->n), sizeof *out->cell);
  out->weight = sal_alloc((size_t)(n + c->n), sizeof *out->weight);
  if (!out->cell || !out->weight)
    return sal_fail(SAL_ERR_MEMORY, "no memory for %lld neighbouring cells", (long long)n + c->n);
  combine_axes(sweep, p, n, weigh_hats(c), out);
  for (int i = 0; i < c->n; ++i) {
    if (!(c->hat[i] > 0)) continue;
    out->cell[out->n]     = sweep->n_grid + c->point[i];
    out->weight[out->n++] = c->hat[i];
  }
  return SAL_OK;
}

sal_err sal_stencil_find(const sal_sweep *sweep, const double value[], sal_stencil *out)
{
  axis_share p[SAL_MAX_AXIS] = {{0}};
  int64_t    n               = 1;
  hat_list   c;

  *out = (sal_stencil){0};
  for (int a = 0; a < sweep->n_axis; ++a) {
    SAL_TRY(share_axis(sweep, a, value, out, &p[a]));
    n *= p[a].n;
  }
  sal_err err = gather_hats(sweep, p, &c);
  if (err == SAL_OK) err = fill_stencil(sweep, p, n, &c, out);
  sal_free(c.point);
  sal_free(c.hat);
  if (err != SAL_OK) sal_stencil_free(out);
  return err;
}

void sal_stencil_free(sal_stencil *stencil)
{
  sal_free(stencil->cell);
  sal_free(stencil->weight);
  *stencil = (sal_stencil){0};
}
