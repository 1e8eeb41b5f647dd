/** Newton's divided differences on a uniform mesh. */
#include "trace.h"
#include <string.h>

enum { POINTS = SAL_EXTREME_POINTS };

/* Divided differences of v [POINTS] at 0, 1, .. */
static void divide_differences(double v[])
{
  for (int k = 1; k < POINTS; ++k)
    for (int i = POINTS - 1; i >= k; --i) v[i] = (v[i] - v[i - 1]) / k;
}

/* Value and slope of the polynomial at u. */
static double evaluate(const double c[], double u, double *slope)
{
  double value = c[POINTS - 1];

  *slope = 0;
  for (int k = POINTS - 2; k >= 0; --k) {
    *slope = *slope * (u - k) + value;
    value = value * (u - k) + c[k];
  }
  return value;
}

double sal_extreme_beside(const double v[], int j, double from, double to, double *at)
{
  double c[POINTS], lo = j - 1 > from ? j - 1 : from, hi = j + 1 < to ? j + 1 : to;
  double slope, at_lo, value = v[j];

  *at = j;
  memcpy(c, v, sizeof c);
  divide_differences(c);
  evaluate(c, lo, &at_lo);
  evaluate(c, hi, &slope);
  if (!(at_lo * slope < 0)) return value;
  for (int i = 0; i < 60; ++i) {
    const double mid = 0.5 * (lo + hi);
    value = evaluate(c, mid, &slope);
    if (at_lo * slope > 0)
      lo = mid;
    else
      hi = mid;
    *at = mid;
  }
  return value;
}
