/** Probability and expected total work of each pair of method and strategy at each tolerance.
 *
 *  After a miss the next attempt is 3/4 of a decade tighter.  That M_k, the probability that all before
 *  attempt k missed, goes on as half of min(M_k, q_k) and half of M_k q_k, q_k being the probability that
 *  attempt k misses by itself: errors at a point depend on each other, neither wholly nor not at all.  Between the same two
 *  levels it goes on as min(M_k, q_k): attempts there have one offset from the line between the levels.
 *  What is tighter than the last tolerance is replaced by the most expensive run of all.
 */
#pragma once

#include "local_forecast.h"

/** sal_surrogate_totals_free frees, also after a failure. */
typedef struct {
  const sal_sweep *sweep;           /* borrowed */
  const sal_surrogate_steps *steps; /* borrowed */
  const sal_between_levels
      *between; /* borrowed; NULL: errors between levels are on the line between them */
  const sal_local_forecast *at; /* of the place asked about; borrowed */
  int n_pair;
  bool *allowed;                         /* [n_pair] */
  double fallback;                       /* work of a run at a level that counts */
  double *ln_error, *work, *probability; /* [n_pair][steps->n]; NaN: no fit */
  double *scatter, *share;               /* [n_pair][steps->n], as in sal_local_forecast */
  double *shift,
      *spread; /* [n_pair][steps->n] of what lies between levels; spread NaN: unknown, and no candidate */
} sal_surrogate_totals;

sal_err sal_surrogate_totals_create(const sal_sweep *sweep, const sal_surrogate_steps *steps,
                                    sal_surrogate_totals *totals);
void sal_surrogate_totals_free(sal_surrogate_totals *totals);

/** With the uncertainty of tolerances between levels, which is borrowed; before the first place. */
void sal_surrogate_totals_between(sal_surrogate_totals *totals, const sal_between_levels *between);

/** Errors and works at a place, of methods and strategies that may answer; NULL: all. */
void sal_surrogate_totals_place(sal_surrogate_totals *totals, const sal_local_forecast *forecast,
                                const bool method[], const bool strategy[]);
/** Probabilities that an error is reached, of distributions that are widened by `width` >= 1; in cells where a configuration does
 *  not count it misses. */
void sal_surrogate_totals_error(sal_surrogate_totals *totals, const sal_error_shape *shape,
                                double ln_error, double width);

/** A candidate of the steps; step -1: none. */
typedef struct {
  int pair, step;
  double total;
} sal_surrogate_pick;

/** The candidate of a pair with the least work with at least this probability; the total is not filled in. */
sal_surrogate_pick sal_surrogate_totals_sure(const sal_surrogate_totals *totals, int pair,
                                             double probability);
/** The same among all pairs; among equals the first in their order. */
sal_surrogate_pick sal_surrogate_totals_best(const sal_surrogate_totals *totals);
sal_surrogate_pick sal_surrogate_totals_surest(const sal_surrogate_totals *totals,
                                               double probability);
/** The largest probability of all; among equals that with less work. */
sal_surrogate_pick sal_surrogate_totals_likely(const sal_surrogate_totals *totals);

/** Are all probabilities below a half, too small for an answer? */
bool sal_surrogate_totals_unanswered(const sal_surrogate_totals *totals);

/** Expected total work, and probability, of each configuration of the sweep (config.h): [n_config].
 *  NaN where it has no fit, or may not answer. */
void sal_surrogate_totals_levels(const sal_surrogate_totals *totals, double total[],
                                 double probability[]);

/** As a choice, with its total. */
sal_surrogate_choice sal_surrogate_totals_choice(const sal_surrogate_totals *totals,
                                                 sal_surrogate_pick pick);
