/** @file src/answers/sobol_equations.h
 *  Dyadic boxes of Sobol's sequence as linear equations over the field of two elements.
 *
 *  The leading bits of a point's coordinates are linear in the Gray code of its number. So the points of a box, which those bits
 *  make, are one solution of linear equations and all sums of a few vectors with it. Boxes of a depth share the equations, and
 *  differ in the right sides alone.
 */
#ifndef SAL_SOBOL_EQUATIONS_H
#define SAL_SOBOL_EQUATIONS_H

#include "sobol.h"
#include <stdbool.h>

/** Plain data.  n_bit, depth and halved are given, the rest is found. */
typedef struct {
  int n_bit; /* of numbers */
  int depth; /* levels of halving; a box has a bit for each, the first one lowest: the upper half */
  int halved[SAL_SOBOL_BITS]; /* the column of the sequence that each level halves */
  int n_pivot;                /* bits of the Gray code that the equations give .. */
  int pivot[SAL_SOBOL_BITS];
  uint32_t by[SAL_SOBOL_BITS]; /* .. each the parity of these bits of a box */
  int n_check;                 /* without a solution where one of these parities of a box is odd */
  uint32_t check[SAL_SOBOL_BITS];
  int n_free;
  uint32_t null[SAL_SOBOL_BITS]; /* Gray codes that leave a box */
} sal_sobol_equations;

/** Bits of the numbers of n_point points and the corner before them. */
int sal_sobol_equations_bits(int64_t n_point);

/** Solves them, by Gauss' and Jordan's elimination. */
void sal_sobol_equations_solve(sal_sobol_equations *equations);

/** A Gray code in a box; false: there is none. */
bool sal_sobol_equations_gray(const sal_sobol_equations *equations, uint32_t box, uint32_t *gray);

#endif
