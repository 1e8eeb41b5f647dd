/** @file src/answers/surrogate_steps.h
 *  The tolerances that an answer may have, and those that follow a miss.
 *
 *  Between two neighbouring tolerances of a sweep, levels, there are about four steps a decade: more would not be better answers, but more that are best by chance.  After a
 *  miss the tolerance is divided by 10^(3/4), again and again.
 */
#ifndef SAL_SURROGATE_STEPS_H
#define SAL_SURROGATE_STEPS_H

#include "sweep.h"

/** A tolerance between levels. */
typedef struct {
  double tolerance;
  int level;    /* the looser one */
  double share; /* 0 .. 1 of the way to the next one, in the logarithm; 0: the level itself */
  int next;     /* step of the next attempt; -1: it is tighter than the last level */
  int run;      /* the sweep's tolerance at this place; -1: it has none */
} sal_surrogate_step;

/** Candidates come first, loosest first; sal_surrogate_steps_free frees. */
typedef struct {
  int n_level, level[SAL_MAX_LIST]; /* numbers of the sweep's, loosest first */
  int n_all, place[SAL_MAX_LIST];   /* levels of the sweep, and which of them each one is */
  double decades[SAL_MAX_LIST];     /* [n_all] -log10 of their tolerances */
  int n_candidate, n, room;
  sal_surrogate_step *at; /* [n] */
} sal_surrogate_steps;

SAL_MUST_CHECK sal_err sal_surrogate_steps_create(const sal_sweep *sweep,
                                                  sal_surrogate_steps *steps);
/** With every other level left out, the odd ones by `parity` 0, or the even ones by 1; of one or two levels all but one.
 *  Candidates are all levels, those left out as tolerances between, and no attempts follow them. */
SAL_MUST_CHECK sal_err sal_surrogate_steps_thin(const sal_sweep *sweep, int parity,
                                                sal_surrogate_steps *steps);
void sal_surrogate_steps_free(sal_surrogate_steps *steps);

#endif
