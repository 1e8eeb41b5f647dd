/** Neighbours, rows and planes. */
#include "surrogate_view.h"
#include "memory.h"
#include <stdlib.h>

/* Bytes of the rows around places that are found at once, at most. */
static const double at_once = 64e6;

static sal_err make_room(sal_surrogate_view *v)
{
  const double row = (double)sizeof(double) * (2 * v->source.n_config + 1);
  const double fit = at_once / (row * sal_surrogate_neighbours(&v->coordinates));

  v->room = fit < SAL_SURROGATE_BATCH        ? SAL_SURROGATE_BATCH
            : fit < SAL_SURROGATE_MOST_BATCH ? (int)fit
                                             : SAL_SURROGATE_MOST_BATCH;
  v->place = sal_alloc((size_t)v->room, sizeof *v->place);
  v->list = sal_alloc((size_t)v->room, sizeof *v->list);
  v->reach = sal_alloc((size_t)v->room, sizeof *v->reach);
  return v->place && v->list && v->reach ? SAL_OK
                                         : sal_fail(SAL_ERR_MEMORY, "no memory for a surrogate");
}

sal_err sal_surrogate_view_create(const sal_performance_source *source, sal_surrogate_view *v)
{
  *v = (sal_surrogate_view){.source = *source};
  SAL_TRY(sal_surrogate_coordinates_create(source->sweep, &v->coordinates));
  SAL_TRY(sal_surrogate_coordinates_check(&v->coordinates));
  SAL_TRY(make_room(v));
  SAL_TRY(sal_neighbours_create(&v->coordinates, &v->neighbours));
  SAL_TRY(sal_surrogate_rows_create(source, sal_surrogate_rows_memory, &v->rows));
  SAL_TRY(sal_surrogate_steps_create(source->sweep, &v->steps));
  SAL_TRY(sal_surrogate_totals_create(source->sweep, &v->steps, &v->totals));
  return sal_schedule_create(v->totals.n_pair * v->steps.n_candidate, &v->schedule);
}

void sal_surrogate_view_free(sal_surrogate_view *v)
{
  sal_surrogate_coordinates_free(&v->coordinates);
  sal_neighbours_free(&v->neighbours);
  sal_surrogate_rows_free(&v->rows);
  sal_surrogate_steps_free(&v->steps);
  sal_surrogate_totals_free(&v->totals);
  sal_schedule_free(&v->schedule);
  for (int i = 0; i < v->room && v->list; ++i) sal_nearest_free(&v->list[i]);
  sal_free(v->place);
  sal_free(v->list);
  sal_free(v->reach);
  sal_local_plane_free(&v->plane);
  sal_local_forecast_free(&v->forecast);
}

static int compare_cells(const void *left, const void *right)
{
  const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

  return (a > b) - (a < b);
}

/* Each cell once. */
static int64_t sort_cells(int64_t n, int64_t cell[])
{
  int64_t m = 0;

  qsort(cell, (size_t)n, sizeof *cell, compare_cells);
  for (int64_t i = 0; i < n; ++i)
    if (m == 0 || cell[i] != cell[m - 1]) cell[m++] = cell[i];
  return m;
}

/* Reads the rows of all cells found, and of those left out.  For many places each row is counted once: the count sets the room,
 * for as many as there are cells at most. */
static sal_err fetch_rows(sal_surrogate_view *v, int n, const int64_t skip[])
{
  int64_t most = 0, m = 0;

  for (int i = 0; i < n; ++i) most += v->list[i].n_near + (skip != NULL);
  SAL_OWN int64_t *cell = sal_alloc((size_t)most, sizeof *cell);
  if (!cell) return sal_fail(SAL_ERR_MEMORY, "no memory for neighbouring cells");
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < v->list[i].n_near; ++k) cell[m++] = v->list[i].at[k].cell;
    if (skip) cell[m++] = skip[i];
  }
  if (n > SAL_SURROGATE_BATCH && m < v->source.n_cell) m = sort_cells(m, cell);
  return sal_surrogate_rows_fetch(v->rows, m, cell);
}

/* Parameters of the search around all places. */
typedef struct {
  const sal_surrogate_metric *metric;
  int k;
  const int64_t *skip; /* or NULL */
} looking;

static sal_err find_list(sal_surrogate_view *v, int i, const looking *l)
{
  const int64_t there = v->coordinates.n_in[v->place[i].sample] - (l->skip ? 1 : 0);

  return sal_neighbours_find(v->neighbours,
                             &(sal_neighbours_search){.place = &v->place[i],
                                                      .metric = l->metric,
                                                      .k = l->k < there ? l->k : (int)there,
                                                      .skip = l->skip ? l->skip[i] : -1},
                             &v->list[i], &v->reach[i]);
}

/* Places first .. first + n - 1, together where they lie together, else in halves. */
static sal_err find_lists(sal_surrogate_view *v, int first, int n, const looking *l)
{
  bool pays;

  SAL_TRY(sal_neighbours_gather(v->neighbours, l->metric, n, &v->place[first], l->k, &pays));
  if (!pays && n > SAL_NEIGHBOURS_FEW) {
    SAL_TRY(find_lists(v, first, n / 2, l));
    return find_lists(v, first + n / 2, n - n / 2, l);
  }
  for (int i = 0; i < n; ++i) SAL_TRY(find_list(v, first + i, l));
  return SAL_OK;
}

sal_err sal_surrogate_view_find(sal_surrogate_view *v, int n, const sal_surrogate_metric *metric,
                                int k, const int64_t skip[])
{
  const sal_err err = find_lists(v, 0, n, &(looking){metric, k, skip});

  sal_neighbours_gather_end(v->neighbours);
  return err == SAL_OK ? fetch_rows(v, n, skip) : err;
}

sal_err sal_surrogate_view_find_cells(sal_surrogate_view *v, int n, const int64_t cell[],
                                      const sal_surrogate_metric *metric, int k, bool skip)
{
  for (int i = 0; i < n; ++i) sal_surrogate_place_of_cell(&v->coordinates, cell[i], &v->place[i]);
  return sal_surrogate_view_find(v, n, metric, k, skip ? cell : NULL);
}

sal_err sal_surrogate_view_fit(sal_surrogate_view *v, int i, const sal_surrogate_metric *metric,
                               bool scatter)
{
  SAL_TRY(sal_local_plane_make(&v->plane, &v->coordinates, &v->place[i], metric, &v->list[i],
                               v->reach[i]));
  return sal_local_forecast_make(&v->forecast, &v->plane, &v->list[i], v->rows, scatter);
}

sal_err sal_surrogate_possible(const sal_sweep *sweep, bool *possible)
{
  SAL_OWN_BY(sal_surrogate_coordinates_free) sal_surrogate_coordinates c;
  const sal_err err = sal_surrogate_coordinates_create(sweep, &c);

  *possible = err == SAL_OK && c.n <= SAL_SURROGATE_MOST_COORDINATES;
  for (int64_t s = 0; *possible && s < c.n_sample; ++s)
    *possible = c.n_in[s] >= sal_surrogate_least_cells(&c);
  return err;
}
