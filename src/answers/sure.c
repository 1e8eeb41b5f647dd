/** @file src/answers/sure.c
 *  Leads bounded from below.
 */
#include "sure.h"
#include "choose.h"
#include "contender.h"
#include <math.h>

/* A lead that is larger, as a share of the points that there are, is not lost by rounding. */
static const double rounding = 1e-12;

enum { N = 3 }; /* criteria of (36) */

/* Values of a contender, the less the better; of one that is withheld the best that it may have come to. */
typedef struct {
  double value[N], work, error;
  int contender;
  bool withheld;
} entrant;

/* What a question counts in a cell, and between which bounds 1 / (hi - lo) lies. */
typedef struct {
  double weight[N], least[N], most[N];
} scales;

/* ---- scales ---- */

static void widen(double value, double *lo, double *hi)
{
  *lo = fmin(*lo, value);
  *hi = fmax(*hi, value);
}

/* Of the runs of a cell that ended. */
static void cell_range(const sal_performance_table *a, int64_t cell, int tolerance, double lo[],
                       double hi[])
{
  const int pairs = sal_contender_pairs(a->sweep);

  for (int i = tolerance * pairs; i < (tolerance + 1) * pairs; ++i) {
    const int64_t at = cell * a->n_contender + i;
    if (!isfinite(a->error[at])) continue;
    widen(a->sd[at], &lo[0], &hi[0]);
    widen(isnan(a->dt[at]) ? a->sweep->t_end : a->dt[at], &lo[1], &hi[1]);
    widen(a->iae[at], &lo[2], &hi[2]);
  }
}

static scales scales_of(const sal_performance_table *a, int64_t cell, const sal_question *q)
{
  double lo[N] = {INFINITY, INFINITY, INFINITY}, hi[N] = {-INFINITY, -INFINITY, -INFINITY};
  scales s = {.weight = {q->weights.sd, q->weights.dt, q->weights.iae},
              .least = {0, 1 / a->sweep->t_end, 0}};

  if (a->scope == SAL_POINTS_GLOBAL)
    sal_points_range_of(&a->range, q->tolerance, lo, hi);
  else
    cell_range(a, cell, q->tolerance, lo, hi);
  for (int c = 0; c < N; ++c) s.most[c] = hi[c] > lo[c] ? 1 / (hi[c] - lo[c]) : INFINITY;
  return s;
}

/* ---- contenders ---- */

/* False where it cannot win: it failed, was not run by any sweep, or lacks a value that counts. */
static bool take(const sal_performance_table *a, int64_t cell, const sal_question *q, entrant *e)
{
  const int64_t at = cell * a->n_contender + e->contender;
  const scales counts = {.weight = {q->weights.sd, q->weights.dt, q->weights.iae}};

  e->withheld = sal_performance_withholds(a, cell, e->contender);
  if (!e->withheld && !isfinite(a->error[at])) return false;
  e->work = e->withheld ? a->sd[at] : a->work[at];
  e->error = e->withheld ? 0 : a->error[at];
  e->value[0] = a->sd[at];
  e->value[1] = isnan(a->dt[at]) ? 0 : a->sweep->t_end - a->dt[at];
  e->value[2] = a->iae[at];
  for (int c = 0; c < N; ++c)
    if (counts.weight[c] > 0 && isnan(e->value[c])) return false;
  return true;
}

/* Comes the first before the second if they have equal points? */
static bool is_before(const entrant *a, const entrant *b)
{
  if (a->work != b->work) return a->work < b->work;
  if (b->withheld) return false; /* it may have a smaller error */
  return a->error != b->error ? a->error < b->error : a->contender < b->contender;
}

static bool leads(const scales *s, const entrant *a, const entrant *b)
{
  double least = 0, all = 0;
  bool nowhere_behind = true;

  for (int c = 0; c < N; ++c) {
    if (!(s->weight[c] > 0)) continue;
    const double more = b->value[c] - a->value[c];
    least += more == 0 ? 0 : s->weight[c] * more * (more > 0 ? s->least[c] : s->most[c]);
    all += s->weight[c];
    nowhere_behind = nowhere_behind && more >= 0;
  }
  return least > rounding * all || (nowhere_behind && is_before(a, b));
}

/* The one that none before it leads, if there is one that leads all. */
static bool find_first(const sal_performance_table *a, int64_t cell, const sal_question *q,
                       const scales *s, entrant *first)
{
  const int pairs = sal_contender_pairs(a->sweep);
  entrant e = {.value = {0}};
  bool any = false;

  for (int k = q->tolerance * pairs; k < (q->tolerance + 1) * pairs; ++k) {
    e.contender = k;
    if (!sal_choose_allows(a->sweep, q, k) || !take(a, cell, q, &e) || e.withheld) continue;
    if (!any || leads(s, &e, first)) *first = e;
    any = true;
  }
  return any;
}

int sal_sure_winner(const sal_performance_table *a, int64_t cell, const sal_question *q)
{
  const int pairs = sal_contender_pairs(a->sweep);
  const scales s = scales_of(a, cell, q);
  entrant first = {.value = {0}}, e = {.value = {0}};

  if (a->timed && q->weights.sd > 0) return -1; /* of another run all times are others */
  if (!find_first(a, cell, q, &s, &first)) return -1;
  for (int k = q->tolerance * pairs; k < (q->tolerance + 1) * pairs; ++k) {
    e.contender = k;
    if (k == first.contender || !sal_choose_allows(a->sweep, q, k) || !take(a, cell, q, &e))
      continue;
    if (!leads(&s, &first, &e)) return -1;
  }
  return first.contender;
}
