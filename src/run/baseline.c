/** @file src/run/baseline.c
 *  Choosing one contender for everything.
 */
#include "baseline.h"
#include <math.h>

/* How a rung does in all cells. */
typedef struct {
  int64_t judged, missed;
  double  share;           /* missed of the judged; NaN when no cell can be judged */
  double  regret, retried; /* means; the former is infinite when it never hits */
} tally;

void sal_offers(const sal_atlas *a, const sal_question *q, sal_offer offer[])
{
  for (int64_t c = 0; c < a->n_cell; ++c) offer[c] = sal_offer_in(a, c, q);
}

static void count(tally *t, const sal_verdict *v)
{
  ++t->judged;
  t->missed += v->missed;
  t->regret += v->missed ? 0 : v->regret;
  t->retried += v->retried;
}

/* Every rung of a ladder, rung [n]; cell by cell, as they lie in memory. */
static void try_all(const sal_atlas *a, const sal_offer offer[], double asked, const sal_ladder *l,
                    tally rung[])
{
  for (int i = 0; i < l->n; ++i) rung[i] = (tally){0};
  for (int64_t c = 0; c < a->n_cell; ++c)
    for (int i = 0; i < l->n && offer[c].best >= 0; ++i) {
      const sal_verdict v = sal_judge(a, c, &offer[c], asked, l, i);
      count(&rung[i], &v);
    }
  for (int i = 0; i < l->n; ++i) {
    const int64_t hits = rung[i].judged - rung[i].missed;
    rung[i].share      = (double)rung[i].missed / (double)rung[i].judged;
    rung[i].regret     = hits > 0 ? rung[i].regret / (double)hits : INFINITY;
    rung[i].retried /= (double)rung[i].judged;
  }
}

/* Is `a` better than `b`?  The first of equals stays. */
static bool better(const tally *a, const tally *b, sal_pick_rule rule, double risk)
{
  const bool safe = a->share <= risk, other = b->share <= risk;

  if (rule == SAL_PICK_BY_RETRIES) return a->retried < b->retried;
  if (safe != other) return safe;
  if (!safe && a->share != b->share) return a->share < b->share;
  return a->regret < b->regret;
}

sal_baseline sal_baseline_pick(const sal_atlas *a, const sal_offer offer[], double asked,
                               int n_ladder, const sal_ladder ladder[], sal_pick_rule rule,
                               double risk)
{
  sal_baseline best = {.from = -1, .missed = NAN};
  tally        least, rung[SAL_MAX_CONTENDER];

  for (int l = 0; l < n_ladder; ++l) {
    try_all(a, offer, asked, &ladder[l], rung);
    for (int i = 0; i < ladder[l].n; ++i) {
      if (isnan(rung[i].share) || (best.from >= 0 && !better(&rung[i], &least, rule, risk)))
        continue;
      best  = (sal_baseline){ladder[l], i, rung[i].share};
      least = rung[i];
    }
  }
  return best;
}

void sal_judge_baseline(const sal_atlas *points, const sal_offer offer[], double asked,
                        const sal_baseline *b, sal_verdict verdict[])
{
  for (int64_t p = 0; p < points->n_cell; ++p)
    verdict[p] = sal_judge(points, p, &offer[p], asked, &b->ladder, b->from);
}

double sal_baseline_risk(int64_t missed, int64_t judged)
{
  return (double)(missed + 1) / (double)(judged + 2);
}
