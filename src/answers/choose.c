/** Ranking of configurations, and maps. */
#include "choose.h"
#include "base.h"
#include "config.h"
#include <float.h>

/* May this configuration answer the question, whatever it takes?  By methods, strategies, tolerance. */
static bool is_allowed(const sal_sweep *s, const sal_question *q, int config)
{
  const sal_config at = sal_config_decode(s, config);

  return (!q->method || q->method[at.method]) && (!q->strategy || q->strategy[at.strategy]) &&
         (sal_question_by_error(q) || at.tolerance == q->tolerance);
}

/* p_tot of (36); a criterion without weight does not matter, also when it is missing. */
static double weighted_points(const sal_weights *w, double sd, double dt, double iae)
{
  return (w->sd > 0 ? w->sd * sd : 0) + (w->dt > 0 ? w->dt * dt : 0) +
         (w->iae > 0 ? w->iae * iae : 0);
}

/* Fills in the figures of a configuration; false when it does not answer the question. */
static bool take_figures(const sal_performance_table *a, int64_t cell, const sal_question *q,
                         sal_choose_candidate *out)
{
  const int64_t at = cell * a->n_config + out->config;

  if (isnan(a->work[at]) || !isfinite(a->error[at])) return false; /* does not count */
  out->work = a->work[at];
  out->error = a->error[at];
  out->sd = a->sd ? a->sd[at] : NAN;
  out->dt = a->dt ? a->dt[at] : NAN;
  out->iae = a->iae ? a->iae[at] : NAN;
  out->total =
      sal_question_by_error(q) ? NAN : weighted_points(&q->weights, out->sd, out->dt, out->iae);
  return sal_question_by_error(q) ? out->error <= q->error : !isnan(out->total);
}

/* -1, 0 or 1 for less, equal and more; two NaN are equal. */
static int order_of(double a, double b) { return (a > b) - (a < b); }

/* Best first.  By error the totals are NaN, hence all equal. */
static int compare_candidates(const void *left, const void *right)
{
  const sal_choose_candidate *a = left, *b = right;
  const int by_total = order_of(b->total, a->total), by_work = order_of(a->work, b->work);
  const int by_error = order_of(a->error, b->error);

  return by_total   ? by_total
         : by_work  ? by_work
         : by_error ? by_error
                    : (a->config > b->config) - (a->config < b->config);
}

int sal_choose(const sal_performance_table *a, int64_t cell, const sal_question *q,
               sal_choose_candidate out[])
{
  int found = 0;

  assert(sal_question_by_error(q) || a->scored);
  for (int k = 0; k < a->n_config; ++k) {
    out[found].config = k;
    if (is_allowed(a->sweep, q, k) && take_figures(a, cell, q, &out[found])) ++found;
  }
  qsort(out, (size_t)found, sizeof *out, compare_candidates);
  return found;
}

int sal_choose_next(const sal_performance_table *a, int n, const sal_choose_candidate list[],
                    int from)
{
  const int pairs = sal_config_pairs(a->sweep);

  for (int i = from + 1; i < n; ++i) {
    bool seen = false;
    for (int j = 0; j < i && !seen; ++j) seen = list[j].config % pairs == list[i].config % pairs;
    if (!seen) return i;
  }
  return n;
}

/* Without a lead in points. */
static sal_reason tie_reason(const sal_choose_candidate *a, const sal_choose_candidate *b,
                             sal_reason work)
{
  return a->work < b->work     ? work
         : a->error < b->error ? SAL_REASON_TIE_ERROR
                               : SAL_REASON_TIE_ORDER;
}

sal_reason sal_choose_reason(const sal_question *q, const sal_choose_candidate *a,
                             const sal_choose_candidate *b)
{
  if (!a) return SAL_REASON_NO_CONFIG;
  if (!b) return SAL_REASON_ALONE;
  if (sal_question_by_error(q)) return tie_reason(a, b, SAL_REASON_WORK);
  if (a->total == b->total) return tie_reason(a, b, SAL_REASON_TIE_WORK);

  const sal_weights *w = &q->weights;
  const double lead[] = {w->sd > 0 ? w->sd * (a->sd - b->sd) : 0,
                         w->dt > 0 ? w->dt * (a->dt - b->dt) : 0,
                         w->iae > 0 ? w->iae * (a->iae - b->iae) : 0};
  int most = 0;
  for (int i = 1; i < 3; ++i)
    if (lead[i] > lead[most]) most = i;
  return (sal_reason)(SAL_REASON_SD + most);
}

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
    if (sal_performance_censored(a, cell, k) && is_allowed(a->sweep, q, k) &&
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

sal_err sal_choose_map(const sal_performance_table *a, sal_map *map)
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
