/** The elementary functions that a model's text may use, over the whole range of doubles: within 2 ulp, the
 *  same bits at every width.  sin, cos and tan are NaN beyond 1e5, as sal_lane_sincos is.
 *
 *  Methods and coefficients are those of fdlibm (Sun Microsystems, 1993, freely distributable), with all
 *  cases computed and one selected; x^y goes by the logarithm in two doubles (Dekker, Numer. Math. 18,
 *  1971), since the exponent has to be known to 1e-19 of itself.
 */
#pragma once

#include "lane_math.h"

#define SAL_LANE_LN2_HI 6.93147180369123816490e-01
#define SAL_LANE_LN2_LO 1.90821492927058770002e-10
#define SAL_LANE_PIO2_HI 1.57079632679489655800e+00
#define SAL_LANE_PIO2_LO 6.12323399573676603587e-17

SAL_INLINE sal_m sal_lane_is_nan(sal_v x) { return ~sal_eq(x, x); }

/** With the sign of s. */
SAL_INLINE sal_v sal_lane_signed(sal_v x, sal_v s)
{
  return sal_from_bits((sal_bits(x) & INT64_MAX) | (sal_bits(s) & INT64_MIN));
}

/** The upper half of the bits. */
SAL_INLINE sal_v sal_lane_upper(sal_v x)
{
  return sal_from_bits(sal_bits(x) & ~INT64_C(0xffffffff));
}

/** 2^k for -1022 <= k <= 1023. */
SAL_INLINE sal_v sal_lane_two_to(sal_m k) { return sal_from_bits((k + 1023) << 52); }

/** x 2^k for |k| <= 2000, rounded once. */
SAL_INLINE sal_v sal_lane_scaled(sal_v x, sal_m k)
{
  const sal_m half = k >> 1;

  return x * sal_lane_two_to(half) * sal_lane_two_to(k - half);
}

/** The whole number nearest to x, |x| < 2^50. */
SAL_INLINE sal_m sal_lane_nearest(sal_v x)
{
  return sal_to_int(x + sal_sel(sal_lt(x, sal_set(0)), sal_set(-0.5), sal_set(0.5)));
}

/** The largest whole number that is not above x. */
SAL_INLINE sal_v sal_lane_floor(sal_v x)
{
  const sal_v size = sal_abs(x), near = (size + 0x1p52) - 0x1p52;
  const sal_v whole = sal_sel(sal_lt(x, sal_set(0)), -near, near);
  const sal_v low = sal_sel(sal_gt(whole, x), whole - 1.0, whole);

  return sal_sel(sal_lt(size, sal_set(0x1p52)), low, x);
}

/* ---- exponentials and logarithms ---- */

/** 2^shift e^x, for the largest x that is finite then. */
SAL_INLINE sal_v sal_lane_exp_shifted(sal_v x, int shift, double largest)
{
  const sal_m over = sal_gt(x, sal_set(largest)),
              under = sal_lt(x, sal_set(-745.13321910194110842));
  const sal_v safe = sal_sel(over | under | sal_lane_is_nan(x), sal_set(0), x);
  const sal_m k = sal_lane_nearest(safe * 1.44269504088896338700);
  const sal_v kd = sal_to_double(k);
  const sal_v hi = safe - kd * SAL_LANE_LN2_HI, lo = kd * SAL_LANE_LN2_LO;
  const sal_v r = hi - lo, z = r * r, w = z * z;
  const sal_v even = 1.66666666666666019037e-01 +
                     w * (6.61375632143793436117e-05 + w * 4.13813679705723846039e-08);
  const sal_v odd = -2.77777777770155933842e-03 + w * -1.65339022054652515390e-06;
  const sal_v c = r - z * (even + z * odd);
  const sal_v y = sal_lane_scaled(1.0 - ((lo - (r * c) / (2.0 - c)) - hi), k + shift);

  return sal_sel(sal_lane_is_nan(x), x,
                 sal_sel(over, sal_set(INFINITY), sal_sel(under, sal_set(0), y)));
}

SAL_INLINE sal_v sal_lane_exp_any(sal_v x)
{
  return sal_lane_exp_shifted(x, 0, 709.782712893383973096);
}

/** e^x / 2, whose end is that of sinh and cosh. */
SAL_INLINE sal_v sal_lane_half_exp(sal_v x)
{
  return sal_lane_exp_shifted(x, -1, 710.4758600739439);
}

/** e^x - 1 for |x| <= 50. */
SAL_INLINE sal_v sal_lane_expm1(sal_v x)
{
  const sal_m k = sal_lane_nearest(x * 1.44269504088896338700);
  const sal_v kd = sal_to_double(k);
  const sal_v hi = x - kd * SAL_LANE_LN2_HI, lo = kd * SAL_LANE_LN2_LO;
  const sal_v r = hi - lo, c = (hi - r) - lo, half = 0.5 * r, hxs = r * half;
  const sal_v r1 = 1.0 + hxs * (-3.33333333333331316428e-02 +
                                hxs * (1.58730158725481460165e-03 +
                                       hxs * (-7.93650757867487942473e-05 +
                                              hxs * (4.00821782732936239552e-06 +
                                                     hxs * -2.01099218183624371326e-07))));
  const sal_v t = 3.0 - r1 * half, e0 = hxs * ((r1 - t) / (6.0 - r * t));
  const sal_v none = r - (r * e0 - hxs);
  const sal_v e = (r * (e0 - c) - c) - hxs;
  const sal_v two_k = sal_lane_two_to(k), two_mk = sal_lane_two_to(-k);
  const sal_v minus_1 = 0.5 * (r - e) - 0.5;
  const sal_v plus_1 =
      sal_sel(sal_lt(r, sal_set(-0.25)), -2.0 * (e - (r + 0.5)), 1.0 + 2.0 * (r - e));
  const sal_v low = ((1.0 - (e - r)) * two_k) - 1.0;
  const sal_v mid = ((1.0 - two_mk) - (e - r)) * two_k;
  const sal_v high = ((r - (e + two_mk)) + 1.0) * two_k;
  sal_v y = sal_sel(sal_lt(kd, sal_set(20)), mid, high);

  y = sal_sel(sal_le(kd, sal_set(-2)), low, y);
  y = sal_sel(sal_eq(kd, sal_set(1)), plus_1, y);
  y = sal_sel(sal_eq(kd, sal_set(-1)), minus_1, y);
  return sal_sel(sal_eq(kd, sal_set(0)), none, y);
}

SAL_INLINE sal_v sal_lane_log_any(sal_v x)
{
  const sal_m tiny = sal_lt(x, sal_set(0x1p-1022)), zero = sal_eq(x, sal_set(0)),
              wrong = sal_lt(x, sal_set(0)) | sal_lane_is_nan(x),
              endless = sal_eq(x, sal_set(INFINITY));
  const sal_v normal = sal_sel(tiny, x * 0x1p54, x);
  const sal_v safe = sal_sel(zero | wrong | endless, sal_set(1), normal);
  const sal_v y = sal_lane_log_scaled(safe, tiny & -54);

  return sal_sel(wrong, sal_set(NAN), sal_sel(zero, sal_set(-INFINITY), sal_sel(endless, x, y)));
}

/** Two doubles whose sum is a number. */
typedef struct {
  sal_v hi, lo;
} sal_lane_pair;

/** a + b exactly. */
SAL_INLINE sal_lane_pair sal_lane_two_sum(sal_v a, sal_v b)
{
  const sal_v s = a + b, back = s - a;

  return (sal_lane_pair){s, (a - (s - back)) + (b - back)};
}

/** a b exactly, |a|, |b| < 1e290. */
SAL_INLINE sal_lane_pair sal_lane_two_product(sal_v a, sal_v b)
{
  const sal_v p = a * b, sa = 134217729.0 * a, sb = 134217729.0 * b;
  const sal_v ah = sa - (sa - a), bh = sb - (sb - b), al = a - ah, bl = b - bh;

  return (sal_lane_pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

SAL_INLINE sal_lane_pair sal_lane_pair_times(sal_lane_pair a, sal_lane_pair b)
{
  const sal_lane_pair p = sal_lane_two_product(a.hi, b.hi);

  return sal_lane_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/** log x of a positive, finite x.  With x = 2^k m it is k ln 2 + 2 atanh s, s = (m - 1) / (m + 1), and of
 *  2 (s + s^3 / 3 + s^5 / 5 + ..) the first two terms need more than a double. */
SAL_INLINE sal_lane_pair sal_lane_log_pair(sal_v x)
{
  const sal_m tiny = sal_lt(x, sal_set(0x1p-1022));
  const sal_m bits = sal_bits(sal_sel(tiny, x * 0x1p54, x));
  sal_m k = (bits >> 52) - 1023 + (tiny & -54);
  sal_v m = sal_from_bits((bits & INT64_C(0x000fffffffffffff)) | INT64_C(0x3ff0000000000000));
  const sal_m high = sal_gt(m, sal_set(1.4142135623730951));
  m = sal_sel(high, 0.5 * m, m);
  k = k - high;

  const sal_v f = m - 1.0;
  const sal_lane_pair d = sal_lane_two_sum(sal_set(2), f);
  const sal_v s0 = f / d.hi;
  const sal_lane_pair back = sal_lane_two_product(s0, d.hi);
  const sal_lane_pair s = {s0, (((f - back.hi) - back.lo) - s0 * d.lo) / d.hi};
  const sal_lane_pair z = sal_lane_pair_times(s, s);
  const sal_lane_pair third = {sal_set(0x1.5555555555555p-1), sal_set(0x1.5555555555555p-55)};
  const sal_lane_pair cubic = sal_lane_pair_times(sal_lane_pair_times(s, z), third);
  const sal_v w = z.hi;
  sal_v t = sal_set(2.0 / 25);
  for (int j = 23; j >= 5; j -= 2) t = 2.0 / j + w * t;
  const sal_v tail = (s.hi * w) * w * t;

  const sal_v kd = sal_to_double(k);
  const sal_lane_pair a = sal_lane_two_sum(kd * SAL_LANE_LN2_HI, 2.0 * s.hi);
  const sal_lane_pair b = sal_lane_two_sum(a.hi, cubic.hi);
  const sal_v low = tail + (((cubic.lo + 2.0 * s.lo) + kd * SAL_LANE_LN2_LO) + (a.lo + b.lo));
  return sal_lane_two_sum(b.hi, low);
}

/** x^y as IEEE 754 has it: of x < 0 for whole y alone. */
SAL_INLINE sal_v sal_lane_power(sal_v x, sal_v y)
{
  const sal_v zero = sal_set(0), one = sal_set(1), inf = sal_set(INFINITY);
  const sal_v base = sal_abs(x), most = sal_abs(y), half = 0.5 * most;
  const sal_m whole = sal_ge(most, sal_set(0x1p52)) | sal_eq((most + 0x1p52) - 0x1p52, most);
  const sal_m odd = whole & sal_lt(most, sal_set(0x1p53)) &
                    ~(sal_ge(half, sal_set(0x1p52)) | sal_eq((half + 0x1p52) - 0x1p52, half));
  const sal_m ends =
      sal_eq(base, zero) | sal_eq(base, inf) | sal_lane_is_nan(x) | sal_lane_is_nan(y);
  const sal_lane_pair l = sal_lane_log_pair(sal_sel(ends, one, base));
  const sal_v by =
      sal_sel(sal_lane_is_nan(y), zero, sal_lane_signed(sal_min(most, sal_set(1e20)), y));
  const sal_lane_pair p = sal_lane_two_product(by, l.hi);
  const sal_v e = sal_lane_exp_any(p.hi);
  const sal_m finite = sal_lt(e, inf) & sal_gt(e, zero);
  sal_v r = sal_sel(finite, e + e * (p.lo + by * l.lo), e);

  r = sal_sel(sal_eq(base, zero), sal_sel(sal_lt(y, zero), inf, zero), r);
  r = sal_sel(sal_eq(base, inf), sal_sel(sal_lt(y, zero), zero, inf), r);
  r = sal_sel(SAL_MASK(sal_bits(x) < 0) & odd, -r, r);
  r = sal_sel(sal_lt(x, zero) & ~whole & ~sal_eq(base, inf), sal_set(NAN), r);
  r = sal_sel(sal_lane_is_nan(x) | sal_lane_is_nan(y), sal_set(NAN), r);
  return sal_sel(sal_eq(y, zero) | sal_eq(x, one), one, r);
}

SAL_INLINE sal_v sal_lane_sinh(sal_v x)
{
  const sal_v a = sal_abs(x), t = sal_lane_expm1(sal_min(a, sal_set(22)));
  const sal_v near = 2.0 * t - t * t / (t + 1.0), mid = t + t / (t + 1.0);
  const sal_v low = 0.5 * sal_sel(sal_lt(a, sal_set(1)), near, mid);
  const sal_v y = sal_sel(sal_lt(a, sal_set(22)), low, sal_lane_half_exp(a));

  return sal_sel(sal_lane_is_nan(x), x, sal_lane_signed(y, x));
}

SAL_INLINE sal_v sal_lane_cosh(sal_v x)
{
  const sal_v a = sal_abs(x), t = sal_lane_expm1(sal_min(a, sal_set(0.5))), w = 1.0 + t;
  const sal_v half = sal_lane_half_exp(a);

  return sal_sel(sal_lt(a, sal_set(0.34657359027997264)), 1.0 + (t * t) / (w + w),
                 half + 0.25 / half);
}

SAL_INLINE sal_v sal_lane_tanh(sal_v x)
{
  const sal_v a = sal_min(sal_abs(x), sal_set(22));
  const sal_m large = sal_ge(a, sal_set(1));
  const sal_v t = sal_lane_expm1(sal_sel(large, 2.0 * a, -2.0 * a));
  const sal_v y = sal_sel(large, 1.0 - 2.0 / (t + 2.0), -t / (t + 2.0));

  return sal_sel(sal_lane_is_nan(x), x, sal_lane_signed(y, x));
}

/* ---- circular functions ---- */

/** sin or cos of x, |x| <= 1e5; NaN beyond. */
SAL_INLINE sal_v sal_lane_sin(sal_v x)
{
  sal_v s, c;

  sal_lane_sincos(x, &s, &c);
  return s;
}

SAL_INLINE sal_v sal_lane_cos(sal_v x)
{
  sal_v s, c;

  sal_lane_sincos(x, &s, &c);
  return c;
}

/** tan x, |x| <= 1e5; NaN beyond. */
SAL_INLINE sal_v sal_lane_tan(sal_v x)
{
  const sal_m in = sal_le(sal_abs(x), sal_set(1e5));
  const sal_v safe = sal_sel(in, x, sal_set(0));
  const sal_m q = sal_lane_nearest(safe * 6.36619772367581382433e-01);
  const sal_v qd = sal_to_double(q);

  /* what is left of whole quarters of a turn, in two doubles */
  const sal_lane_pair first =
      sal_lane_two_sum(safe - qd * 1.57079632673412561417e+00, -qd * 6.07710050630396597660e-11);
  const sal_lane_pair rest = sal_lane_two_sum(first.hi, first.lo - qd * 2.02226624879595063154e-21);

  const sal_m big = sal_ge(sal_abs(rest.hi), sal_set(0.67434));
  const sal_m below = sal_lt(rest.hi, sal_set(0));
  const sal_v turned = sal_sel(below, -rest.hi, rest.hi), tail = sal_sel(below, -rest.lo, rest.lo);
  const sal_v r0 = sal_sel(
      big, (7.85398163397448278999e-01 - turned) + (3.06161699786838301793e-17 - tail), rest.hi);
  const sal_v r1 = sal_sel(big, sal_set(0), rest.lo);
  const sal_v z = r0 * r0, w = z * z;
  const sal_v even =
      1.33333333333201242699e-01 +
      w * (2.18694882948595424599e-02 +
           w * (3.59207910759131235356e-03 +
                w * (5.88041240820264096874e-04 +
                     w * (7.81794442939557092300e-05 + w * -1.85586374855275456654e-05))));
  const sal_v odd =
      z * (5.39682539762260521377e-02 +
           w * (8.86323982359930005737e-03 +
                w * (1.45620945432529025516e-03 +
                     w * (2.46463134818469906812e-04 +
                          w * (7.14072491382608190305e-05 + w * 2.59073051863633712884e-05)))));
  const sal_v s = z * r0;
  const sal_v r = (r1 + z * (s * (even + odd) + r1)) + 3.33333333333334091986e-01 * s;
  const sal_v y = r0 + r;

  const sal_m swaps = SAL_MASK((q & 1) != 0);
  const sal_v unit = sal_sel(swaps, sal_set(-1), sal_set(1));
  const sal_v large = unit - 2.0 * (r0 - (y * y / (y + unit) - r));
  const sal_v upper = sal_lane_upper(y), v = r - (upper - r0), a = -1.0 / y, t = sal_lane_upper(a);
  const sal_v inverse = t + a * ((1.0 + t * upper) + t * v);
  const sal_v plain = sal_sel(swaps, inverse, y);
  const sal_v result = sal_sel(big, sal_sel(below, -large, large), plain);
  return sal_sel(in, sal_sel(sal_eq(x, sal_set(0)), x, result), sal_set(NAN));
}

SAL_INLINE sal_v sal_lane_atan(sal_v x)
{
  const sal_v a = sal_abs(x), zero = sal_set(0), one = sal_set(1);
  const sal_m from1 = sal_ge(a, sal_set(0.4375)), from2 = sal_ge(a, sal_set(0.6875)),
              from3 = sal_ge(a, sal_set(1.1875)), from4 = sal_ge(a, sal_set(2.4375));
#define SAL_LANE_STEP(v0, v1, v2, v3, v4)                                                          \
  sal_sel(from4, v4, sal_sel(from3, v3, sal_sel(from2, v2, sal_sel(from1, v1, v0))))
  const sal_v above = SAL_LANE_STEP(a, 2.0 * a - 1.0, a - 1.0, a - 1.5, -one);
  const sal_v below = SAL_LANE_STEP(one, 2.0 + a, a + 1.0, 1.0 + 1.5 * a, a);
  const sal_v hi =
      SAL_LANE_STEP(zero, sal_set(4.63647609000806093515e-01), sal_set(7.85398163397448278999e-01),
                    sal_set(9.82793723247329054082e-01), sal_set(SAL_LANE_PIO2_HI));
  const sal_v lo =
      SAL_LANE_STEP(zero, sal_set(2.26987774529616870924e-17), sal_set(3.06161699786838301793e-17),
                    sal_set(1.39033110312309984516e-17), sal_set(SAL_LANE_PIO2_LO));
#undef SAL_LANE_STEP
  const sal_v r = above / below, z = r * r, w = z * z;
  const sal_v odd =
      z * (3.33333333333329318027e-01 +
           w * (1.42857142725034663711e-01 +
                w * (9.09088713343650656196e-02 +
                     w * (6.66107313738753120669e-02 +
                          w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
  const sal_v even =
      w * (-1.99999999998764832476e-01 +
           w * (-1.11111104054623557880e-01 +
                w * (-7.69187620504482999495e-02 +
                     w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
  const sal_v y = sal_sel(from1, hi - ((r * (odd + even) - lo) - r), r - r * (odd + even));
  return sal_sel(sal_lane_is_nan(x), x, sal_lane_signed(y, x));
}

/** The angle of the point (x, y), from -pi to pi. */
SAL_INLINE sal_v sal_lane_atan2(sal_v y, sal_v x)
{
  const sal_v ay = sal_abs(y), ax = sal_abs(x), inf = sal_set(INFINITY);
  const sal_m both = sal_eq(ay, inf) & sal_eq(ax, inf),
              none = sal_eq(ay, sal_set(0)) & sal_eq(ax, sal_set(0));
  const sal_v ratio = sal_sel(both, sal_set(1), sal_sel(none, sal_set(0), ay / ax));
  const sal_v z = sal_lane_atan(ratio);
  const sal_m back = SAL_MASK(sal_bits(x) < 0);
  const sal_v angle = sal_sel(back, 2.0 * SAL_LANE_PIO2_HI - (z - 2.0 * SAL_LANE_PIO2_LO), z);

  return sal_sel(sal_lane_is_nan(x) | sal_lane_is_nan(y), sal_set(NAN), sal_lane_signed(angle, y));
}

/** (asin r - r) / r with t = r^2 <= 1/4. */
SAL_INLINE sal_v sal_lane_asin_rest(sal_v t)
{
  const sal_v p =
      t * (1.66666666666666657415e-01 +
           t * (-3.25565818622400915405e-01 +
                t * (2.01212532134862925881e-01 +
                     t * (-4.00555345006794114027e-02 +
                          t * (7.91534994289814532176e-04 + t * 3.47933107596021167570e-05)))));
  const sal_v q =
      1.0 + t * (-2.40339491173441421878e+00 +
                 t * (2.02094576023350569471e+00 +
                      t * (-6.88283971605453293030e-01 + t * 7.70381505559019352791e-02)));
  return p / q;
}

SAL_INLINE sal_v sal_lane_asin(sal_v x)
{
  const sal_v a = sal_abs(x);
  const sal_m large = sal_ge(a, sal_set(0.5)), wrong = ~sal_le(a, sal_set(1));
  const sal_v t = sal_sel(large, 0.5 * (1.0 - a), a * a);
  const sal_v r = sal_lane_asin_rest(sal_sel(wrong, sal_set(0), t));
  const sal_v s = sal_sqrt(sal_sel(wrong, sal_set(0), t)), upper = sal_lane_upper(s);
  const sal_v c = (t - upper * upper) / (s + upper);
  const sal_v p = 2.0 * s * r - (SAL_LANE_PIO2_LO - 2.0 * c);
  const sal_v q = 7.85398163397448278999e-01 - 2.0 * upper;
  const sal_v near_1 = SAL_LANE_PIO2_HI - (2.0 * (s + s * r) - SAL_LANE_PIO2_LO);
  const sal_v upto =
      sal_sel(sal_ge(a, sal_set(0.975)), near_1, 7.85398163397448278999e-01 - (p - q));
  const sal_v y = sal_sel(large, upto, a + a * r);

  return sal_sel(wrong, sal_set(NAN), sal_lane_signed(y, x));
}

SAL_INLINE sal_v sal_lane_acos(sal_v x)
{
  const sal_v a = sal_abs(x);
  const sal_m large = sal_ge(a, sal_set(0.5)), wrong = ~sal_le(a, sal_set(1)),
              below = sal_lt(x, sal_set(0));
  const sal_v t = sal_sel(wrong, sal_set(0), sal_sel(large, 0.5 * (1.0 - a), a * a));
  const sal_v r = sal_lane_asin_rest(t), s = sal_sqrt(t), upper = sal_lane_upper(s);
  const sal_v c = sal_sel(sal_gt(s, sal_set(0)), (t - upper * upper) / (s + upper), sal_set(0));
  const sal_v mid = SAL_LANE_PIO2_HI - (x - (SAL_LANE_PIO2_LO - r * x));
  const sal_v left = 2.0 * (SAL_LANE_PIO2_HI - (s + (r * s - SAL_LANE_PIO2_LO)));
  const sal_v right = 2.0 * (upper + (r * s + c));

  return sal_sel(wrong, sal_set(NAN), sal_sel(large, sal_sel(below, left, right), mid));
}
