/** A block of a triangle, and its inverse. */
#include "sobol_points.h"

void sal_metric_block_make(const sal_surrogate_metric *metric, int first, int n, const double z[],
                           const double offset[], double before, sal_metric_block *b)
{
  b->n = n;
  b->z = z;
  b->before = before;
  for (int k = 0; k < n; ++k) {
    b->offset[k] = offset ? offset[k] : 0;
    for (int a = k; a < n; ++a) b->l[k][a] = sal_surrogate_metric_at(metric, first + a, first + k);
  }
}

/* y with L' y = x, in place of x. */
static void solve(const sal_metric_block *b, double x[])
{
  for (int k = b->n - 1; k >= 0; --k) {
    for (int a = k + 1; a < b->n; ++a) x[k] -= b->l[k][a] * x[a];
    x[k] /= b->l[k][k];
  }
}

/* The reach is the length of a row of the inverse. */
void sal_metric_block_ellipsoid(const sal_metric_block *b, double centre[], double reach[])
{
  for (int k = 0; k < b->n; ++k) {
    centre[k] = -b->offset[k];
    reach[k] = 0;
  }
  solve(b, centre);
  for (int k = 0; k < b->n; ++k) centre[k] += b->z[k];
  for (int e = 0; e < b->n; ++e) {
    double y[SAL_SURROGATE_MOST_COORDINATES] = {0};
    y[e] = 1;
    solve(b, y);
    for (int k = 0; k < b->n; ++k) reach[k] += y[k] * y[k];
  }
  for (int k = 0; k < b->n; ++k) reach[k] = sqrt(reach[k]);
}
