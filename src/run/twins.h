/** @file src/run/twins.h
 *  Points and their twins, closer than the cells of any map: how much of an error is luck, and what
 *  one loses who knows everything at the twin.
 *
 *  A step accepted here and rejected there sends a run down another sequence of steps, so that an
 *  error jumps where the system hardly changes.  Luck is the standard deviation of the logarithm of
 *  the error between twins, as half the distance from its 16 % to its 84 % quantile: of a normal
 *  distribution the same, and without weight for the few runs that go astray.
 *
 *  Both atlases have the same contenders; cell i of one is the twin of cell i of the other.
 */
#ifndef SAL_TWINS_H
#define SAL_TWINS_H

#include "regret.h"

/** Luck of each contender: luck [n_contender]; NaN where it does not count at both of any two. */
SAL_MUST_CHECK sal_err sal_luck_find(const sal_atlas *points, const sal_atlas *twins,
                                     double luck[]);

/** Judges at each point what is best at its twin, verdict [n_cell].  Caution multiplies an error
 *  there by e to the power of `caution` times the luck of the contender, as that of choose.h does
 *  with the deviation among cells; luck that is not known counts as none. */
SAL_MUST_CHECK sal_err sal_judge_twins(const sal_atlas *points, const sal_atlas *twins,
                                       const double luck[], const sal_question *question,
                                       sal_verdict verdict[]);

#endif
