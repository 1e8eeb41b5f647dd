/** Eigenvalues on a subspace. */
#include "base.h"
#include "cycle.h"
#include "scalar_math.h"
#include <lapacke.h>

enum { N = SAL_MAX_DENSE };

static bool is_finite(int n, const double v[])
{
  for (int i = 0; i < n; ++i)
    if (!isfinite(v[i])) return false;
  return true;
}

bool sal_multipliers_basis(int n, int n_normal, const double normal[], int *m, double basis[])
{
  double A[N * N], s[N], vt[N * N], superb[N];

  if (!is_finite(n_normal * n, normal)) return false;
  *m = n;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) basis[i * n + j] = i == j;
  if (n_normal == 0 || n == 0) return true;
  memcpy(A, normal, (size_t)(n_normal * n) * sizeof *A);
  if (LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', n_normal, n, A, n, s, NULL, 1, vt, n, superb) != 0)
    return false;
  const int most = n_normal < n ? n_normal : n;
  int rank = 0;
  while (rank < most && s[rank] > 1e-12 * s[0]) ++rank;
  *m = n - rank;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < *m; ++j) basis[i * *m + j] = vt[(rank + j) * n + i];
  return true;
}

/* A [m][m] = basis^T M basis. */
static void restrict_to(int n, const double M[], int m, const double basis[], double A[])
{
  double row[N];

  memset(A, 0, (size_t)(m * m) * sizeof *A);
  for (int i = 0; i < n; ++i) {
    memset(row, 0, (size_t)m * sizeof *row);
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < m; ++j) row[j] += M[i * n + k] * basis[k * m + j];
    for (int a = 0; a < m; ++a)
      for (int j = 0; j < m; ++j) A[a * m + j] += basis[i * m + a] * row[j];
  }
}

typedef struct {
  double re, im;
} number;

static int by_falling_modulus(const void *a, const void *b)
{
  const number *x = a, *y = b;
  const double p = sal_scalar_hypot(x->re, x->im), q = sal_scalar_hypot(y->re, y->im);

  if (p != q) return p < q ? 1 : -1;
  if (x->re != y->re) return x->re < y->re ? 1 : -1;
  return (x->im < y->im) - (x->im > y->im);
}

bool sal_multipliers_find(int n, const double M[], int m, const double basis[],
                          sal_multipliers *out)
{
  double A[N * N];
  number list[N];

  out->n = 0;
  if (!is_finite(n * n, M)) return false;
  if (!basis) m = n;
  if (basis)
    restrict_to(n, M, m, basis, A);
  else
    memcpy(A, M, (size_t)(n * n) * sizeof *A);
  if (m > 0 &&
      LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', m, A, m, out->re, out->im, NULL, 1, NULL, 1) != 0)
    return false;
  for (int i = 0; i < m; ++i) list[i] = (number){out->re[i], out->im[i]};
  qsort(list, (size_t)m, sizeof *list, by_falling_modulus);
  for (int i = 0; i < m; ++i) {
    out->re[i] = list[i].re;
    out->im[i] = list[i].im;
  }
  out->n = m;
  return true;
}

double sal_multipliers_radius(const sal_multipliers *f)
{
  return f->n > 0 ? sal_scalar_hypot(f->re[0], f->im[0]) : 0;
}
