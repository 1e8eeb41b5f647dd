/** Maps arrays through lane_math.h, linear.h and bernstein.h (lane half). */
#include "lane_probe.h"
#include "bernstein.h"
#include "lane_math.h"
#include "linear.h"
#include "program.h"

enum { MOST = 16 };

static sal_v answer(probe_function f, double p, sal_v x, sal_v *other)
{
  sal_v sine = x;

  switch (f) {
  case PROBE_LOG:
    return sal_lane_log(x);
  case PROBE_EXP:
    return sal_lane_exp(x);
  case PROBE_POW:
    return sal_lane_pow(x, p);
  case PROBE_ROUGH_POW:
    return sal_lane_rough_pow(x, p);
  case PROBE_SINCOS:
    sal_lane_sincos(x, &sine, other);
    return sine;
  case PROBE_SPACING:
    return sal_lane_spacing(x);
  }
  return x;
}

void SAL_FN(probe_map)(probe_function f, double p, int count, const double x[], double y[],
                       double z[])
{
  for (int i = 0; i < count; i += SAL_LANES) {
    sal_v in, other = sal_set(0);
    memcpy(&in, x + i, sizeof in);
    const sal_v out = answer(f, p, in, &other);
    memcpy(y + i, &out, sizeof out);
    if (z) memcpy(z + i, &other, sizeof other);
  }
}

/* Number i of one lane's system, `length` numbers long, to and from its lane. */
static void gather(int first, int length, const double from[], sal_v to[])
{
  for (int l = 0; l < SAL_LANES; ++l)
    for (int i = 0; i < length; ++i) SAL_AT(to[i], l) = from[(first + l) * length + i];
}

static void scatter(int first, int length, const sal_v from[], double to[])
{
  for (int l = 0; l < SAL_LANES; ++l)
    for (int i = 0; i < length; ++i) to[(first + l) * length + i] = SAL_AT(from[i], l);
}

/* The band of a full matrix. */
static void to_band(const sal_band *b, const sal_v A[], sal_v band[])
{
  const int row = sal_band_row(b);

  for (int e = 0; e < b->n * row; ++e) band[e] = sal_set(0);
  for (int i = 0; i < b->n; ++i)
    for (int j = 0; j < b->n; ++j)
      if (i - j <= b->lower && j - i <= b->upper)
        band[i * row + j - i + b->lower] = A[i * b->n + j];
}

void SAL_FN(probe_solve)(int n, const probe_band *band, int count, const double A[],
                         const double b[], double x[])
{
  sal_v full[MOST * MOST], LU[3 * MOST * MOST], v[MOST];
  sal_m piv[3 * MOST * MOST];

  for (int first = 0; first < count; first += SAL_LANES) {
    gather(first, n * n, A, full);
    gather(first, n, b, v);
    if (band) {
      const sal_band form = {n, band->lower, band->upper, NULL};
      to_band(&form, full, LU);
      sal_linear_band_factorise(&form, LU, piv);
      sal_linear_band_solve(&form, LU, piv, v);
    } else {
      sal_linear_factorise(n, full, piv);
      sal_linear_solve(n, full, piv, v);
    }
    scatter(first, n, v, x);
  }
}

void SAL_FN(probe_complex_solve)(int n, const probe_band *band, int count, const double A[],
                                 const double b[], double x[])
{
  sal_v full[2 * MOST * MOST], re[3 * MOST * MOST], im[3 * MOST * MOST], v[2 * MOST];
  sal_m piv[3 * MOST * MOST];

  for (int first = 0; first < count; first += SAL_LANES) {
    gather(first, 2 * n * n, A, full);
    gather(first, 2 * n, b, v);
    if (band) {
      const sal_band form = {n, band->lower, band->upper, NULL};
      to_band(&form, full, re);
      to_band(&form, full + n * n, im);
      sal_linear_band_factorise_complex(&form, re, im, piv);
      sal_linear_band_solve_complex(&form, re, im, piv, v, v + n);
    } else {
      sal_linear_factorise_complex(n, full, full + n * n, piv);
      sal_linear_solve_complex(n, full, full + n * n, piv, v, v + n);
    }
    scatter(first, 2 * n, v, x);
  }
}

void SAL_FN(probe_program)(const sal_flow_programs *programs, int count, const double x[],
                           const double y[], double out[])
{
  const sal_phase s = {.inner = programs};

  for (int i = 0; i < count; i += SAL_LANES) {
    sal_v in[2], result;
    memcpy(&in[0], x + i, sizeof in[0]);
    memcpy(&in[1], y + i, sizeof in[1]);
    sal_v slope[2] = {in[0], in[1]};
    SAL_FN(sal_program_flow).rhs(&s, sal_set(0), in, slope);
    result = slope[0];
    memcpy(out + i, &result, sizeof result);
  }
}

void SAL_FN(probe_zeros)(int degree, double origin, double noise, int count, const double a[],
                         int most, double at[], int n[], int open[])
{
  sal_v b[MOST];

  for (int first = 0; first < count; first += SAL_LANES) {
    gather(first, degree + 1, a, b);
    sal_bernstein_shift(degree, origin, b);
    sal_bernstein_from_powers(degree, b);
    sal_v begin = sal_set(0);
    sal_m lanes = ~sal_none();
    for (int l = 0; l < SAL_LANES; ++l) n[first + l] = open[first + l] = 0;
    for (int zero = 0; sal_any(lanes) && zero < most; ++zero) {
      const sal_bernstein_first f =
          sal_bernstein_find(degree, b, sal_set(noise), sal_set(0), lanes);
      const sal_v room = 1.0 - begin, hi = begin + f.hi * room, lo = begin + f.lo * room;
      for (int l = 0; l < SAL_LANES; ++l) {
        open[first + l] |= SAL_AT(f.undecided, l) != 0;
        if (!SAL_AT(f.found, l)) continue;
        at[((first + l) * most + zero) * 2] = SAL_AT(lo, l);
        at[((first + l) * most + zero) * 2 + 1] = SAL_AT(hi, l);
        ++n[first + l];
      }
      lanes = f.found;
      sal_bernstein_restrict(degree, f.hi, sal_set(1), b);
      for (int j = 0; j <= degree; ++j) b[j] = -b[j];
      begin = hi;
    }
  }
}
