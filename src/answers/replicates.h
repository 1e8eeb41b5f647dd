/** @file src/answers/replicates.h
 *  Points and their replicates, closer than the cells of any map: how much of an error is
 * dispersion, and what one loses who knows everything at the replicate.
 *
 *  A step accepted here and rejected there sends a run down another sequence of steps, so that an
 *  error jumps where the system hardly changes.  Luck is the standard deviation of the logarithm of
 *  the error between replicates, as half the distance from its 16 % to its 84 % quantile: of a
 * normal distribution the same, and without weight for the few runs that go astray.
 *
 *  Both tables have the same contenders; cell i of one is the replicate of cell i of the other.
 */
#ifndef SAL_REPLICATES_H
#define SAL_REPLICATES_H

#include "regret.h"

/** Luck of each contender: dispersion [n_contender]; NaN where it does not count at both of any
 * two. */
SAL_MUST_CHECK sal_err sal_replicates_dispersion(const sal_performance_table *points,
                                                 const sal_performance_table *replicates,
                                                 double                       dispersion[]);

/** Judges at each point what is best at its replicate, evaluation [n_cell].  Caution multiplies an
 * error there by e to the power of `caution` times the dispersion of the contender, as that of
 * choose.h does with the deviation among cells; dispersion that is not known counts as none. */
SAL_MUST_CHECK sal_err sal_replicates_evaluate(const sal_performance_table *points,
                                               const sal_performance_table *replicates,
                                               const double                 dispersion[],
                                               const sal_question          *question,
                                               sal_evaluation               evaluation[]);

#endif
