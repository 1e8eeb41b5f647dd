/** Elementary functions at width 1, from those of the lanes.
 *
 *  Powers and logarithms to other bases go by two doubles (lane_functions.h), hypot by C. F. Borges, An improved algorithm
 *  for hypot(a,b), 2019, sin and cos of large numbers by M. H. Payne and R. N. Hanek, SIGNUM Newsletter 18, 1983.
 */
#include "scalar_math.h"
#include "lane_functions.h"

static sal_lane_pair pair_plus(sal_lane_pair a, sal_lane_pair b)
{
  const sal_lane_pair s = sal_lane_two_sum(a.hi, b.hi);

  return sal_lane_two_sum(s.hi, s.lo + (a.lo + b.lo));
}

/* e^s - 1 for |s| < 0.05. */
static sal_lane_pair small_expm1(sal_lane_pair s)
{
  static const sal_lane_pair sixth = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
  const sal_lane_pair square = sal_lane_pair_times(s, s);
  const sal_lane_pair cube = sal_lane_pair_times(sal_lane_pair_times(square, s), sixth);
  const double x = s.hi, z = square.hi;
  const double even = 1. / 24 + z * (1. / 720 + z * (1. / 40320 + z * (1. / 3628800)));
  const double odd = 1. / 120 + z * (1. / 5040 + z * (1. / 362880));
  const sal_lane_pair rest = {z * z * (even + x * odd), 0};

  return pair_plus(s, pair_plus((sal_lane_pair){0.5 * z, 0.5 * square.lo}, pair_plus(cube, rest)));
}

/* e^p, |p| < 745. */
static double exp_of_pair(sal_lane_pair p)
{
  enum { HALVINGS = 3 };
  static const double middle = 0x1.a39ef35793800p-33, low = 0x1.1d9cc01f97b58p-75; /* of ln 2 */
  const int64_t k = sal_lane_nearest(p.hi * 1.44269504088896338700);
  const double kd = (double)k, part = 1. / (1 << HALVINGS);
  const sal_lane_pair r = pair_plus(sal_lane_two_sum(p.hi - kd * SAL_LANE_LN2_HI, p.lo),
                                    (sal_lane_pair){-kd * middle, -kd * low});
  sal_lane_pair t = small_expm1((sal_lane_pair){part * r.hi, part * r.lo});

  for (int i = 0; i < HALVINGS; ++i)
    t = pair_plus((sal_lane_pair){2 * t.hi, 2 * t.lo}, sal_lane_pair_times(t, t));
  return sal_lane_scaled(pair_plus((sal_lane_pair){1, 0}, t).hi, k);
}

double sal_scalar_exp(double x) { return sal_lane_exp_any(x); }

double sal_scalar_log(double x) { return sal_lane_log_any(x); }

double sal_scalar_expm1(double x)
{
  if (fabs(x) <= 50) return sal_lane_expm1(x);
  return x < 0 ? -1 : sal_lane_exp_any(x);
}

/* The rounding of 1 + x is taken back (W. Kahan). */
double sal_scalar_log1p(double x)
{
  const double u = 1 + x;

  return u == 1 || u == INFINITY ? x : sal_lane_log_any(u) * (x / (u - 1));
}

/* The logarithm to the base whose own has that inverse. */
static double log_to(double x, sal_lane_pair inverse)
{
  if (!(x > 0 && x < INFINITY)) return sal_lane_log_any(x);
  return sal_lane_pair_times(sal_lane_log_pair(x), inverse).hi;
}

double sal_scalar_log2(double x)
{
  return log_to(x, (sal_lane_pair){0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}

double sal_scalar_log10(double x)
{
  return log_to(x, (sal_lane_pair){0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}

/* For powers that are neither tiny nor huge: the logarithm has more digits than a double. */
double sal_scalar_pow(double x, double y)
{
  if (x > 0 && x < INFINITY && fabs(y) < 0x1p+60) {
    const sal_lane_pair l = sal_lane_log_pair(x);
    const sal_lane_pair p = sal_lane_two_product(y, l.hi);
    if (fabs(p.hi) < 700) return exp_of_pair(sal_lane_two_sum(p.hi, p.lo + y * l.lo));
  }
  return sal_lane_power(x, y);
}

double sal_scalar_exp2(double x) { return sal_scalar_pow(2, x); }

/* The square root is corrected by what is left of the squares. */
static double hypot_of(double x, double y)
{
  const double h = sqrt(x * x + y * y);

  if (h <= 2 * y) {
    const double d = h - y;
    return h - (x * (2 * d - x) + (d - 2 * (x - y)) * d) / (2 * h);
  }
  const double d = h - x;
  return h - (2 * d * (x - 2 * y) + ((4 * d - y) * y + d * d)) / (2 * h);
}

double sal_scalar_hypot(double x, double y)
{
  const double p = fabs(x), q = fabs(y), a = p > q ? p : q, b = p > q ? q : p;

  if (isinf(x) || isinf(y)) return INFINITY;
  if (isnan(x) || isnan(y)) return NAN;
  if (b <= a * 0x1p-54) return a + b;
  if (a > 0x1p+511) return 0x1p+600 * hypot_of(a * 0x1p-600, b * 0x1p-600);
  if (b < 0x1p-459) return 0x1p-600 * hypot_of(a * 0x1p+600, b * 0x1p+600);
  return hypot_of(a, b);
}

/* ---- large angles ---- */

/* 2 / pi, the first bit being that of 1/2. */
static const uint64_t two_over_pi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

/* Bits of 2 / pi from `first` on, which may be below 0: 64 of them. */
static uint64_t bits_from(int first)
{
  enum { WORDS = sizeof two_over_pi / sizeof *two_over_pi };
  const int word = (first + 64) / 64 - 1, shift = (first + 64) % 64;
  const uint64_t high = word >= 0 && word < WORDS ? two_over_pi[word] : 0;
  const uint64_t low = word + 1 < WORDS ? two_over_pi[word + 1] : 0;

  return shift ? high << shift | low >> (64 - shift) : high;
}

/* x = m 2^e as r + q quarters of a turn, -pi/4 <= r <= pi/4: m times the 192 bits of 2 / pi that give no whole turns. */
static double reduced(uint64_t m, int e, int *q)
{
  unsigned __int128 part = 0;
  uint64_t y[3];
  int scale = -62;

  for (int i = 2; i >= 0; --i) {
    part = (part >> 64) + (unsigned __int128)m * bits_from(e - 2 + 64 * i);
    y[i] = (uint64_t)part;
  }
  *q = (int)(((y[0] >> 61) + 1) >> 1 & 3);
  const bool minus = y[0] >> 61 & 1; /* the next quarter is nearer */
  y[0] &= (UINT64_C(1) << 62) - 1;
  if (minus) { /* 1 - y, but for the last of 190 bits */
    y[0] = ~y[0] & ((UINT64_C(1) << 62) - 1);
    y[1] = ~y[1];
    y[2] = ~y[2];
  }
  for (; y[0] < UINT64_C(1) << 61 && scale > -180; --scale) {
    y[0] = y[0] << 1 | y[1] >> 63;
    y[1] = y[1] << 1 | y[2] >> 63;
    y[2] <<= 1;
  }
  const double r = (double)y[0] * SAL_LANE_PIO2_HI;
  return (minus ? -r : r) * sal_lane_two_to(scale);
}

static void large_sincos(double x, double *sine, double *cosine)
{
  const int64_t bits = sal_bits(fabs(x));
  int q;
  const double r = reduced((uint64_t)(bits & INT64_C(0xfffffffffffff)) | UINT64_C(1) << 52,
                           (int)(bits >> 52) - 1075, &q);
  double s, c;

  sal_lane_sincos(r, &s, &c);
  const double turned[] = {s, c, -s, -c};
  *sine = x < 0 ? -turned[q] : turned[q];
  *cosine = turned[(q + 1) & 3];
}

/* The remainder of x after whole quarters has two doubles. */
static void near_sincos(double x, double *sine, double *cosine)
{
  const int64_t q = sal_lane_nearest(x * 6.36619772367581382433e-01);
  const double k = (double)q;
  const sal_lane_pair first =
      sal_lane_two_sum(x - k * 1.57079632673412561417e+00, -k * 6.07710050630396597660e-11);
  const sal_lane_pair r = sal_lane_two_sum(first.hi, first.lo - k * 2.02226624879595063154e-21);
  double s, c;

  sal_lane_sincos(r.hi, &s, &c);
  const double turned[] = {s + r.lo * c, c - r.lo * s, -(s + r.lo * c), -(c - r.lo * s)};
  *sine = turned[q & 3];
  *cosine = turned[(q + 1) & 3];
}

void sal_scalar_sincos(double x, double *sine, double *cosine)
{
  if (fabs(x) <= 1e5)
    near_sincos(x, sine, cosine);
  else if (fabs(x) < INFINITY)
    large_sincos(x, sine, cosine);
  else
    *sine = *cosine = NAN;
}

double sal_scalar_sin(double x)
{
  double s, c;

  sal_scalar_sincos(x, &s, &c);
  return s;
}

double sal_scalar_cos(double x)
{
  double s, c;

  sal_scalar_sincos(x, &s, &c);
  return c;
}
