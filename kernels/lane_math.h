/** The elementary functions kernels need beyond sqrt, one source for every width.
 *
 *  libm and libmvec differ in the last bits from version to version and from width to width;
 *  these do not.  Accuracy: within 2 ulp for log and exp on the ranges below, within
 *  2e-15 relative for the powers of step controllers (1e-13 at the far ends of the range), 2e-16
 *  absolute for sin and cos up to 1e5.
 *  Method: argument reduction and the minimax polynomials of fdlibm (Sun Microsystems, 1993,
 *  freely distributable), without contraction.
 */
#pragma once

#include "lane.h"

/** Spacing of doubles at |x| (MATLAB's eps(x)); 0 at x = 0 and for subnormal x. */
SAL_INLINE sal_v sal_lane_spacing(sal_v x)
{
  return sal_from_bits(sal_bits(x) & INT64_C(0x7ff0000000000000)) * 0x1p-52;
}

/** Natural logarithm of 2^shift x, x positive and normal. */
SAL_INLINE sal_v sal_lane_log_scaled(sal_v x, sal_m shift)
{
  /* x = 2^k m with m in [sqrt(1/2), sqrt(2)) */
  const sal_m bits = sal_bits(x);
  sal_m k = (bits >> 52) - 1023 + shift;
  sal_v m = sal_from_bits((bits & INT64_C(0x000fffffffffffff)) | INT64_C(0x3ff0000000000000));
  const sal_m high = sal_gt(m, sal_set(1.4142135623730951));
  m = sal_sel(high, 0.5 * m, m);
  k = k - high; /* a set mask is -1 */

  /* even and odd powers apart, for a shorter chain of dependent operations */
  const sal_v f = m - 1.0, s = f / (2.0 + f), z = s * s, w = z * z, half = 0.5 * f * f;
  const sal_v even = w * (3.999999999940941908e-01 +
                          w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const sal_v odd = z * (6.666666666666735130e-01 +
                         w * (2.857142874366239149e-01 +
                              w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const sal_v r = even + odd;
  const sal_v e = sal_to_double(k);
  return e * 6.93147180369123816490e-01 -
         ((half - (s * (half + r) + e * 1.90821492927058770002e-10)) - f);
}

/** Natural logarithm of a positive, normal x. */
SAL_INLINE sal_v sal_lane_log(sal_v x) { return sal_lane_log_scaled(x, sal_none()); }

/** e^x for |x| <= 700. */
SAL_INLINE sal_v sal_lane_exp(sal_v x)
{
  const sal_v scaled = x * 1.44269504088896338700;
  const sal_m k =
      sal_to_int(scaled + sal_sel(sal_lt(scaled, sal_set(0)), sal_set(-0.5), sal_set(0.5)));
  const sal_v kd = sal_to_double(k);
  const sal_v hi = x - kd * 6.93147180369123816490e-01, lo = kd * 1.90821492927058770002e-10;
  const sal_v r = hi - lo, z = r * r;
  const sal_v w = z * z;
  const sal_v even = 1.66666666666666019037e-01 +
                     w * (6.61375632143793436117e-05 + w * 4.13813679705723846039e-08);
  const sal_v odd = -2.77777777770155933842e-03 + w * -1.65339022054652515390e-06;
  const sal_v c = r - z * (even + z * odd);
  const sal_v y = 1.0 - ((lo - (r * c) / (2.0 - c)) - hi);
  return y * sal_from_bits((k + 1023) << 52);
}

/** x^p for x >= 0; 0 for x below 1e-300, infinite and NaN x give NaN or infinity. */
SAL_INLINE sal_v sal_lane_pow_by(sal_v x, sal_v p)
{
  const sal_m tiny = sal_lt(x, sal_set(1e-300)), odd = ~sal_lt(x, sal_set(1e300));
  const sal_v safe = sal_sel(tiny | odd, sal_set(1.0), x);
  const sal_v y = sal_lane_exp(p * sal_lane_log(safe));
  return sal_sel(tiny, sal_set(0.0), sal_sel(odd, x, y));
}

/** The same with a common p. */
SAL_INLINE sal_v sal_lane_pow(sal_v x, double p) { return sal_lane_pow_by(x, sal_set(p)); }

/** x^p to 2e-7 relative for x >= 0 and 0 < p <= 1: enough for the size of a step, at a third of the
 *  time of sal_lane_pow.  0 for x below 1e-300; infinite and NaN x give NaN or infinity.
 *  2^(p log2 x), both by minimax polynomials: of log2(1 + f) / f on [2^-1/2, 2^1/2] - 1 and of
 *  2^r on [-1/2, 1/2]. */
SAL_INLINE sal_v sal_lane_rough_pow(sal_v x, double p)
{
  const sal_m bits = sal_bits(x);
  const sal_m power_of_2 = (bits - INT64_C(0x3fe6a09e667f3bcd)) & ~INT64_C(0xfffffffffffff);
  const sal_m k = power_of_2 >> 52;
  const sal_v f = sal_from_bits(bits - power_of_2) - 1.0, ff = f * f;
  const sal_v low = (1.4426949223806904 + f * -0.721352487376688) +
                    ff * (0.48093116200472286 + f * -0.3602634612920604);
  const sal_v high = (0.28686888056760695 + f * -0.2483228237981624) +
                     ff * (0.23570960473498279 + f * -0.14973318373087818);
  const sal_v y = p * (sal_to_double(k) + f * (low + (ff * ff) * high));

  /* adding 3 2^51 rounds to a whole number and leaves it in the lowest bits */
  const sal_v shifted = y + 0x1.8p52, r = y - (shifted - 0x1.8p52), rr = r * r;
  const sal_v part = (1.0000000754895737 + r * 0.6931472254083328) +
                     rr * ((0.24022107374319313 + r * 0.05550297298376955) +
                           rr * (0.00967603635829942 + r * 0.0013410005150472069));
  const sal_v whole = sal_from_bits(((sal_bits(shifted) + 1023) & 0x7ff) << 52);
  const sal_v power = sal_sel(sal_lt(x, sal_set(1e-300)), sal_set(0), part * whole);
  return sal_sel(sal_lt(x, sal_set(1e300)), power, x);
}

/** sin and cos of x together, |x| <= 1e5; NaN beyond, where integers would not be exact. */
SAL_INLINE void sal_lane_sincos(sal_v x, sal_v *sine, sal_v *cosine)
{
  const sal_m in = sal_le(sal_abs(x), sal_set(1e5));
  const sal_v turns = sal_sel(in, x, sal_set(0)) * 6.36619772367581382433e-01;
  const sal_m q =
      sal_to_int(turns + sal_sel(sal_lt(turns, sal_set(0)), sal_set(-0.5), sal_set(0.5)));
  const sal_v qd = sal_to_double(q);
  const sal_v r = ((x - qd * 1.57079632673412561417e+00) - qd * 6.07710050630396597660e-11) -
                  qd * 2.02226624879595063154e-21;
  const sal_v z = r * r;
  const sal_v s =
      r + r * z *
              (-1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 +
                    z * (-1.98412698298579493134e-04 +
                         z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 +
                                                                z * 1.58969099521155010221e-10)))));
  const sal_v c =
      1.0 - 0.5 * z +
      z * z *
          (4.16666666666666019037e-02 +
           z * (-1.38888888888741095749e-03 +
                z * (2.48015872894767294178e-05 +
                     z * (-2.75573143513906633035e-07 +
                          z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const sal_m swap = SAL_MASK((q & 1) != 0), minus_s = SAL_MASK((q & 2) != 0),
              minus_c = SAL_MASK(((q + 1) & 2) != 0);
  const sal_v a = sal_sel(swap, c, s), b = sal_sel(swap, s, c);
  *sine = sal_sel(in, sal_sel(minus_s, -a, a), sal_set(NAN));
  *cosine = sal_sel(in, sal_sel(minus_c, -b, b), sal_set(NAN));
}
