/** @file src/app/paper_advice.h
 *  The advice of section VI of Dallas, Machairas, Papadopoulos as a rule that names a method.
 *
 *  Their strategy is `switch`: with events a solver "will deteriorate in solution speed, without
 *  necessarily improving in accuracy".  The method depends on the tolerance: the largest weighted
 *  sum (36) of the points in Table 3, with solution duration twice as important as the error and
 *  divergence time without weight, as in Table 5.  That is ode45 at 1e-3, ode113 at 1e-6 and ode45
 *  at 1e-9.  At other tolerances the nearest of these by ratio decides, the looser of two that are
 *  equally near.
 */
#ifndef SAL_PAPER_ADVICE_H
#define SAL_PAPER_ADVICE_H

#include "tolerance_schedule.h"

/** The advised contender at each tolerance of a sweep, of the methods [n_method] that may win;
 *  empty when `switch` may not, or no method of the paper is among them. */
sal_tolerance_schedule sal_paper_advice(const sal_sweep *sweep, const bool method[],
                                        const bool strategy[]);

#endif
