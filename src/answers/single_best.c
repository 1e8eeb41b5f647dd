/** @file src/answers/single_best.c
 *  Choosing one contender for everything.
 */
#include "single_best.h"
#include <math.h>

/* How a level does in all cells. */
typedef struct {
  int64_t judged, missed;
  double  share;           /* missed of the judged; NaN when no cell can be judged */
  double  regret, retried; /* means; the former is infinite when it never hits */
} tally;

void sal_virtual_best_all(const sal_performance_table *a, const sal_question *q,
                          sal_virtual_best virtual_best[])
{
  for (int64_t c = 0; c < a->n_cell; ++c) virtual_best[c] = sal_virtual_best_at(a, c, q);
}

static void count(tally *t, const sal_evaluation *v)
{
  ++t->judged;
  t->missed += v->missed;
  t->regret += v->missed ? 0 : v->regret;
  t->retried += v->retried;
}

/* Every level of a schedule, level [n]; cell by cell, as they lie in memory. */
static void try_all(const sal_performance_table *a, const sal_virtual_best virtual_best[],
                    double asked, const sal_tolerance_schedule *l, tally level[])
{
  for (int i = 0; i < l->n; ++i) level[i] = (tally){0};
  for (int64_t c = 0; c < a->n_cell; ++c)
    for (int i = 0; i < l->n && virtual_best[c].best >= 0; ++i) {
      const sal_evaluation v = sal_regret_evaluate(a, c, &virtual_best[c], asked, l, i);
      count(&level[i], &v);
    }
  for (int i = 0; i < l->n; ++i) {
    const int64_t hits = level[i].judged - level[i].missed;
    level[i].share     = (double)level[i].missed / (double)level[i].judged;
    level[i].regret    = hits > 0 ? level[i].regret / (double)hits : INFINITY;
    level[i].retried /= (double)level[i].judged;
  }
}

/* Is `a` better than `b`?  The first of equals stays. */
static bool better(const tally *a, const tally *b, sal_single_best_rule rule, double risk)
{
  const bool safe = a->share <= risk, other = b->share <= risk;

  if (rule == SAL_SINGLE_BEST_BY_RETRIES) return a->retried < b->retried;
  if (safe != other) return safe;
  if (!safe && a->share != b->share) return a->share < b->share;
  return a->regret < b->regret;
}

sal_single_best sal_single_best_pick(const sal_performance_table *a,
                                     const sal_virtual_best virtual_best[], double asked,
                                     int n_ladder, const sal_tolerance_schedule schedule[],
                                     sal_single_best_rule rule, double risk)
{
  sal_single_best best = {.from = -1, .missed = NAN};
  tally           least, level[SAL_MAX_LIST];

  for (int l = 0; l < n_ladder; ++l) {
    try_all(a, virtual_best, asked, &schedule[l], level);
    for (int i = 0; i < schedule[l].n; ++i) {
      if (isnan(level[i].share) || (best.from >= 0 && !better(&level[i], &least, rule, risk)))
        continue;
      best  = (sal_single_best){schedule[l], i, level[i].share};
      least = level[i];
    }
  }
  return best;
}

void sal_single_best_evaluate(const sal_performance_table *points,
                              const sal_virtual_best virtual_best[], double asked,
                              const sal_single_best *b, sal_evaluation evaluation[])
{
  for (int64_t p = 0; p < points->n_cell; ++p)
    evaluation[p] = sal_regret_evaluate(points, p, &virtual_best[p], asked, &b->schedule, b->from);
}

double sal_single_best_risk(int64_t missed, int64_t judged)
{
  return (double)(missed + 1) / (double)(judged + 2);
}
