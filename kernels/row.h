/** Contacts in a row (model.h, sal_row), one by one and the closed ones as a range (lane half). */
#pragma once

#include "model.h"

SAL_INLINE sal_v sal_row_gap(const sal_row *r, sal_v k)
{
  return r->gap + r->slope * (k - r->middle);
}

SAL_INLINE sal_v sal_row_rate(const sal_row *r, sal_v k)
{
  return r->rate + r->turning * (k - r->middle);
}

/** How many contacts are closed, counted from the end of the row where the gaps are least (the
 *  first contact when the slope is 0).  The zero of the line gives a guess, which rounding can
 *  put one beside the true number; the gaps of the two contacts there correct it. */
SAL_INLINE sal_v sal_row_closed_count(const sal_row *r, sal_v count)
{
  const sal_v zero = sal_set(0), one = sal_set(1), last = count - 1.0;
  const sal_m falls = sal_lt(r->slope, zero);
  const sal_v root = r->middle - r->gap / r->slope;
  const sal_v reach = sal_sel(falls, last - root, root) + 1.0;
  const sal_v level = sal_sel(sal_le(r->gap, zero), count, zero);
  /* NaN and infinities of a level row do not pass the bounds */
  const sal_v inside = sal_min(sal_max(reach, zero), count);
  sal_v n = sal_sel(sal_eq(r->slope, zero), level, sal_to_double(sal_to_int(inside)));

  const sal_v inner = sal_sel(falls, count - n, n - 1.0);
  n = sal_sel(sal_gt(n, zero) & sal_gt(sal_row_gap(r, inner), zero), n - one, n);
  const sal_v outer = sal_sel(falls, last - n, n);
  return sal_sel(sal_lt(n, count) & sal_le(sal_row_gap(r, outer), zero), n + one, n);
}

/** The closed contacts as a range [from, to); both 0 when none is. */
SAL_INLINE void sal_row_closed(const sal_row *r, sal_v count, sal_v *from, sal_v *to)
{
  const sal_v n = sal_row_closed_count(r, count);
  const sal_m last = sal_lt(r->slope, sal_set(0)) & sal_gt(n, sal_set(0));

  *from = sal_sel(last, count - n, sal_set(0));
  *to = sal_sel(last, count, n);
}
