/** The neighbours of all points, in one batch. */
#include "base.h"
#include "return_map.h"

enum { NEIGHBOURS = 4 };
static const double moved_by[NEIGHBOURS] = {-2, -1, 1, 2};
static const double weight[NEIGHBOURS] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

/** The neighbours of n points: [n][n_unknown][NEIGHBOURS]. */
typedef struct {
  sal_return *point;
  double *state; /* [..][n_state] start, then end */
} neighbourhood;

static void free_neighbourhood(neighbourhood *a) { sal_free_all(a->point, a->state); }

static double step_of(const sal_return_map *map, double step, const double y[], int j)
{
  return (step > 0 ? step : 0x1p-15) * sal_return_map_size(map, y, j);
}

static void place_neighbours(const sal_return_map *map, double step, int64_t n,
                             const sal_return point[], neighbourhood *a)
{
  const int64_t ns = map->setup.model->n_state, m = map->n_unknown;

  for (int64_t q = 0; q < n * m * NEIGHBOURS; ++q) {
    const sal_return *p = &point[q / (m * NEIGHBOURS)];
    const int j = (int)(q / NEIGHBOURS % m);
    double *y = a->state + q * ns;
    memcpy(y, p->start, (size_t)ns * sizeof *y);
    y[map->unknown[j]] += moved_by[q % NEIGHBOURS] * step_of(map, step, p->start, j);
    sal_return_map_put_back(map, p->param, p->closed, y);
    a->point[q] = (sal_return){.param = p->param, .start = y, .closed = p->closed, .end = y};
  }
}

/* Column j of dp and delay of a point from its neighbours in that direction. */
static void difference_column(const sal_return_map *map, double step, int j,
                              const sal_return beside[], sal_return *p)
{
  const int m = map->n_unknown;
  const double h = step_of(map, step, p->start, j);
  double late = 0;

  for (int i = 0; i < m; ++i) p->dp[i * m + j] = 0;
  for (int a = 0; a < NEIGHBOURS; ++a) {
    const bool made = beside[a].why == SAL_RETURN_MADE;
    for (int i = 0; i < m; ++i)
      p->dp[i * m + j] += made ? weight[a] * beside[a].end[map->unknown[i]] / h : NAN;
    late += made ? weight[a] * beside[a].time / h : NAN;
  }
  if (p->delay) p->delay[j] = late;
}

/* The points themselves, without derivatives. */
static sal_err run_points(const sal_return_map *map, int64_t n, sal_return point[])
{
  for (int64_t p = 0; p < n; ++p) {
    double *const dp = point[p].dp;
    point[p].dp = NULL;
    const sal_err err = sal_return_map_run(map, 1, &point[p]);
    point[p].dp = dp;
    SAL_TRY(err);
  }
  return SAL_OK;
}

static sal_err difference_points(const sal_return_map *map, double step, int64_t n,
                                 sal_return point[], neighbourhood *a)
{
  const int m = map->n_unknown;

  place_neighbours(map, step, n, point, a);
  SAL_TRY(sal_return_map_run(map, n * m * NEIGHBOURS, a->point));
  for (int64_t p = 0; p < n; ++p)
    for (int j = 0; j < m && point[p].dp; ++j)
      difference_column(map, step, j, a->point + (p * m + j) * NEIGHBOURS, &point[p]);
  return run_points(map, n, point);
}

sal_err sal_return_differences(const sal_return_map *map, double step, int64_t n,
                               sal_return point[])
{
  const size_t all = (size_t)n * (size_t)map->n_unknown * NEIGHBOURS;
  SAL_OWN_BY(free_neighbourhood)
  neighbourhood a = {.point = sal_alloc(all, sizeof *a.point),
                     .state = sal_alloc(all * (size_t)map->setup.model->n_state, sizeof *a.state)};

  if (!a.point || !a.state)
    return sal_fail(SAL_ERR_MEMORY, "no memory for the neighbours of %zu points", (size_t)n);
  return difference_points(map, step, n, point, &a);
}
