/** @file src/answers/single_best.c
 *  Choosing one contender for all points.
 */
#include "single_best.h"
#include <math.h>

/* A level in all cells. */
typedef struct {
  int64_t evaluated, missed;
  double  share;           /* missed of the evaluated; NaN when there are none */
  double  regret, retried; /* means; the former is infinite when it never hits */
} level_summary;

static void add_evaluation(level_summary *level, const sal_regret_evaluation *v)
{
  ++level->evaluated;
  level->missed += v->missed;
  level->regret += v->missed ? 0 : v->regret;
  level->retried += v->retried;
}

/* Every level of a schedule, level [n]; cell by cell, as they lie in memory. */
static void evaluate_levels(const sal_performance_table *a, const sal_virtual_best virtual_best[],
                            double asked, const sal_tolerance_schedule *l, level_summary level[])
{
  for (int i = 0; i < l->n; ++i) level[i] = (level_summary){0};
  for (int64_t c = 0; c < a->n_cell; ++c)
    for (int i = 0; i < l->n && virtual_best[c].best >= 0; ++i) {
      const sal_regret_evaluation v = sal_regret_evaluate(a, c, &virtual_best[c], asked, l, i);
      add_evaluation(&level[i], &v);
    }
  for (int i = 0; i < l->n; ++i) {
    const int64_t hits = level[i].evaluated - level[i].missed;
    level[i].share     = (double)level[i].missed / (double)level[i].evaluated;
    level[i].regret    = hits > 0 ? level[i].regret / (double)hits : INFINITY;
    level[i].retried /= (double)level[i].evaluated;
  }
}

/* Is `a` better than `b`?  The first of equals stays. */
static bool is_better(const level_summary *a, const level_summary *b, sal_single_best_rule rule,
                      double risk)
{
  const bool a_safe = a->share <= risk, b_safe = b->share <= risk;

  if (rule == SAL_SINGLE_BEST_BY_RETRIES) return a->retried < b->retried;
  if (a_safe != b_safe) return a_safe;
  if (!a_safe && a->share != b->share) return a->share < b->share;
  return a->regret < b->regret;
}

sal_single_best sal_single_best_pick(const sal_performance_table *a,
                                     const sal_virtual_best virtual_best[], double asked,
                                     int n_schedule, const sal_tolerance_schedule schedule[],
                                     sal_single_best_rule rule, double risk)
{
  sal_single_best best = {.from = -1, .missed = NAN};
  level_summary   least, level[SAL_MAX_LIST];

  for (int l = 0; l < n_schedule; ++l) {
    evaluate_levels(a, virtual_best, asked, &schedule[l], level);
    for (int i = 0; i < schedule[l].n; ++i) {
      if (isnan(level[i].share) || (best.from >= 0 && !is_better(&level[i], &least, rule, risk)))
        continue;
      best  = (sal_single_best){schedule[l], i, level[i].share};
      least = level[i];
    }
  }
  return best;
}

void sal_single_best_evaluate(const sal_performance_table *points,
                              const sal_virtual_best virtual_best[], double asked,
                              const sal_single_best *s, sal_regret_evaluation evaluation[])
{
  for (int64_t p = 0; p < points->n_cell; ++p)
    evaluation[p] = sal_regret_evaluate(points, p, &virtual_best[p], asked, &s->schedule, s->from);
}

double sal_single_best_risk(int64_t missed, int64_t evaluated)
{
  return (double)(missed + 1) / (double)(evaluated + 2);
}
