/** @file tests/kernels/lane_probe.c
 *  Maps arrays through lane_math.h and linear.h (lane half).
 */
#include "lane_probe.h"
#include "lane_math.h"
#include "linear.h"

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

void SAL_FN(probe_solve)(int n, int count, const double A[], const double b[], double x[])
{
  sal_v LU[MOST * MOST], v[MOST];
  sal_m piv[MOST * MOST];

  for (int first = 0; first < count; first += SAL_LANES) {
    for (int l = 0; l < SAL_LANES; ++l) {
      const double *mine = A + (first + l) * n * n;
      for (int i = 0; i < n * n; ++i) SAL_AT(LU[i], l) = mine[i];
      for (int i = 0; i < n; ++i) SAL_AT(v[i], l) = b[(first + l) * n + i];
    }
    sal_linear_factorise(n, LU, piv);
    sal_linear_solve(n, LU, piv, v);
    for (int l = 0; l < SAL_LANES; ++l)
      for (int i = 0; i < n; ++i) x[(first + l) * n + i] = SAL_AT(v[i], l);
  }
}
