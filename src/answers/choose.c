/** Ranking of configurations. */
#include "choose.h"
#include "base.h"
#include "config.h"

bool sal_choose_allows(const sal_sweep *s, const sal_question *q, int config)
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
    if (sal_choose_allows(a->sweep, q, k) && take_figures(a, cell, q, &out[found])) ++found;
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
