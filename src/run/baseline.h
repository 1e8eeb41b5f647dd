/** @file src/run/baseline.h
 *  What a map is measured against: the same contender everywhere, chosen as well as can be without
 *  looking at the points, on the cells of the map.
 *
 *  A baseline is a ladder (regret.h) and the rung it begins at, found by one of two rules.  As
 * safe: of the rungs that miss in no larger share of the cells than `risk`, the one with least mean
 *  regret where it hits; when all miss more often, the one that misses least.  By retries: the one
 *  with least mean regret with retries.  Cells where nobody is available do not count.
 */
#ifndef SAL_BASELINE_H
#define SAL_BASELINE_H

#include "regret.h"

typedef enum { SAL_PICK_AS_SAFE, SAL_PICK_BY_RETRIES } sal_pick_rule;

typedef struct {
  sal_ladder ladder;
  int        from;   /* rung; -1: nobody can be judged */
  double     missed; /* share of the cells */
} sal_baseline;

/** The offers of all cells, [atlas->n_cell]. */
void sal_offers(const sal_atlas *atlas, const sal_question *question, sal_offer offer[]);

/** The best rung of all ladders. */
sal_baseline sal_baseline_pick(const sal_atlas *atlas, const sal_offer offer[], double asked,
                               int n_ladder, const sal_ladder ladder[], sal_pick_rule rule,
                               double risk);

/** Judges a baseline at the points of an atlas with these offers: verdict [n_cell]. */
void sal_judge_baseline(const sal_atlas *points, const sal_offer offer[], double asked,
                        const sal_baseline *baseline, sal_verdict verdict[]);

/** The risk a baseline may take to be as safe as something that missed in so many of the judged:
 *  (missed + 1) / (judged + 2), the rule of succession.  None missed of a few is not none at all.
 */
double sal_baseline_risk(int64_t missed, int64_t judged);

#endif
