/** Projection onto surfaces of event-selected systems (lane half): shared by `ess` and `ess2`.
 *
 *  For contact k, eta_k = -side * gap is negative until the next crossing.  Only contacts that are
 *  approached (d eta / dt > 0) are eligible; the first-order prediction of their crossing times
 *  puts them in order, and one contact after another is crossed.  Sides are carried, never read
 *  from the state, so that the right field is used on each side.  Anderson & Revzen, section 2.2.
 */
#pragma once

#include "root.h"

/** Predicted time to the crossing of a contact from its side, gap and rate; infinite when it
 *  recedes. */
SAL_INLINE sal_v sal_project_arrival(sal_v side, sal_v gap, sal_v rate)
{
  const sal_v pace = -side * rate;

  return sal_sel(sal_gt(pace, sal_set(0)), side * gap / pace, sal_set(INFINITY));
}

/** One projection step of order 1 (a straight line) or 2 (midpoint, with Newton's correction),
 *  where a contact is nearer than `near`, measured as the zone is. */
sal_m SAL_FN(sal_project_step)(sal_step_state *s, const sal_contacts *at, sal_m lanes, int order,
                               double near, sal_crossing *out);

/** Ends a step at the first point where an approached contact enters its zone, without changing
 *  sides there; used with a zone in units of the gaps. */
void SAL_FN(sal_project_cut_at_zone)(sal_dense *d, const sal_contacts *at, sal_m lanes,
                                     sal_crossing *out);
