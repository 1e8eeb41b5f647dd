/** Products and projections of columns. */
#include "spectrum.h"
#include <math.h>
#include <stddef.h>

double sal_columns_dot(int64_t m, int64_t k, const double a[], int i, const double b[], int j)
{
  double sum = 0;

  for (int row = 0; row < m; ++row) sum += a[row * k + i] * b[row * k + j];
  return sum;
}

double sal_columns_project(int64_t m, int64_t k, const double q[], int n, double v[], int j,
                           double part[])
{
  for (int again = 0; again < 2; ++again)
    for (int a = 0; a < n; ++a) {
      const double along = sal_columns_dot(m, k, q, a, v, j);
      if (part) part[a] += along;
      for (int i = 0; i < m; ++i) v[i * k + j] -= along * q[i * k + a];
    }
  return sqrt(sal_columns_dot(m, k, v, j, v, j));
}
