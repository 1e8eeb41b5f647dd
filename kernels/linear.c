/** @file kernels/linear.c
 *  Elimination and substitution, compiled for the usual numbers of states and for any other.
 */
#include "linear.h"

SAL_INLINE void swap_where(sal_m m, sal_v *a, sal_v *b)
{
  const sal_v x = *a;
  *a            = sal_sel(m, *b, x);
  *b            = sal_sel(m, x, *b);
}

SAL_INLINE void eliminate(int n, sal_v A[], sal_m piv[])
{
  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i) {
      const sal_m larger = sal_gt(sal_abs(A[i * n + j]), sal_abs(A[j * n + j]));
      piv[j * n + i]     = larger;
      if (sal_any(larger))
        for (int k = j; k < n; ++k) swap_where(larger, &A[i * n + k], &A[j * n + k]);
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

SAL_INLINE void substitute(int n, const sal_v LU[], const sal_m piv[], sal_v b[])
{
  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i)
      if (sal_any(piv[j * n + i])) swap_where(piv[j * n + i], &b[i], &b[j]);
    for (int i = j + 1; i < n; ++i) b[i] -= LU[i * n + j] * b[j];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] -= LU[i * n + j] * b[j];
    b[i] *= LU[i * n + i];
  }
}

/* With n a constant, loops unroll and rows stay in registers. */
#define FOR_CONSTANT_N(call)                                                                       \
  switch (n) {                                                                                     \
    CASE(2, call)                                                                                  \
    CASE(3, call)                                                                                  \
    CASE(4, call)                                                                                  \
    CASE(6, call)                                                                                  \
  default:                                                                                         \
    call(n);                                                                                       \
  }
#define CASE(number, call)                                                                         \
  case number:                                                                                     \
    call(number);                                                                                  \
    return;

void sal_linear_factorise(int n, sal_v A[], sal_m piv[])
{
#define ELIMINATE(size) eliminate(size, A, piv)
  FOR_CONSTANT_N(ELIMINATE)
}

void sal_linear_solve(int n, const sal_v LU[], const sal_m piv[], sal_v b[])
{
#define SUBSTITUTE(size) substitute(size, LU, piv, b)
  FOR_CONSTANT_N(SUBSTITUTE)
}
