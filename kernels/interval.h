/** Intervals in lanes (lane half): each function encloses the values that an operation takes where its operands
 *  lie in intervals.  Moore, Interval Analysis (1966); Neumaier, Interval Methods for Systems of Equations (1990).
 *
 *  Bounds are widened by 4 units in the last place, more than the rounding of the functions in
 *  lane_functions.h.  A bound is a number or infinite, never NaN; points at which an operation has no
 *  value, such as the root of -1, are left out.  A mask is an interval from "surely" to "possibly".
 */
#pragma once

#include "lane_functions.h"

/** [lo, hi]; torn: lanes in which the value may leap inside the box, so that its rate does not bound its change. */
typedef struct {
  sal_v lo, hi;
  sal_m torn;
} sal_interval;

SAL_INLINE sal_interval sal_interval_of(sal_v lo, sal_v hi)
{
  return (sal_interval){lo, hi, sal_none()};
}
SAL_INLINE sal_interval sal_interval_at(sal_v x) { return sal_interval_of(x, x); }

SAL_INLINE sal_interval sal_interval_widen(sal_v lo, sal_v hi, sal_v by_lo, sal_v by_hi, sal_m torn)
{
  const sal_v a = lo - by_lo, b = hi + by_hi;

  return (sal_interval){sal_sel(sal_eq(a, a), a, sal_set(-INFINITY)),
                        sal_sel(sal_eq(b, b), b, sal_set(INFINITY)), torn};
}

/** The computed bounds lo, hi, widened; infinite where they are NaN. */
SAL_INLINE sal_interval sal_interval_round(sal_v lo, sal_v hi, sal_m torn)
{
  return sal_interval_widen(lo, hi, 4.0 * sal_lane_spacing(lo), 4.0 * sal_lane_spacing(hi), torn);
}

/** The hull of four computed values; unbounded where one of them is NaN, and in the lanes of `all`. */
SAL_INLINE sal_interval sal_interval_hull(const sal_v x[4], sal_m all, sal_m torn)
{
  const sal_m lost = all | sal_lane_is_nan((x[0] + x[1]) + (x[2] + x[3]));
  const sal_v lo = sal_min(sal_min(x[0], x[1]), sal_min(x[2], x[3]));
  const sal_v hi = sal_max(sal_max(x[0], x[1]), sal_max(x[2], x[3]));

  return sal_interval_round(sal_sel(lost, sal_set(NAN), lo), sal_sel(lost, sal_set(NAN), hi),
                            torn | all);
}

SAL_INLINE sal_m sal_interval_has_zero(sal_interval a)
{
  return sal_le(a.lo, sal_set(0)) & sal_ge(a.hi, sal_set(0));
}

/* ---- arithmetic ---- */

SAL_INLINE sal_interval sal_interval_add(sal_interval a, sal_interval b)
{
  return sal_interval_round(a.lo + b.lo, a.hi + b.hi, a.torn | b.torn);
}

SAL_INLINE sal_interval sal_interval_sub(sal_interval a, sal_interval b)
{
  return sal_interval_round(a.lo - b.hi, a.hi - b.lo, a.torn | b.torn);
}

/** same: both operands are one value, whose square is not below 0. */
SAL_INLINE sal_interval sal_interval_mul(sal_interval a, sal_interval b, bool same)
{
  const sal_v x[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  sal_interval c = sal_interval_hull(x, sal_none(), a.torn | b.torn);

  if (same) c.lo = sal_max(c.lo, sal_set(0));
  return c;
}

SAL_INLINE sal_interval sal_interval_div(sal_interval a, sal_interval b)
{
  const sal_v x[] = {a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi};

  return sal_interval_hull(x, sal_interval_has_zero(b), a.torn | b.torn);
}

SAL_INLINE sal_interval sal_interval_neg(sal_interval a)
{
  return (sal_interval){-a.hi, -a.lo, a.torn};
}

SAL_INLINE sal_interval sal_interval_abs(sal_interval a)
{
  return (sal_interval){sal_max(sal_max(a.lo, -a.hi), sal_set(0)), sal_max(-a.lo, a.hi), a.torn};
}

SAL_INLINE sal_interval sal_interval_min(sal_interval a, sal_interval b)
{
  return (sal_interval){sal_min(a.lo, b.lo), sal_min(a.hi, b.hi), a.torn | b.torn};
}

SAL_INLINE sal_interval sal_interval_max(sal_interval a, sal_interval b)
{
  return (sal_interval){sal_max(a.lo, b.lo), sal_max(a.hi, b.hi), a.torn | b.torn};
}

SAL_INLINE sal_interval sal_interval_floor(sal_interval a)
{
  const sal_v lo = sal_lane_floor(a.lo), hi = sal_lane_floor(a.hi);

  return (sal_interval){lo, hi, a.torn | sal_lt(lo, hi)};
}

/** The result of sal_flow.range for contact k: the rate of a gap that may leap is unbounded. */
SAL_INLINE void sal_interval_put(int k, sal_interval gap, sal_interval rate, sal_v gap0[],
                                 sal_v gap1[], sal_v rate0[], sal_v rate1[])
{
  gap0[k] = gap.lo;
  gap1[k] = gap.hi;
  rate0[k] = sal_sel(gap.torn, sal_set(-INFINITY), rate.lo);
  rate1[k] = sal_sel(gap.torn, sal_set(INFINITY), rate.hi);
}

/* ---- masks ---- */

SAL_INLINE sal_interval sal_interval_mask(sal_m surely, sal_m possibly)
{
  return sal_interval_of(sal_from_bits(surely), sal_from_bits(possibly));
}

SAL_INLINE sal_interval sal_interval_known(sal_m m) { return sal_interval_mask(m, m); }

#define SAL_INTERVAL_ORDER(op)                                                                     \
  SAL_INLINE sal_interval sal_interval_##op(sal_interval a, sal_interval b)                        \
  {                                                                                                \
    return sal_interval_mask(sal_##op(a.hi, b.lo), sal_##op(a.lo, b.hi));                          \
  }
SAL_INTERVAL_ORDER(lt)
SAL_INTERVAL_ORDER(le)
#undef SAL_INTERVAL_ORDER

SAL_INLINE sal_interval sal_interval_eq(sal_interval a, sal_interval b)
{
  return sal_interval_mask(sal_eq(a.lo, a.hi) & sal_eq(b.lo, b.hi) & sal_eq(a.lo, b.lo),
                           sal_le(a.lo, b.hi) & sal_le(b.lo, a.hi));
}

SAL_INLINE sal_interval sal_interval_and(sal_interval a, sal_interval b)
{
  return sal_interval_mask(sal_bits(a.lo) & sal_bits(b.lo), sal_bits(a.hi) & sal_bits(b.hi));
}

SAL_INLINE sal_interval sal_interval_or(sal_interval a, sal_interval b)
{
  return sal_interval_mask(sal_bits(a.lo) | sal_bits(b.lo), sal_bits(a.hi) | sal_bits(b.hi));
}

SAL_INLINE sal_interval sal_interval_not(sal_interval a)
{
  return sal_interval_mask(~sal_bits(a.hi), ~sal_bits(a.lo));
}

/** Where the mask is undecided, both values and all between them. */
SAL_INLINE sal_interval sal_interval_select(sal_interval mask, sal_interval a, sal_interval b)
{
  const sal_m yes = sal_bits(mask.lo), no = ~sal_bits(mask.hi);

  return (sal_interval){sal_sel(yes, a.lo, sal_sel(no, b.lo, sal_min(a.lo, b.lo))),
                        sal_sel(yes, a.hi, sal_sel(no, b.hi, sal_max(a.hi, b.hi))),
                        (~no & a.torn) | (~yes & b.torn) | ~(yes | no)};
}

/* ---- functions that rise ---- */

/* f, where it has values from `first` to `last` alone */
#define SAL_INTERVAL_RISING(name, f, first, last)                                                  \
  SAL_INLINE sal_interval sal_interval_##name(sal_interval a)                                      \
  {                                                                                                \
    return sal_interval_round(f(sal_max(a.lo, sal_set(first))), f(sal_min(a.hi, sal_set(last))),   \
                              a.torn);                                                             \
  }
SAL_INTERVAL_RISING(atan, sal_lane_atan, -INFINITY, INFINITY)
SAL_INTERVAL_RISING(sinh, sal_lane_sinh, -INFINITY, INFINITY)
SAL_INTERVAL_RISING(tanh, sal_lane_tanh, -INFINITY, INFINITY)
SAL_INTERVAL_RISING(exp, sal_lane_exp_any, -INFINITY, INFINITY)
SAL_INTERVAL_RISING(sqrt, sal_sqrt, 0, INFINITY)
SAL_INTERVAL_RISING(log, sal_lane_log_any, 0, INFINITY)
SAL_INTERVAL_RISING(asin, sal_lane_asin, -1, 1)
SAL_INTERVAL_RISING(cosh_of_size, sal_lane_cosh, 0, INFINITY)
SAL_INTERVAL_RISING(spacing_of_size, sal_lane_spacing, 0, INFINITY)
#undef SAL_INTERVAL_RISING

SAL_INLINE sal_interval sal_interval_acos(sal_interval a)
{
  return sal_interval_round(sal_lane_acos(sal_min(a.hi, sal_set(1))),
                            sal_lane_acos(sal_max(a.lo, sal_set(-1))), a.torn);
}

SAL_INLINE sal_interval sal_interval_cosh(sal_interval a)
{
  return sal_interval_cosh_of_size(sal_interval_abs(a));
}

SAL_INLINE sal_interval sal_interval_spacing(sal_interval a)
{
  sal_interval c = sal_interval_spacing_of_size(sal_interval_abs(a));

  c.torn |= ~sal_eq(c.lo, c.hi);
  return c;
}

/* ---- circular functions ---- */

/** Do both ends lie where circular functions have values? */
SAL_INLINE sal_m sal_interval_turns(sal_interval a)
{
  return sal_ge(a.lo, sal_set(-1e5)) & sal_le(a.hi, sal_set(1e5));
}

/** May one of the points offset + k period, k whole, lie in a, whose ends lie within 1e5? */
SAL_INLINE sal_m sal_interval_passes(sal_interval a, double offset, double period)
{
  const sal_m in = sal_interval_turns(a);
  const sal_v from = sal_sel(in, (a.lo - offset) / period, sal_set(0));
  const sal_v to = sal_sel(in, (a.hi - offset) / period, sal_set(0));
  const sal_v slack = 0x1p-49 * (1.0 + sal_max(sal_abs(from), sal_abs(to)));

  return ~in | sal_gt(sal_lane_floor(to + slack), sal_lane_floor(from - slack));
}

/** A wave of sines with values lo, hi at the ends of a and maxima at top + 2 pi k. */
SAL_INLINE sal_interval sal_interval_wave(sal_interval a, sal_v lo, sal_v hi, double top, sal_v pad)
{
  const double half = 2 * SAL_LANE_PIO2_HI;
  const sal_v most = sal_sel(sal_interval_passes(a, top, 2 * half), sal_set(1), sal_max(lo, hi));
  const sal_v least =
      sal_sel(sal_interval_passes(a, top - half, 2 * half), sal_set(-1), sal_min(lo, hi));

  return sal_interval_widen(least, most, pad, pad, a.torn);
}

/** sin and cos are right in absolute terms, and sin near 0 in relative ones. */
SAL_INLINE sal_interval sal_interval_sin(sal_interval a)
{
  const sal_v size = sal_min(sal_max(sal_abs(a.lo), sal_abs(a.hi)), sal_set(1));

  return sal_interval_wave(a, sal_lane_sin(a.lo), sal_lane_sin(a.hi), SAL_LANE_PIO2_HI,
                           0x1p-50 * size);
}

SAL_INLINE sal_interval sal_interval_cos(sal_interval a)
{
  return sal_interval_wave(a, sal_lane_cos(a.lo), sal_lane_cos(a.hi), 0, sal_set(0x1p-50));
}

SAL_INLINE sal_interval sal_interval_tan(sal_interval a)
{
  const sal_m pole = sal_interval_passes(a, SAL_LANE_PIO2_HI, 2 * SAL_LANE_PIO2_HI);
  const sal_v lo = sal_lane_tan(a.lo), hi = sal_lane_tan(a.hi), x[] = {lo, hi, lo, hi};

  return sal_interval_hull(x, pole, a.torn);
}

/** The angle rises or falls along each edge of a box; one that reaches the cut x <= 0, y = 0 has all of them. */
SAL_INLINE sal_interval sal_interval_atan2(sal_interval y, sal_interval x)
{
  const sal_m cut = sal_interval_has_zero(y) & sal_le(x.lo, sal_set(0));
  const sal_v pi = sal_set(2 * SAL_LANE_PIO2_HI);
  const sal_v corner[] = {sal_lane_atan2(y.lo, x.lo), sal_lane_atan2(y.lo, x.hi),
                          sal_lane_atan2(y.hi, x.lo), sal_lane_atan2(y.hi, x.hi)};
  const sal_interval a = sal_interval_hull(corner, cut, y.torn | x.torn);

  return (sal_interval){sal_max(a.lo, -pi), sal_min(a.hi, pi), a.torn};
}

/* ---- powers ---- */

SAL_INLINE sal_m sal_interval_is_whole(sal_v x)
{
  const sal_v a = sal_abs(x);

  return sal_ge(a, sal_set(0x1p52)) | sal_eq((a + 0x1p52) - 0x1p52, a);
}

/** a^b rises or falls along each edge of a box of bases above 0.  With a base below 0 it has values for one
 *  whole exponent: even powers are those of |a|, and odd ones rise, or fall on both sides of a pole. */
SAL_INLINE sal_interval sal_interval_pow(sal_interval a, sal_interval b)
{
  const sal_m one = sal_eq(b.lo, b.hi), whole = one & sal_interval_is_whole(b.lo);
  const sal_m even = whole & sal_interval_is_whole(0.5 * b.lo), below = sal_lt(a.lo, sal_set(0));
  const sal_m pole = whole & ~even & sal_lt(b.lo, sal_set(0)) & sal_interval_has_zero(a);
  const sal_interval size = sal_interval_abs(a);
  const sal_v lo = sal_sel(whole, a.lo, sal_max(a.lo, sal_set(0)));
  const sal_v from = sal_sel(even, size.lo, lo), to = sal_sel(even, size.hi, a.hi);
  const sal_v x[] = {sal_lane_power(from, b.lo), sal_lane_power(from, b.hi),
                     sal_lane_power(to, b.lo), sal_lane_power(to, b.hi)};

  return sal_interval_hull(x, pole | (below & ~one), a.torn | b.torn);
}
