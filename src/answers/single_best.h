/** @file src/answers/single_best.h
 *  The single best solver: one contender for all points, found on the cells of a map, never on the
 *  points it is evaluated at.  What a map gains is measured against it.
 *
 *  It is a tolerance schedule and the level at which it begins.  Two rules find it.  As safe: of
 *  the levels that miss in no larger share of the cells than `risk`, the one with least mean regret
 *  where it hits; when all miss more often, the one that misses least.  By retries: the one with
 *  least mean regret with retries (regret.h).  Cells where no contender is available do not count.
 */
#ifndef SAL_SINGLE_BEST_H
#define SAL_SINGLE_BEST_H

#include "regret.h"

typedef enum { SAL_SINGLE_BEST_AS_SAFE, SAL_SINGLE_BEST_BY_RETRIES } sal_single_best_rule;

typedef struct {
  sal_tolerance_schedule schedule;
  int                    from;   /* level; -1: no contender is available in any cell */
  double                 missed; /* share of the cells */
} sal_single_best;

/** The best level of all n_schedule schedules; virtual_best [table->n_cell]. */
sal_single_best sal_single_best_pick(const sal_performance_table *table,
                                     const sal_virtual_best virtual_best[], double asked,
                                     int n_schedule, const sal_tolerance_schedule schedule[],
                                     sal_single_best_rule rule, double risk);

/** Evaluates a single best at the points of a table, virtual_best and evaluation [n_cell]. */
void sal_single_best_evaluate(const sal_performance_table *points,
                              const sal_virtual_best virtual_best[], double asked,
                              const sal_single_best *single_best,
                              sal_regret_evaluation  evaluation[]);

/** The risk at which a single best is as safe as an answer that missed in so many of the evaluated
 *  points: (missed + 1) / (evaluated + 2), the rule of succession, since no miss in a few points
 *  does not mean that there is none. */
double sal_single_best_risk(int64_t missed, int64_t evaluated);

#endif
