/** Observed orders: the least-squares slope of log y against log x. */
#pragma once

#include <math.h>

static inline double slope(int n, const double x[], const double y[])
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0;

  for (int i = 0; i < n; ++i) {
    const double a = log(x[i]), b = log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}
