/** @file kernels/linear.h
 *  Small dense linear systems, one per lane (lane half).
 *
 *  LU with partial pivoting.  Lanes may pivot differently, so rows are exchanged under masks: row j
 *  trades places with each lower row that holds a larger pivot, and the masks are replayed on the
 *  right-hand side.  A singular matrix gives infinities, which the error test refuses.
 */
#ifndef SAL_LINEAR_H
#define SAL_LINEAR_H

#include "lane.h"

SAL_INLINE void sal_swap(sal_m m, sal_v *a, sal_v *b)
{
  const sal_v x = *a;
  *a            = sal_sel(m, *b, x);
  *b            = sal_sel(m, x, *b);
}

/** Factorises A [n][n] in place; piv [n][n] receives the exchange masks. */
SAL_INLINE void sal_lu(int n, sal_v A[], sal_m piv[])
{
  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i) {
      const sal_m larger = sal_gt(sal_abs(A[i * n + j]), sal_abs(A[j * n + j]));
      piv[j * n + i]     = larger;
      if (sal_any(larger))
        for (int k = j; k < n; ++k) sal_swap(larger, &A[i * n + k], &A[j * n + k]);
    }
    const sal_v inverse = 1.0 / A[j * n + j];
    piv[j * n + j]      = sal_none();
    for (int i = j + 1; i < n; ++i) {
      const sal_v factor = A[i * n + j] * inverse;
      A[i * n + j]       = factor;
      for (int k = j + 1; k < n; ++k) A[i * n + k] -= factor * A[j * n + k];
    }
    A[j * n + j] = inverse;
  }
}

/** Solves A x = b in place of b [n], from the factors and masks of sal_lu. */
SAL_INLINE void sal_lu_solve(int n, const sal_v LU[], const sal_m piv[], sal_v b[])
{
  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i)
      if (sal_any(piv[j * n + i])) sal_swap(piv[j * n + i], &b[i], &b[j]);
    for (int i = j + 1; i < n; ++i) b[i] -= LU[i * n + j] * b[j];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] -= LU[i * n + j] * b[j];
    b[i] *= LU[i * n + i];
  }
}

#endif
