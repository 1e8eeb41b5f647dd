/** @file src/answers/single_best.h
 *  What a map is measured against: the same contender everywhere, chosen as well as can be without
 *  looking at the points, on the cells of the map.
 *
 *  A baseline is a schedule (regret.h) and the level it begins at, found by one of two rules.  As
 * safe: of the levels that miss in no larger share of the cells than `risk`, the one with least
 * mean regret where it hits; when all miss more often, the one that misses least.  By retries: the
 * one with least mean regret with retries.  Cells where nobody is available do not count.
 */
#ifndef SAL_SINGLE_BEST_H
#define SAL_SINGLE_BEST_H

#include "regret.h"

typedef enum { SAL_SINGLE_BEST_AS_SAFE, SAL_SINGLE_BEST_BY_RETRIES } sal_single_best_rule;

typedef struct {
  sal_tolerance_schedule schedule;
  int                    from;   /* level; -1: nobody can be judged */
  double                 missed; /* share of the cells */
} sal_single_best;

/** The virtual_bests of all cells, [table->n_cell]. */
void sal_virtual_best_all(const sal_performance_table *table, const sal_question *question,
                          sal_virtual_best virtual_best[]);

/** The best level of all schedules. */
sal_single_best sal_single_best_pick(const sal_performance_table *table,
                                     const sal_virtual_best virtual_best[], double asked,
                                     int n_ladder, const sal_tolerance_schedule schedule[],
                                     sal_single_best_rule rule, double risk);

/** Judges a baseline at the points of an table with these virtual_bests: evaluation [n_cell]. */
void sal_single_best_evaluate(const sal_performance_table *points,
                              const sal_virtual_best virtual_best[], double asked,
                              const sal_single_best *baseline, sal_evaluation evaluation[]);

/** The risk a baseline may take to be as safe as something that missed in so many of the judged:
 *  (missed + 1) / (judged + 2), the rule of succession.  None missed of a few is not none at all.
 */
double sal_single_best_risk(int64_t missed, int64_t judged);

#endif
