/** Lanes of several orders (lane half), for methods of variable order: each lane has its own.
 *
 *  Loops run over all orders that some lane has, and change what belongs to the order of a lane alone.  At width 1
 *  there is one order, and every mask below is all of the lane.
 */
#pragma once

#include "lane.h"

/** Integers of some lanes, from the least to the greatest; in other lanes some of these.  Above -64. */
typedef struct {
  int lo, hi;
  sal_m of;
} sal_orders;

SAL_INLINE sal_orders sal_orders_of(sal_m x, sal_m lanes)
{
  const int lo = -(int)sal_highest(sal_pick(lanes, -x, sal_none() - 64));

  return (sal_orders){lo, (int)sal_highest(sal_pick(lanes, x, sal_none() - 64)),
                      sal_pick(lanes, x, sal_none() + lo)};
}

/** Lanes of `lanes` (at least one) with x at least, and exactly, i, a number between the least and the greatest
 *  x of them; and `lanes` themselves. */
SAL_INLINE sal_m sal_orders_from(sal_m lanes, sal_m x, int i)
{
  return SAL_LANES == 1 ? ~sal_none() : lanes & SAL_MASK(x >= i);
}

SAL_INLINE sal_m sal_orders_at(sal_m lanes, sal_m x, int i)
{
  return SAL_LANES == 1 ? ~sal_none() : lanes & SAL_MASK(x == i);
}

SAL_INLINE sal_m sal_orders_only(sal_m lanes) { return SAL_LANES == 1 ? ~sal_none() : lanes; }

/** Writes a value in some lanes. */
SAL_INLINE void sal_orders_put(sal_v *to, sal_m lanes, sal_v value)
{
  *to = sal_sel(lanes, value, *to);
}

SAL_INLINE void sal_orders_put_int(sal_m *to, sal_m lanes, sal_m value)
{
  *to = sal_pick(lanes, value, *to);
}

/** The larger of two numbers; a NaN stays. */
SAL_INLINE sal_v sal_orders_worse(sal_v worst, sal_v x)
{
  return sal_sel(sal_gt(x, worst) | ~sal_eq(x, x), x, worst);
}
