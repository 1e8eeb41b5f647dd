/** @file src/answers/reader_view.c
 *  Neighbours, rows and planes.
 */
#include "reader_view.h"
#include "memory.h"

sal_err sal_reader_view_create(const sal_performance_source *source, sal_reader_view *v)
{
  *v = (sal_reader_view){.source = *source};
  SAL_TRY(sal_reader_coordinates_create(source->sweep, &v->coordinates));
  SAL_TRY(sal_reader_coordinates_check(&v->coordinates));
  SAL_TRY(sal_neighbours_create(&v->coordinates, &v->neighbours));
  SAL_TRY(sal_reader_rows_create(source, sal_reader_rows_memory, &v->rows));
  SAL_TRY(sal_reader_schedule_create(source->sweep, &v->schedule));
  SAL_TRY(sal_reader_totals_create(source->sweep, &v->schedule, &v->totals));
  return sal_tries_create(v->totals.n_pair * v->schedule.n_candidate, &v->plan);
}

void sal_reader_view_free(sal_reader_view *v)
{
  sal_reader_coordinates_free(&v->coordinates);
  sal_neighbours_free(&v->neighbours);
  sal_reader_rows_free(&v->rows);
  sal_reader_schedule_free(&v->schedule);
  sal_reader_totals_free(&v->totals);
  sal_tries_free(&v->plan);
  for (int i = 0; i < SAL_READER_BATCH; ++i) sal_nearest_free(&v->list[i]);
  sal_local_plane_free(&v->plane);
  sal_local_forecast_free(&v->forecast);
}

/* Rows of all cells found, and of those left out. */
static sal_err fetch_rows(sal_reader_view *v, int n, const int64_t skip[])
{
  int64_t most = 0, m = 0;

  for (int i = 0; i < n; ++i) most += v->list[i].n_near + (skip != NULL);
  SAL_OWN int64_t *cell = sal_alloc((size_t)most, sizeof *cell);
  if (!cell) return sal_fail(SAL_ERR_MEMORY, "no memory for neighbouring cells");
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < v->list[i].n_near; ++k) cell[m++] = v->list[i].at[k].cell;
    if (skip) cell[m++] = skip[i];
  }
  return sal_reader_rows_fetch(v->rows, m, cell);
}

sal_err sal_reader_view_find(sal_reader_view *v, int n, const sal_reader_metric *metric, int k,
                             const int64_t skip[])
{
  for (int i = 0; i < n; ++i) {
    const int64_t there = v->coordinates.n_in[v->place[i].sample] - (skip ? 1 : 0);
    SAL_TRY(sal_neighbours_find(v->neighbours,
                                &(sal_neighbours_search){.place = &v->place[i],
                                                         .metric = metric,
                                                         .k = k < there ? k : (int)there,
                                                         .skip = skip ? skip[i] : -1},
                                &v->list[i], &v->reach[i]));
  }
  return fetch_rows(v, n, skip);
}

sal_err sal_reader_view_find_cells(sal_reader_view *v, int n, const int64_t cell[],
                                   const sal_reader_metric *metric, int k, bool skip)
{
  for (int i = 0; i < n; ++i) sal_reader_place_of_cell(&v->coordinates, cell[i], &v->place[i]);
  return sal_reader_view_find(v, n, metric, k, skip ? cell : NULL);
}

sal_err sal_reader_view_fit(sal_reader_view *v, int i, const sal_reader_metric *metric,
                            bool scatter)
{
  SAL_TRY(sal_local_plane_make(&v->plane, &v->coordinates, &v->place[i], metric, &v->list[i],
                               v->reach[i]));
  return sal_local_forecast_make(&v->forecast, &v->plane, &v->list[i], v->rows, scatter);
}
