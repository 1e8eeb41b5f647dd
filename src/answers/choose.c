/** @file src/answers/choose.c
 *  Ranking of contenders.
 */
#include "choose.h"
#include "contender.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static bool by_error(const sal_question *q) { return !isnan(q->error); }

/* May this contender win at all? */
static bool admitted(const sal_sweep *s, const sal_question *q, int contender)
{
  const sal_contender at = sal_contender_decode(s, contender);

  return (!q->method || q->method[at.method]) && (!q->strategy || q->strategy[at.strategy]) &&
         (by_error(q) || at.tolerance == q->tolerance);
}

/* One column among the cells. */
typedef struct {
  double mean, lo, hi, deviation; /* of logarithms: exp(mean of log), standard deviation of log */
} summary;

static summary sum_up(const double column[], int stride, int n, const int64_t cell[],
                      const double weight[])
{
  summary s    = {.lo = INFINITY, .hi = -INFINITY};
  double  mean = 0, square = 0;

  if (n == 1) { /* without logarithms: maps and costs are made from single cells */
    const double x = column[cell[0] * stride];
    return isnan(x) ? (summary){NAN, NAN, NAN, NAN} : (summary){x, x, x, 0};
  }
  for (int i = 0; i < n; ++i) {
    const double x = column[cell[i] * stride];
    if (isnan(x)) return (summary){NAN, NAN, NAN, NAN};
    s.lo = fmin(s.lo, x);
    s.hi = fmax(s.hi, x);
    mean += weight[i] * log(fmax(x, DBL_MIN));
  }
  for (int i = 0; i < n; ++i) {
    const double off = log(fmax(column[cell[i] * stride], DBL_MIN)) - mean;
    square += weight[i] * off * off;
  }
  s.deviation = sqrt(square);
  s.mean      = s.lo == s.hi ? s.lo : exp(mean);
  return s;
}

static double mean_of(const double column[], int stride, int n, const int64_t cell[],
                      const double weight[])
{
  double mean = 0;

  if (!column) return NAN;
  if (n == 1) return column[cell[0] * stride];
  for (int i = 0; i < n; ++i) mean += weight[i] * column[cell[i] * stride];
  return mean;
}

/* p_tot of (36); a criterion without weight does not matter, also when it is missing. */
static double total(const sal_weights *w, double sd, double dt, double iae)
{
  return (w->sd > 0 ? w->sd * sd : 0) + (w->dt > 0 ? w->dt * dt : 0) +
         (w->iae > 0 ? w->iae * iae : 0);
}

/* Fills in what is expected of a contender; false when it is out of the question. */
static bool expect(const sal_performance_table *a, int n, const int64_t cell[],
                   const double weight[], const sal_question *q, sal_candidate *out)
{
  const int     k = out->contender, stride = a->n_contender;
  const summary work  = sum_up(a->work + k, stride, n, cell, weight);
  const summary error = sum_up(a->error + k, stride, n, cell, weight);

  if (isnan(work.mean)) return false;
  out->work     = work.mean;
  out->work_lo  = work.lo;
  out->work_hi  = work.hi;
  out->error    = error.mean;
  out->error_lo = error.lo;
  out->error_hi = error.hi;
  out->bound = error.lo == error.hi ? error.mean : error.mean * exp(q->caution * error.deviation);
  out->sd    = mean_of(a->sd ? a->sd + k : NULL, stride, n, cell, weight);
  out->dt    = mean_of(a->dt ? a->dt + k : NULL, stride, n, cell, weight);
  out->iae   = mean_of(a->iae ? a->iae + k : NULL, stride, n, cell, weight);
  out->total = by_error(q) ? NAN : total(&q->weights, out->sd, out->dt, out->iae);
  return by_error(q) ? out->bound <= q->error : !isnan(out->total);
}

/* -1, 0 or 1 for less, equal and more; two NaN are equal. */
static int order(double a, double b) { return (a > b) - (a < b); }

/* Best first.  By error the totals are NaN, hence all equal. */
static int compare(const void *left, const void *right)
{
  const sal_candidate *a = left, *b = right;
  const int            by_total = order(b->total, a->total), by_work = order(a->work, b->work);
  const int            by_bound = order(a->error, b->error);

  return by_total   ? by_total
         : by_work  ? by_work
         : by_bound ? by_bound
                    : (a->contender > b->contender) - (a->contender < b->contender);
}

int sal_choose(const sal_performance_table *a, int n, const int64_t cell[], const double weight[],
               const sal_question *q, sal_candidate out[])
{
  int found = 0;

  assert(by_error(q) || a->scored);
  for (int k = 0; k < a->n_contender; ++k) {
    out[found].contender = k;
    if (admitted(a->sweep, q, k) && expect(a, n, cell, weight, q, &out[found])) ++found;
  }
  qsort(out, (size_t)found, sizeof *out, compare);
  return found;
}

int sal_choose_next(const sal_performance_table *a, int n, const sal_candidate list[], int from)
{
  const int pairs = sal_contender_pairs(a->sweep);

  for (int i = from + 1; i < n; ++i) {
    bool seen = false;
    for (int j = 0; j < i && !seen; ++j)
      seen = list[j].contender % pairs == list[i].contender % pairs;
    if (!seen) return i;
  }
  return n;
}

const sal_candidate *sal_choose_most_accurate(int n, const sal_candidate list[])
{
  const sal_candidate *least = &list[0];

  for (int i = 1; i < n; ++i)
    if (list[i].bound < least->bound) least = &list[i];
  return least;
}

/* Without a lead in points. */
static sal_reason tie(const sal_candidate *a, const sal_candidate *b, sal_reason work)
{
  return a->work < b->work     ? work
         : a->error < b->error ? SAL_REASON_TIE_ERROR
                               : SAL_REASON_TIE_ORDER;
}

sal_reason sal_choose_reason(const sal_question *q, const sal_candidate *a, const sal_candidate *b)
{
  if (!a) return SAL_REASON_NOBODY;
  if (!b) return SAL_REASON_ALONE;
  if (by_error(q)) return tie(a, b, SAL_REASON_WORK);
  if (a->total == b->total) return tie(a, b, SAL_REASON_TIE_WORK);

  const sal_weights *w      = &q->weights;
  const double       lead[] = {w->sd > 0 ? w->sd * (a->sd - b->sd) : 0,
                         w->dt > 0 ? w->dt * (a->dt - b->dt) : 0,
                         w->iae > 0 ? w->iae * (a->iae - b->iae) : 0};
  int most = 0;
  for (int i = 1; i < 3; ++i)
    if (lead[i] > lead[most]) most = i;
  return (sal_reason)(SAL_REASON_SD + most);
}
