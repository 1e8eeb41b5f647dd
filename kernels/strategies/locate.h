/** @file kernels/strategies/locate.h
 *  The earliest crossing in a step on its dense output: what strategies share that locate contacts
 *  (lane half).  They differ in the root finder.
 *
 *  Beyond the sign test at the ends of a step, two cases are looked at that it cannot see:
 *  - a *dip*: the gap is right at both ends but points to the wrong side at the start and back
 *    at the end; its extremum is found and tested, so that two crossings in a step are not lost;
 *  - a *short hop*: in the first step after an event the gap starts at 0, so a step that ends on
 *    the wrong side holds the whole phase.  An interior point on the right side is looked for; if
 *    there is none although the rate at the start fits the phase, the step is refused and
 *    repeated smaller.
 *
 *  Shampine & Thompson, Comput. Math. Appl. 39 (2000) 43-54.
 */
#ifndef SAL_LOCATE_H
#define SAL_LOCATE_H

#include "root.h"

/** A strategy's `locate` (strategy.h) with this root finder. */
void SAL_FN(sal_locate_first)(sal_dense *d, const sal_contacts *at, sal_m lanes,
                              sal_root_finder *root, sal_crossing *out);

#define sal_locate_first SAL_FN(sal_locate_first)

#endif
