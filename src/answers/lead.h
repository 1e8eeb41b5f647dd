/** @file src/answers/lead.h
 *  How surely one answer is cheaper than another at a place: how thick a border of the map is.
 *
 *  Work and error of a run trade against each other: what a contender takes for an asked error e is about
 *  ln W + k (ln E - ln e), k = -d ln W / d ln E between the tolerances around it.  The difference of two of these at
 *  the cells around a place goes through a plane: its value at the place over how far another cell is off it says how surely
 *  one of the two takes less.  Errors and works of two contenders in one cell depend on each other, and so it is their
 *  difference that is taken, cell by cell.  Its law is Student's with 4 degrees of freedom: it has heavier tails than a
 *  normal one.
 *
 *  Answers are ranked by expected totals, in which misses of all kinds count: their ratio is not what scatters here, and
 *  where tolerances are about to end it is much larger.  An answer whose next one would take less for the error, but misses more
 *  often, has a probability below 1/2.
 */
#ifndef SAL_LEAD_H
#define SAL_LEAD_H

#include "reader_view.h"

/** The probability, .0001 to .9999, that the first takes less work for the asked error than the second, at the place that
 *  the view has planes of.  NaN where too few cells have both. */
double sal_lead_probability(sal_reader_view *view, double ln_error, sal_reader_pick first,
                            sal_reader_pick second);

#endif
