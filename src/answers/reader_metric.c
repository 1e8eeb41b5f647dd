/** @file src/answers/reader_metric.c
 *  Cholesky's factor of a metric, and what it is used for.
 */
#include "reader_metric.h"
#include <math.h>

enum { MOST = SAL_READER_MOST_COORDINATES };

static const double least_share = 0.0025, rounded_down = 1 - 1e-9;

static int at(int row, int column) { return row * (row + 1) / 2 + column; }

/* least: diag(M) over the norm of the inverse of the matrix with its diagonal scaled to 1, whose smallest eigenvalue is
 * no less than one over that norm. */
static void find_least(sal_reader_metric *m)
{
  const int n = m->n;
  double c[SAL_READER_METRIC_NUMBERS], norm = 0, sum[MOST] = {0};

  for (int a = 0; a < n; ++a)
    for (int k = 0; k <= a; ++k) c[at(a, k)] = m->l[at(a, k)] / sal_reader_metric_scale(m, a);
  for (int e = 0; e < n; ++e) { /* column e of the inverse */
    double y[MOST] = {0};
    y[e] = 1;
    for (int r = 0; r < n; ++r) {
      for (int k = 0; k < r; ++k) y[r] -= c[at(r, k)] * y[k];
      y[r] /= c[at(r, r)];
    }
    for (int r = n - 1; r >= 0; --r) {
      for (int k = r + 1; k < n; ++k) y[r] -= c[at(k, r)] * y[k];
      y[r] /= c[at(r, r)];
    }
    for (int r = 0; r < n; ++r) sum[r] += fabs(y[r]);
  }
  for (int r = 0; r < n; ++r) norm = fmax(norm, sum[r]);
  for (int a = 0; a < n; ++a)
    m->least[a] = rounded_down * sal_reader_metric_scale(m, a) / sqrt(norm);
}

static void finish(sal_reader_metric *m)
{
  m->diagonal = true;
  for (int a = 0; a < m->n; ++a)
    for (int k = 0; k < a; ++k) m->diagonal = m->diagonal && m->l[at(a, k)] == 0;
  if (!m->diagonal) {
    find_least(m);
    return;
  }
  for (int a = 0; a < m->n; ++a) m->least[a] = m->l[at(a, a)];
}

void sal_reader_metric_of_scales(int n, const double scale[], sal_reader_metric *m)
{
  *m = (sal_reader_metric){.n = n};
  for (int a = 0; a < n; ++a) m->l[at(a, a)] = scale[a];
  finish(m);
}

bool sal_reader_metric_of_triangle(int n, const double l[], sal_reader_metric *m)
{
  *m = (sal_reader_metric){.n = n};
  for (int i = 0; i < at(n, 0); ++i) {
    m->l[i] = l[i];
    if (!isfinite(l[i])) return false;
  }
  for (int a = 0; a < n; ++a)
    if (!(l[at(a, a)] > 0)) return false;
  finish(m);
  return true;
}

bool sal_reader_metric_of_matrix(int n, const double m[], sal_reader_metric *metric)
{
  double most = 0, mean = 0;

  *metric = (sal_reader_metric){.n = n};
  for (int a = 0; a < n; ++a) most = fmax(most, m[a * n + a]);
  if (!(most > 0)) return false;
  for (int a = 0; a < n; ++a)
    for (int k = 0; k <= a; ++k) {
      double sum = m[a * n + k] + (a == k ? least_share * most : 0);
      for (int j = 0; j < k; ++j) sum -= metric->l[at(a, j)] * metric->l[at(k, j)];
      metric->l[at(a, k)] = a == k ? sqrt(sum) : sum / metric->l[at(k, k)];
    }
  for (int a = 0; a < n; ++a) mean += log(metric->l[at(a, a)]) / n;
  for (int i = 0; i < at(n, 0); ++i) metric->l[i] /= exp(mean);
  finish(metric);
  return true;
}

double sal_reader_metric_scale(const sal_reader_metric *m, int a)
{
  double sum = 0;

  for (int k = 0; k <= a; ++k) sum += m->l[at(a, k)] * m->l[at(a, k)];
  return sqrt(sum);
}

void sal_reader_metric_apply(const sal_reader_metric *m, const double dz[], double x[])
{
  for (int k = 0; k < m->n; ++k) {
    double sum = m->l[at(k, k)] * dz[k];
    for (int a = k + 1; a < m->n; ++a) sum += m->l[at(a, k)] * dz[a];
    x[k] = sum;
  }
}

double sal_reader_metric_square(const sal_reader_metric *m, const double dz[])
{
  double x[MOST], sum = 0;

  sal_reader_metric_apply(m, dz, x);
  for (int k = 0; k < m->n; ++k) sum += x[k] * x[k];
  return sum;
}

void sal_reader_metric_gradient(const sal_reader_metric *m, const double s[], double g[])
{
  for (int a = 0; a < m->n; ++a) {
    g[a] = 0;
    for (int k = 0; k <= a; ++k) g[a] += m->l[at(a, k)] * s[k];
  }
}
