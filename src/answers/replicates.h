/** @file src/answers/replicates.h
 *  Points and their perturbed replicates, closer to them than the cells of any map: the dispersion
 *  of errors, and the regret of a choice made with full knowledge of the replicate.
 *
 *  A step accepted at one point and rejected at the other sends a run down another sequence of
 *  steps, so that an error jumps where the system hardly changes.  Dispersion is the standard
 *  deviation of the logarithm of the error between replicates, measured as half the distance from
 *  its 16 % to its 84 % quantile.  For a normal distribution that is the same, and the few runs
 *  that go astray have no weight.
 *
 *  Both tables have the same contenders; cell i of one is the replicate of cell i of the other.
 */
#ifndef SAL_REPLICATES_H
#define SAL_REPLICATES_H

#include "regret.h"

/** Dispersion of each contender, dispersion [n_contender]; NaN for one that at no point counts both
 *  there and at the replicate. */
SAL_MUST_CHECK sal_err sal_replicates_dispersion(const sal_performance_table *points,
                                                 const sal_performance_table *replicates,
                                                 double                       dispersion[]);

/** Evaluates at each point the choice that is best at its replicate, evaluation [n_cell].  Caution
 *  multiplies an error there by e to the power of `caution` times the dispersion of the contender,
 *  as that of choose.h does with the deviation among cells; unknown dispersion counts as none. */
SAL_MUST_CHECK sal_err sal_replicates_evaluate(const sal_performance_table *points,
                                               const sal_performance_table *replicates,
                                               const double                 dispersion[],
                                               const sal_question          *question,
                                               sal_regret_evaluation        evaluation[]);

#endif
