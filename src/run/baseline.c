/** @file src/run/baseline.c
 *  Choosing one contender for everything.
 */
#include "baseline.h"
#include <math.h>

/* How a rung does in all cells. */
typedef struct {
  double missed;          /* share */
  double regret, retried; /* means; infinite when it never hits */
} tally;

void sal_offers(const sal_atlas *a, const sal_question *q, sal_offer offer[])
{
  for (int64_t c = 0; c < a->n_cell; ++c) offer[c] = sal_offer_in(a, c, q);
}

/* Fails to be a number when no cell can be judged. */
static tally try_all(const sal_atlas *a, const sal_offer offer[], double asked, const sal_ladder *l,
                     int from)
{
  int64_t judged = 0, missed = 0;
  tally   sum = {0};

  for (int64_t c = 0; c < a->n_cell; ++c) {
    if (offer[c].best < 0) continue;
    const sal_verdict v = sal_judge(a, c, &offer[c], asked, l, from);
    ++judged;
    missed += v.missed;
    sum.regret += v.missed ? 0 : v.regret;
    sum.retried += v.retried;
  }
  return (tally){.missed  = (double)missed / (double)judged,
                 .regret  = missed < judged ? sum.regret / (double)(judged - missed) : INFINITY,
                 .retried = sum.retried / (double)judged};
}

/* Is `a` better than `b`?  The first of equals stays. */
static bool better(const tally *a, const tally *b, sal_pick_rule rule, double risk)
{
  const bool safe = a->missed <= risk, other = b->missed <= risk;

  if (rule == SAL_PICK_BY_RETRIES) return a->retried < b->retried;
  if (safe != other) return safe;
  if (!safe && a->missed != b->missed) return a->missed < b->missed;
  return a->regret < b->regret;
}

sal_baseline sal_baseline_pick(const sal_atlas *a, const sal_offer offer[], double asked,
                               int n_ladder, const sal_ladder ladder[], sal_pick_rule rule,
                               double risk)
{
  sal_baseline best = {.from = -1, .missed = NAN};
  tally        least;

  for (int l = 0; l < n_ladder; ++l)
    for (int i = 0; i < ladder[l].n; ++i) {
      const tally t = try_all(a, offer, asked, &ladder[l], i);
      if (isnan(t.missed) || (best.from >= 0 && !better(&t, &least, rule, risk))) continue;
      best  = (sal_baseline){ladder[l], i, t.missed};
      least = t;
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
