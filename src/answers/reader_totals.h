/** @file src/answers/reader_totals.h
 *  Probability and expected total work of each pair of method and strategy at each tolerance.
 *
 *  After a miss the next try is 3/4 of a decade tighter.  That M_k, the probability that all before
 *  try k missed, goes on as half of min(M_k, q_k) and half of M_k q_k, q_k being the probability that
 *  try k misses by itself: errors at a point depend on each other, neither wholly nor not at all.  Between the same two
 *  levels it goes on as min(M_k, q_k): tries there have one offset from the line between the levels.
 *  What is tighter than the last tolerance is replaced by the dearest run of all.
 */
#ifndef SAL_READER_TOTALS_H
#define SAL_READER_TOTALS_H

#include "between_levels.h"
#include "local_forecast.h"
#include "reader_types.h"

/** sal_reader_totals_free frees, also after a failure. */
typedef struct {
  const sal_sweep *sweep;              /* borrowed */
  const sal_reader_schedule *schedule; /* borrowed */
  const sal_between_levels
      *between; /* borrowed; NULL: errors between levels are on the line between them */
  const sal_local_forecast *at; /* of the place asked about; borrowed */
  int n_pair;
  bool *allowed;                         /* [n_pair] */
  double dearest;                        /* work of a run at a level that counts */
  double *ln_error, *work, *probability; /* [n_pair][schedule->n]; NaN: no fit */
  double *scatter, *share;               /* [n_pair][schedule->n], as in sal_local_forecast */
  double *shift,
      *spread; /* [n_pair][schedule->n] of what lies between levels; spread NaN: unknown, and no candidate */
} sal_reader_totals;

SAL_MUST_CHECK sal_err sal_reader_totals_create(const sal_sweep *sweep,
                                                const sal_reader_schedule *schedule,
                                                sal_reader_totals *totals);
void sal_reader_totals_free(sal_reader_totals *totals);

/** With the uncertainty of tolerances between levels, which is borrowed; before the first place. */
void sal_reader_totals_between(sal_reader_totals *totals, const sal_between_levels *between);

/** Errors and works at a place, of methods and strategies that may answer; NULL: all. */
void sal_reader_totals_place(sal_reader_totals *totals, const sal_local_forecast *forecast,
                             const bool method[], const bool strategy[]);
/** Probabilities that an error is reached, of distributions that are widened by `width` >= 1; in cells where a contender does
 *  not count it misses. */
void sal_reader_totals_error(sal_reader_totals *totals, const sal_error_shape *shape,
                             double ln_error, double width);

/** A candidate of the schedule; step -1: none. */
typedef struct {
  int pair, step;
  double total;
} sal_reader_pick;

/** Of a pair, the least expected total work; of equals the looser tolerance. */
sal_reader_pick sal_reader_totals_least(const sal_reader_totals *totals, int pair);
/** Of a pair, the least work with at least this probability; the total is not filled in. */
sal_reader_pick sal_reader_totals_sure(const sal_reader_totals *totals, int pair,
                                       double probability);
/** Of all pairs; of equals the first in their order. */
sal_reader_pick sal_reader_totals_best(const sal_reader_totals *totals);
sal_reader_pick sal_reader_totals_surest(const sal_reader_totals *totals, double probability);
/** The largest probability of all; of equals that with less work. */
sal_reader_pick sal_reader_totals_likely(const sal_reader_totals *totals);

/** Are all probabilities below a half, too small for an answer? */
bool sal_reader_totals_unanswered(const sal_reader_totals *totals);

/** Expected total work, and probability, of each contender of the sweep (contender.h): [n_contender].
 *  NaN where it has no fit, or may not answer. */
void sal_reader_totals_levels(const sal_reader_totals *totals, double total[],
                              double probability[]);

/** As a choice, with its total. */
sal_reader_choice sal_reader_totals_choice(const sal_reader_totals *totals, sal_reader_pick pick);

#endif
