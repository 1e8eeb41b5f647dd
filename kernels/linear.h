/** @file kernels/linear.h
 *  Small dense linear systems, one per lane (lane half).
 *
 *  LU with partial pivoting.  Lanes may pivot differently, so rows are exchanged under masks: row j
 *  is exchanged with each lower row that has a larger pivot, and the masks are replayed on the
 *  right-hand side.  A singular matrix gives infinities, which the error test refuses.
 */
#ifndef SAL_LINEAR_H
#define SAL_LINEAR_H

#include "lane.h"

/** Factorises A [n][n] in place; piv [n][n] receives the exchange masks. */
void SAL_FN(sal_linear_factorise)(int n, sal_v A[], sal_m piv[]);

/** Solves A x = b in place of b [n], from the factors and masks of sal_linear_factorise. */
void SAL_FN(sal_linear_solve)(int n, const sal_v LU[], const sal_m piv[], sal_v b[]);

/** The same of the complex matrix re + i im; the size of a pivot is |re| + |im|. */
void SAL_FN(sal_linear_factorise_complex)(int n, sal_v re[], sal_v im[], sal_m piv[]);
void SAL_FN(sal_linear_solve_complex)(int n, const sal_v re[], const sal_v im[], const sal_m piv[],
                                      sal_v b_re[], sal_v b_im[]);

#define sal_linear_factorise         SAL_FN(sal_linear_factorise)
#define sal_linear_solve             SAL_FN(sal_linear_solve)
#define sal_linear_factorise_complex SAL_FN(sal_linear_factorise_complex)
#define sal_linear_solve_complex     SAL_FN(sal_linear_solve_complex)

#endif
