/** Cholesky's factor of a metric, and what it is used for. */
#include "surrogate_metric.h"
#include "scalar_math.h"
#include <math.h>

enum { MOST = SAL_SURROGATE_MOST_COORDINATES };

static const double least_share = 0.0025;

static int at(int row, int column) { return row * (row + 1) / 2 + column; }

void sal_surrogate_metric_of_scales(int n, const double scale[], sal_surrogate_metric *m)
{
  *m = (sal_surrogate_metric){.n = n};
  for (int a = 0; a < n; ++a) m->l[at(a, a)] = scale[a];
}

bool sal_surrogate_metric_of_triangle(int n, const double l[], sal_surrogate_metric *m)
{
  *m = (sal_surrogate_metric){.n = n};
  for (int i = 0; i < at(n, 0); ++i) {
    m->l[i] = l[i];
    if (!isfinite(l[i])) return false;
  }
  for (int a = 0; a < n; ++a)
    if (!(l[at(a, a)] > 0)) return false;
  return true;
}

bool sal_surrogate_metric_of_matrix(int n, const double m[], sal_surrogate_metric *metric)
{
  double most = 0, mean = 0;

  *metric = (sal_surrogate_metric){.n = n};
  for (int a = 0; a < n; ++a) most = fmax(most, m[a * n + a]);
  if (!(most > 0)) return false;
  for (int a = 0; a < n; ++a)
    for (int k = 0; k <= a; ++k) {
      double sum = m[a * n + k] + (a == k ? least_share * most : 0);
      for (int j = 0; j < k; ++j) sum -= metric->l[at(a, j)] * metric->l[at(k, j)];
      metric->l[at(a, k)] = a == k ? sqrt(sum) : sum / metric->l[at(k, k)];
    }
  for (int a = 0; a < n; ++a) mean += sal_scalar_log(metric->l[at(a, a)]) / n;
  for (int i = 0; i < at(n, 0); ++i) metric->l[i] /= sal_scalar_exp(mean);
  return true;
}

double sal_surrogate_metric_scale(const sal_surrogate_metric *m, int a)
{
  double sum = 0;

  for (int k = 0; k <= a; ++k) sum += m->l[at(a, k)] * m->l[at(a, k)];
  return sqrt(sum);
}

void sal_surrogate_metric_apply(const sal_surrogate_metric *m, const double dz[], double x[])
{
  for (int k = 0; k < m->n; ++k) {
    double sum = m->l[at(k, k)] * dz[k];
    for (int a = k + 1; a < m->n; ++a) sum += m->l[at(a, k)] * dz[a];
    x[k] = sum;
  }
}

double sal_surrogate_metric_square(const sal_surrogate_metric *m, const double dz[])
{
  double x[MOST], sum = 0;

  sal_surrogate_metric_apply(m, dz, x);
  for (int k = 0; k < m->n; ++k) sum += x[k] * x[k];
  return sum;
}

void sal_surrogate_metric_gradient(const sal_surrogate_metric *m, const double s[], double g[])
{
  for (int a = 0; a < m->n; ++a) {
    g[a] = 0;
    for (int k = 0; k <= a; ++k) g[a] += m->l[at(a, k)] * s[k];
  }
}
