/** Small dense linear systems, one per lane (lane half).
 *
 *  LU with partial pivoting.  Lanes may pivot differently, so rows are exchanged under masks: row j
 *  is exchanged with each lower row that has a larger pivot, and the masks are replayed on the
 *  right-hand side.  A singular matrix gives infinities, which the error test refuses.
 */
#pragma once

#include "lane.h"

/** Factorises A [n][n] in place; piv [n][n] receives the exchange masks,
 *  piv[0] whether there is any. */
void SAL_FN(sal_linear_factorise)(int n, sal_v A[], sal_m piv[]);

/** Solves A x = b in place of b [n], from the factors and masks of sal_linear_factorise. */
void SAL_FN(sal_linear_solve)(int n, const sal_v LU[], const sal_m piv[], sal_v b[]);

/** The same of the complex matrix re + i im; the size of a pivot is |re| + |im|. */
void SAL_FN(sal_linear_factorise_complex)(int n, sal_v re[], sal_v im[], sal_m piv[]);
void SAL_FN(sal_linear_solve_complex)(int n, const sal_v re[], const sal_v im[], const sal_m piv[],
                                      sal_v b_re[], sal_v b_im[]);

/** The two for a number of rows that is known where they are compiled, inlined there. */
SAL_INLINE void sal_linear_exchange(sal_m m, sal_v *a, sal_v *b)
{
  const sal_v x = *a;
  *a = sal_sel(m, *b, x);
  *b = sal_sel(m, x, *b);
}

SAL_INLINE void sal_linear_eliminate(int n, sal_v A[], sal_m piv[])
{
  sal_m any = sal_none();

  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i) {
      const sal_m larger = sal_gt(sal_abs(A[i * n + j]), sal_abs(A[j * n + j]));
      piv[j * n + i] = larger;
      any |= larger;
      if (sal_any(larger))
        for (int k = j; k < n; ++k) sal_linear_exchange(larger, &A[i * n + k], &A[j * n + k]);
    }
    const sal_v inverse = 1.0 / A[j * n + j];
    for (int i = j + 1; i < n; ++i) {
      const sal_v factor = A[i * n + j] * inverse;
      A[i * n + j] = factor;
      for (int k = j + 1; k < n; ++k) A[i * n + k] -= factor * A[j * n + k];
    }
    A[j * n + j] = inverse;
  }
  piv[0] = any; /* on the diagonal there is nothing to exchange */
}

SAL_INLINE void sal_linear_substitute(int n, const sal_v LU[], const sal_m piv[], sal_v b[])
{
  const bool exchanges = sal_any(piv[0]);

  for (int j = 0; j < n; ++j) {
    if (exchanges)
      for (int i = j + 1; i < n; ++i) sal_linear_exchange(piv[j * n + i], &b[i], &b[j]);
    for (int i = j + 1; i < n; ++i) b[i] -= LU[i * n + j] * b[j];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] -= LU[i * n + j] * b[j];
    b[i] *= LU[i * n + i];
  }
}

#define sal_linear_factorise SAL_FN(sal_linear_factorise)
#define sal_linear_solve SAL_FN(sal_linear_solve)
#define sal_linear_factorise_complex SAL_FN(sal_linear_factorise_complex)
#define sal_linear_solve_complex SAL_FN(sal_linear_solve_complex)
