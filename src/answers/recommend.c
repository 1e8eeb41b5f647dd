/** Maps. */
#include "base.h"
#include "choose.h"
#include <float.h>

/* Without a winner: is it known that no configuration answers?  By points any certified reference will
 * do. */
static sal_reason reason_of_none(const sal_performance_table *a, int64_t cell,
                                 const sal_question *q)
{
  const double known = a->reference_error[cell],
               asked = sal_question_by_error(q) ? q->error : DBL_MAX;

  return known <= asked ? SAL_REASON_NO_CONFIG
         : isnan(known) ? SAL_REASON_CAPTURED
                        : SAL_REASON_NO_REFERENCE;
}

/* Work of the cheapest configuration that may win and was stopped at the cutoff of the cell: with less than
 * that it is known which wins.  Infinite where none was stopped. */
static double least_censored(const sal_performance_table *a, int64_t cell, const sal_question *q)
{
  double least = INFINITY;

  for (int k = 0; k < a->n_config && a->n_censored > 0; ++k)
    if (sal_performance_censored(a, cell, k) && sal_choose_allows(a->sweep, q, k) &&
        !(sal_question_by_error(q) && a->least_error[cell * a->n_config + k] > q->error))
      least = fmin(least, a->work[cell * a->n_config + k]);
  return least;
}

/* The reason that decided between the best two, or OVER_CUTOFF where the best is not known: a run that was stopped
 * might have won.  A run that was stopped after more work than the best took is a runner-up that takes more. */
static sal_reason reason_of(const sal_performance_table *a, int64_t cell, const sal_question *q,
                            const sal_choose_candidate *best, const sal_choose_candidate *second)
{
  const double stopped = least_censored(a, cell, q);

  if (!best) {
    const sal_reason none = reason_of_none(a, cell, q);
    return none == SAL_REASON_NO_CONFIG && isfinite(stopped) ? SAL_REASON_OVER_CUTOFF : none;
  }
  if (stopped < best->work) return SAL_REASON_OVER_CUTOFF;
  if (!second && isfinite(stopped)) return SAL_REASON_WORK;
  return sal_choose_reason(q, best, second);
}

static sal_map_place answer_question(const sal_performance_table *a, int64_t cell,
                                     const sal_question *q, sal_choose_candidate list[])
{
  const int n = sal_choose(a, cell, q, list);
  const int next = sal_choose_next(a, n, list, 0);
  const sal_choose_candidate *best = n > 0 ? &list[0] : NULL;
  const sal_choose_candidate *second = next < n ? &list[next] : NULL;
  const bool points = !sal_question_by_error(q);
  sal_map_place place = {.best = -1,
                         .second = -1,
                         .value = NAN,
                         .second_value = NAN,
                         .margin = NAN,
                         .error = NAN,
                         .reason = reason_of(a, cell, q, best, second)};

  if (best) {
    place.best = best->config;
    place.value = points ? best->total : best->work;
    place.error = best->error;
  }
  if (best && second) {
    place.second = second->config;
    place.second_value = points ? second->total : second->work;
    place.margin = points ? best->total - second->total : second->work / best->work - 1;
  }
  return place;
}

/* All questions in one cell. */
static void answer_cell(const sal_performance_table *a, int64_t cell, sal_map *map,
                        sal_choose_candidate list[])
{
  sal_question q = {.method = map->method, .strategy = map->strategy};

  for (int e = 0; e < map->n_error; ++e) {
    q.error = map->error[e];
    map->by_error[cell * map->n_error + e] = answer_question(a, cell, &q, list);
  }
  q.error = NAN;
  for (int w = 0; w < map->n_weights; ++w)
    for (int t = 0; t < map->n_tolerance; ++t) {
      q.weights = map->weights[w];
      q.tolerance = t;
      map->by_points[(cell * map->n_weights + w) * map->n_tolerance + t] =
          answer_question(a, cell, &q, list);
    }
}

sal_err sal_recommend(const sal_performance_table *a, sal_map *map)
{
  const size_t n_cell = (size_t)a->n_cell;
  SAL_OWN sal_choose_candidate *list = sal_alloc((size_t)a->n_config, sizeof *list);

  map->n_cell = a->n_cell;
  map->n_tolerance = a->sweep->n_tolerance;
  map->by = a->by;
  map->work = a->weights;
  map->scope = a->scope;
  map->timed = a->timed;
  map->by_error = sal_alloc(n_cell * (size_t)map->n_error, sizeof *map->by_error);
  map->by_points =
      sal_alloc(n_cell * (size_t)map->n_weights * (size_t)map->n_tolerance, sizeof *map->by_points);
  if (!list || !map->by_error || !map->by_points)
    return sal_fail(SAL_ERR_MEMORY, "no memory for a map of %zu cells", n_cell);
  for (int64_t c = 0; c < a->n_cell; ++c) answer_cell(a, c, map, list);
  return SAL_OK;
}
