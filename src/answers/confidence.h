/** @file src/answers/confidence.h
 *  The confidence that one answer needs less work than another at a place: how thick a border of the map is.
 *
 *  Work and error of a run trade against each other: what a configuration takes for an asked error e is about
 *  ln W + k (ln E - ln e), k = -d ln W / d ln E between the tolerances around it.  The difference of two of these at
 *  the cells around a place goes through a plane: its value at the place over the distance of another cell gives the probability that
 *  one of the two takes less work.  Errors and works of two configurations in one cell depend on each other, and so it is their
 *  difference that is taken, cell by cell.  Its law is Student's with 4 degrees of freedom: it has heavier tails than a
 *  normal one.
 *
 *  Answers are ranked by expected totals, in which misses of all kinds count: their ratio is not what scatters here, and
 *  where tolerances are about to end it is much larger.  An answer whose next one would take less for the error, but misses more
 *  often, has a probability below 1/2.
 */
#ifndef SAL_CONFIDENCE_H
#define SAL_CONFIDENCE_H

#include "surrogate_view.h"

/** The answer p[0], at the place that the view has planes of, beside its runner-up p[1] and the first with another method p[2]
 *  (step -1: there is none), which take so much more, as shares.  Fills in the members of answer.def from runner_up on.  A
 *  confidence is .0001 to .9999, NaN where too few cells have both.  both: that beside p[2], too, where it is not p[1]. */
void sal_confidence_compare(sal_surrogate_view *view, double ln_error,
                            const sal_surrogate_pick p[3], const double more[3], bool both,
                            sal_answer *answer);

#endif
