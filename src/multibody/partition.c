/** Generalized coordinate partitioning (Wehage & Haug 1982). */
#include "base.h"
#include "reduced.h"

/* Pivots below this fraction of the first one are rounding. */
static const double vanishing = 1e-9;

/* The largest entry in rows from k on. */
static double find_pivot(int m, int n, const double A[], int k, int *i, int *j)
{
  double best = 0;

  *i = k;
  for (int r = k; r < m; ++r)
    for (int c = 0; c < n; ++c)
      if (fabs(A[r * n + c]) > best) {
        best = fabs(A[r * n + c]);
        *i = r;
        *j = c;
      }
  return best;
}

static void swap_rows(int n, double A[], int row[], int i, int k)
{
  const int number = row[i];

  row[i] = row[k];
  row[k] = number;
  for (int c = 0; c < n; ++c) {
    const double kept = A[i * n + c];
    A[i * n + c] = A[k * n + c];
    A[k * n + c] = kept;
  }
}

/* Clears column j below row k; what the column held is exactly 0 then and is never chosen again. */
static void eliminate(int m, int n, double A[], int k, int j)
{
  for (int r = k + 1; r < m; ++r) {
    const double f = A[r * n + j] / A[k * n + j];
    if (f == 0) continue;
    for (int c = 0; c < n; ++c) A[r * n + c] -= f * A[k * n + c];
    A[r * n + j] = 0;
  }
}

static bool is_among(int n, const int list[], int c)
{
  for (int i = 0; i < n; ++i)
    if (list[i] == c) return true;
  return false;
}

/* Collects the numbers 0 .. n - 1 that are not chosen. */
static void collect_rest(int n, int m, const int chosen[], int out[])
{
  for (int c = 0, k = 0; c < n; ++c)
    if (!is_among(m, chosen, c)) out[k++] = c;
}

void sal_partition_sort(int n, int x[])
{
  for (int i = 1; i < n; ++i)
    for (int k = i; k > 0 && x[k] < x[k - 1]; --k) {
      const int kept = x[k];
      x[k] = x[k - 1];
      x[k - 1] = kept;
    }
}

int sal_partition_choose(int m, int n, double A[], int dependent[], int independent[], int row[])
{
  double first = 0;

  for (int k = 0; k < m; ++k) row[k] = k;
  for (int k = 0; k < m; ++k) {
    int i, j = 0;
    const double pivot = find_pivot(m, n, A, k, &i, &j);
    if (k == 0) first = pivot;
    if (!(pivot > vanishing * first)) {
      for (int r = k; r < m; ++r) row[r - k] = row[r];
      return k;
    }
    swap_rows(n, A, row, i, k);
    eliminate(m, n, A, k, j);
    dependent[k] = j;
  }
  collect_rest(n, m, dependent, independent);
  sal_partition_sort(m, dependent);
  return m;
}

void sal_partition_complement(int n, int n_v, const int independent[], int dependent[])
{
  collect_rest(n, n_v, independent, dependent);
}
