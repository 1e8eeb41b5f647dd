/** Linear systems, one per lane (lane half): small dense ones, and bands.
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

/** A matrix that is 0 where j < i - lower or j > i + upper.  Row and column i belong to element order[i] of vectors;
 *  NULL: to element i.  Arrays have sal_band_row elements for each row, of which A[i][j - i + lower] is that of column j and
 *  the last `lower` ones take what exchanges fill in. */
typedef struct {
  int n, lower, upper;
  const uint16_t *order;
} sal_band;

SAL_INLINE int sal_band_row(const sal_band *b) { return 2 * b->lower + b->upper + 1; }
SAL_INLINE int sal_band_element(const sal_band *b, int i) { return b->order ? b->order[i] : i; }

/** M = diagonal I + scale A, in arrays of their own. */
void SAL_FN(sal_linear_band_form)(const sal_band *b, double diagonal, sal_v scale, const sal_v A[],
                                  sal_v M[]);
/** out [n] += A x; x and out are apart. */
void SAL_FN(sal_linear_band_times)(const sal_band *b, const sal_v A[], const sal_v x[],
                                   sal_v out[]);

/** As sal_linear_factorise and the others, with the same operations but for those on zeros. */
void SAL_FN(sal_linear_band_factorise)(const sal_band *b, sal_v A[], sal_m piv[]);
void SAL_FN(sal_linear_band_solve)(const sal_band *b, const sal_v LU[], const sal_m piv[],
                                   sal_v x[]);
void SAL_FN(sal_linear_band_factorise_complex)(const sal_band *b, sal_v re[], sal_v im[],
                                               sal_m piv[]);
void SAL_FN(sal_linear_band_solve_complex)(const sal_band *b, const sal_v re[], const sal_v im[],
                                           const sal_m piv[], sal_v b_re[], sal_v b_im[]);

SAL_INLINE void sal_linear_exchange(sal_m m, sal_v *a, sal_v *b)
{
  const sal_v x = *a;
  *a = sal_sel(m, *b, x);
  *b = sal_sel(m, x, *b);
}

/** Where the rows or columns end that are up to `by` after number j. */
SAL_INLINE int sal_linear_end(int n, int j, int by) { return j + by < n ? j + by + 1 : n; }

/** The same in any form: element (i, j) is A[i step + j], 0 where i > j + below or, exchanges included, j > i + right. */
SAL_INLINE void sal_linear_eliminate_form(int n, int below, int right, int step, sal_v A[],
                                          sal_m piv[])
{
  sal_m any = sal_none();

  for (int j = 0; j < n; ++j) {
    const int end = sal_linear_end(n, j, below), length = sal_linear_end(n, j, right) - j;
    sal_v *const pivot = A + j * step + j;
    for (int i = j + 1; i < end; ++i) {
      sal_v *const a = A + i * step + j;
      const sal_m larger = sal_gt(sal_abs(*a), sal_abs(*pivot));
      piv[j * step + i] = larger;
      any |= larger;
      if (sal_any(larger))
        for (int k = 0; k < length; ++k) sal_linear_exchange(larger, &a[k], &pivot[k]);
    }
    const sal_v inverse = 1.0 / *pivot;
    for (int i = j + 1; i < end; ++i) {
      sal_v *const a = A + i * step + j;
      const sal_v factor = *a * inverse;
      *a = factor;
      for (int k = 1; k < length; ++k) a[k] -= factor * pivot[k];
    }
    *pivot = inverse;
  }
  piv[0] = any; /* on the diagonal there is nothing to exchange */
}

SAL_INLINE void sal_linear_substitute_form(int n, int below, int right, int step, const sal_v LU[],
                                           const sal_m piv[], sal_v b[])
{
  const bool exchanges = sal_any(piv[0]);

  for (int j = 0; j < n; ++j) {
    const int end = sal_linear_end(n, j, below);
    if (exchanges)
      for (int i = j + 1; i < end; ++i) sal_linear_exchange(piv[j * step + i], &b[i], &b[j]);
    for (int i = j + 1; i < end; ++i) b[i] -= LU[i * step + j] * b[j];
  }
  for (int i = n - 1; i >= 0; --i) {
    const sal_v *const diagonal = LU + i * step + i;
    const int length = sal_linear_end(n, i, right) - i;
    for (int k = 1; k < length; ++k) b[i] -= diagonal[k] * b[i + k];
    b[i] *= *diagonal;
  }
}

/** The two of a full matrix, inlined where the number of rows is known. */
SAL_INLINE void sal_linear_eliminate(int n, sal_v A[], sal_m piv[])
{
  sal_linear_eliminate_form(n, n, n, n, A, piv);
}
SAL_INLINE void sal_linear_substitute(int n, const sal_v LU[], const sal_m piv[], sal_v b[])
{
  sal_linear_substitute_form(n, n, n, n, LU, piv, b);
}

#define sal_linear_factorise SAL_FN(sal_linear_factorise)
#define sal_linear_solve SAL_FN(sal_linear_solve)
#define sal_linear_factorise_complex SAL_FN(sal_linear_factorise_complex)
#define sal_linear_solve_complex SAL_FN(sal_linear_solve_complex)
#define sal_linear_band_form SAL_FN(sal_linear_band_form)
#define sal_linear_band_times SAL_FN(sal_linear_band_times)
#define sal_linear_band_factorise SAL_FN(sal_linear_band_factorise)
#define sal_linear_band_solve SAL_FN(sal_linear_band_solve)
#define sal_linear_band_factorise_complex SAL_FN(sal_linear_band_factorise_complex)
#define sal_linear_band_solve_complex SAL_FN(sal_linear_band_solve_complex)
