/** @file src/answers/grid_coordinates.c
 *  Places in the grid.
 */
#include "grid_coordinates.h"
#include "memory.h"
#include "parameter_column.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
  double  value;
  int64_t point;
} axis_point;

static int compare_axis_points(const void *left, const void *right)
{
  const axis_point *a = left, *b = right;

  return (a->value > b->value) - (a->value < b->value);
}

static bool order_points(sal_grid_axis *r)
{
  const int64_t n    = r->axis->n_point;
  axis_point   *list = sal_alloc((size_t)n, sizeof *list);

  r->order      = sal_alloc((size_t)n, sizeof *r->order);
  r->rank       = sal_alloc((size_t)n, sizeof *r->rank);
  const bool ok = list && r->order && r->rank;
  for (int64_t i = 0; ok && i < n; ++i) list[i] = (axis_point){sal_axis_value(r->axis, i, 0), i};
  if (ok) qsort(list, (size_t)n, sizeof *list, compare_axis_points);
  for (int64_t i = 0; ok && i < n; ++i) {
    r->order[i]            = list[i].point;
    r->rank[list[i].point] = i;
  }
  sal_free(list);
  return ok;
}

sal_err sal_grid_coordinates_create(const sal_sweep *s, sal_grid_coordinates *out)
{
  int64_t stride = 1;

  *out = (sal_grid_coordinates){.sweep = s, .n = s->n_axis};
  for (int a = s->n_axis - 1; a >= 0; stride *= s->axis[a--].n_point) {
    const sal_axis *axis = &s->axis[a];
    out->axis[a]         = (sal_grid_axis){
                .axis    = axis,
                .divides = !axis->whole[0] && !sal_parameter_column_is_discrete(s->model, axis->column[0]),
                .stride  = stride};
    if (!order_points(&out->axis[a])) return sal_fail(SAL_ERR_MEMORY, "no memory for the axes");
  }
  return SAL_OK;
}

void sal_grid_coordinates_free(sal_grid_coordinates *r)
{
  for (int a = 0; a < r->n; ++a) {
    sal_free(r->axis[a].order);
    sal_free(r->axis[a].rank);
  }
  *r = (sal_grid_coordinates){0};
}

static double place_of_value(const sal_grid_axis *r, double value)
{
  sal_axis_neighbours b;
  double              lo, hi;

  sal_axis_bracket(r->axis, value, &lo, &hi, &b);
  return (double)r->rank[b.below] + b.share;
}

void sal_grid_coordinates_place(const sal_grid_coordinates *grid, int64_t cell, double place[])
{
  const sal_scattered *s = &grid->sweep->scattered;

  for (int a = 0; a < grid->n; ++a) {
    const sal_grid_axis *r = &grid->axis[a];
    if (cell < grid->sweep->n_grid)
      place[a] = (double)r->rank[cell / r->stride % r->axis->n_point];
    else
      place[a] = place_of_value(r, sal_axis_value(&s->point, cell - grid->sweep->n_grid,
                                                  sal_scattered_column(s, r->axis)));
  }
}

double sal_grid_coordinates_value(const sal_grid_coordinates *grid, int a, double place)
{
  const sal_grid_axis *r     = &grid->axis[a];
  const double         below = floor(place + 1e-12), share = place - below;
  const double         from = sal_axis_value(r->axis, r->order[(int64_t)below], 0);

  if (share <= 1e-12) return from;
  return sal_axis_between(r->axis, from, sal_axis_value(r->axis, r->order[(int64_t)below + 1], 0),
                          share);
}

int64_t sal_grid_coordinates_nearest(const sal_grid_coordinates *grid, const double place[])
{
  int64_t cell = 0;

  for (int a = 0; a < grid->n; ++a)
    cell += grid->axis[a].stride * grid->axis[a].order[(int64_t)floor(place[a] + 0.5)];
  return cell;
}

/* The slots (scattered.h) of an axis between two places, ends left out but where they are one. */
static int slots_between(const sal_grid_axis *r, double from, double to, int64_t slot[])
{
  const int64_t last = r->axis->n_point - 1;
  int64_t       low = (int64_t)fmax(0, floor(from)), high = (int64_t)fmin((double)last, ceil(to));
  int           n = 0;

  for (int64_t i = low; i <= high && n < SAL_MAX_SLOT; ++i) {
    if ((double)i > from && (double)i < to) slot[n++] = 2 * r->order[i];
    if (i < high && n < SAL_MAX_SLOT) slot[n++] = 2 * r->order[i] + 1;
  }
  return n;
}

void sal_grid_coordinates_around(const sal_grid_coordinates *grid, const double place[],
                                 double reach, void (*found)(void *with, int64_t point), void *with)
{
  const sal_sweep *s = grid->sweep;
  int              n_slot[SAL_MAX_AXIS];
  int64_t          slot[SAL_MAX_AXIS][SAL_MAX_SLOT];

  if (s->scattered.point.n_point == 0) return;
  for (int a = 0; a < grid->n; ++a) {
    const double r = grid->axis[a].divides ? reach : 1e-9;
    n_slot[a]      = slots_between(&grid->axis[a], place[a] - r, place[a] + r, slot[a]);
  }
  sal_scattered_find(&s->scattered, s->n_axis, s->axis, n_slot, slot, found, with);
}
