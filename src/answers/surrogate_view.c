/** Neighbours, rows and planes. */
#include "surrogate_view.h"
#include "base.h"

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
  *v = (sal_surrogate_view){.source = *source, .loop = sal_parallel_alone, .threads = 1};
  SAL_TRY(sal_surrogate_coordinates_create(source->sweep, &v->coordinates));
  SAL_TRY(sal_surrogate_coordinates_check(&v->coordinates));
  SAL_TRY(make_room(v));
  SAL_TRY(sal_neighbours_create(&v->coordinates, &v->neighbours));
  const double memory = source->memory > 0 ? source->memory : sal_surrogate_rows_memory;
  SAL_TRY(sal_surrogate_rows_create(source, memory, &v->rows));
  SAL_TRY(sal_surrogate_steps_create(source->sweep, &v->steps));
  SAL_TRY(sal_surrogate_totals_create(source->sweep, &v->steps, &v->totals));
  return sal_schedule_create(v->totals.n_pair * v->steps.n_candidate, &v->schedule);
}

static void free_own(sal_surrogate_view *v)
{
  sal_surrogate_coordinates_free(&v->coordinates);
  sal_neighbours_free(&v->neighbours);
  sal_surrogate_totals_free(&v->totals);
  sal_schedule_free(&v->schedule);
  sal_local_plane_free(&v->plane);
  sal_local_forecast_free(&v->forecast);
}

void sal_surrogate_view_free(sal_surrogate_view *v)
{
  for (int i = 0; v->twin && i < v->threads - 1; ++i) free_own(&v->twin[i]);
  sal_free(v->twin);
  free_own(v);
  sal_surrogate_rows_free(&v->rows);
  sal_surrogate_steps_free(&v->steps);
  sal_free(v->fit);
  for (int i = 0; i < v->room && v->list; ++i) sal_nearest_free(&v->list[i]);
  sal_free_all(v->place, v->list, v->reach);
}

/* Reads the rows of all cells found, and of those left out. */
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
  return sal_surrogate_rows_fetch(v->rows, m, cell);
}

/* A search for neighbours of places [n] of a view: of cells, of points, or as they are there. */
typedef struct {
  sal_surrogate_view *of;
  int n;
  const int64_t *cell;               /* NULL: others */
  double (*value)[SAL_MAX_QUANTITY]; /* NULL: others */
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

/* Piece number i of the places. */
static sal_err find_piece(void *with, int64_t i, int thread)
{
  const looking *l = with;
  const int first = (int)i * SAL_SURROGATE_BATCH, left = l->n - first;
  const int n = left < SAL_SURROGATE_BATCH ? left : SAL_SURROGATE_BATCH;
  sal_surrogate_view *v = sal_surrogate_view_of(l->of, thread);
  sal_surrogate_outside outside;

  for (int k = first; k < first + n; ++k)
    if (l->cell)
      sal_surrogate_place_of_cell(&v->coordinates, l->cell[k], &v->place[k]);
    else if (l->value)
      SAL_TRY(sal_surrogate_place_of_point(&v->coordinates, l->value[k], &v->place[k], &outside));
  const sal_err err = find_lists(v, first, n, l);
  sal_neighbours_gather_end(v->neighbours);
  return err;
}

/* Finds the neighbours in pieces for the threads, and reads their rows. */
static sal_err look(looking l)
{
  const int pieces = (l.n + SAL_SURROGATE_BATCH - 1) / SAL_SURROGATE_BATCH;

  SAL_TRY(l.of->loop(l.of->threads, pieces, find_piece, &l));
  return fetch_rows(l.of, l.n, l.skip);
}

sal_err sal_surrogate_view_find(sal_surrogate_view *v, int n, const sal_surrogate_metric *metric,
                                int k, const int64_t skip[])
{
  return look((looking){v, n, NULL, NULL, metric, k, skip});
}

sal_err sal_surrogate_view_find_cells(sal_surrogate_view *v, int n, const int64_t cell[],
                                      const sal_surrogate_metric *metric, int k, bool skip)
{
  return look((looking){v, n, cell, NULL, metric, k, skip ? cell : NULL});
}

sal_err sal_surrogate_view_fit(sal_surrogate_view *v, int i, const sal_surrogate_metric *metric,
                               bool scatter)
{
  v->here = i;
  SAL_TRY(sal_local_plane_make(&v->plane, &v->coordinates, &v->place[i], metric, &v->list[i],
                               v->reach[i]));
  return sal_local_forecast_make(&v->forecast, &v->plane, &v->list[i], v->rows, scatter);
}

enum { MANY = 16 }; /* places for which there are an index, and coordinates of all cells */

static sal_err prepare_for(sal_surrogate_view *v, int64_t count)
{
  if (count < MANY) return SAL_OK;
  SAL_TRY(sal_surrogate_coordinates_keep(&v->coordinates));
  return sal_neighbours_index(v->neighbours);
}

static sal_err make_twin(const sal_surrogate_view *of, sal_surrogate_view *v)
{
  v->source = of->source;
  v->rows = of->rows;
  v->fit = of->fit;
  v->steps = of->steps;
  v->place = of->place;
  v->list = of->list;
  v->reach = of->reach;
  v->coordinates = of->coordinates;
  v->coordinates.twin = true;
  v->coordinates.recent = NULL;
  SAL_TRY(sal_surrogate_coordinates_keep(&v->coordinates));
  SAL_TRY(sal_neighbours_twin(of->neighbours, &v->coordinates, &v->neighbours));
  SAL_TRY(sal_surrogate_totals_create(of->source.sweep, &of->steps, &v->totals));
  if (of->totals.between) sal_surrogate_totals_between(&v->totals, of->totals.between);
  return sal_schedule_create(of->totals.n_pair * of->steps.n_candidate, &v->schedule);
}

sal_err sal_surrogate_view_share(sal_surrogate_view *v, int threads, sal_parallel_loop *loop)
{
  if (threads <= 1 || v->twin) return SAL_OK;
  SAL_TRY(prepare_for(v, MANY));
  v->twin = sal_alloc((size_t)threads - 1, sizeof *v->twin);
  if (!v->twin) return sal_fail(SAL_ERR_MEMORY, "no memory for a surrogate");
  v->threads = threads;
  v->loop = loop;
  sal_surrogate_rows_share(v->rows, threads, loop);
  for (int i = 0; i < threads - 1; ++i) SAL_TRY(make_twin(v, &v->twin[i]));
  return SAL_OK;
}

/* Places done .. done + n - 1 of a visit are in the view. */
typedef struct {
  sal_surrogate_view *of;
  const sal_surrogate_visit *visit;
  int64_t done;
  int n;
} batch;

static sal_err visit_one(void *with, int64_t i, int thread)
{
  const batch *b = with;
  sal_surrogate_view *v = sal_surrogate_view_of(b->of, thread);

  SAL_TRY(sal_surrogate_view_fit(v, (int)i, &v->fit->metric, true));
  b->visit->at(b->visit->with, v, b->done + i);
  return SAL_OK;
}

sal_err sal_surrogate_view_visit(sal_surrogate_view *v, int64_t n, const sal_surrogate_visit *visit)
{
  batch b = {.of = v, .visit = visit};
  const int k = sal_surrogate_neighbours(&v->coordinates);

  SAL_TRY(prepare_for(v, n));
  for (; b.done < n; b.done += b.n) {
    b.n = sal_surrogate_view_batch(v, n, b.done);
    SAL_TRY(look((looking){v, b.n, visit->cell ? visit->cell + b.done : NULL,
                           visit->value ? visit->value + b.done : NULL, &v->fit->metric, k, NULL}));
    SAL_TRY(v->loop(v->threads, b.n, visit_one, &b));
  }
  return SAL_OK;
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
