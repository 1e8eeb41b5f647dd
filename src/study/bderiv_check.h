/** @file src/study/bderiv_check.h
 *  B-derivatives held against differences of the flow, and against linearity.
 */
#ifndef SAL_BDERIV_CHECK_H
#define SAL_BDERIV_CHECK_H

#include "bderiv.h"

/** One-sided differences against the derivative. */
typedef struct {
  double step; /* Euclidean length of the change of the start */
  /* Over the directions, |difference quotient - to| / |to|; absolute if to = 0. */
  double mean, worst;
  int failed; /* trajectories that ended early; they do not count */
} sal_bderiv_row;

enum { SAL_BDERIV_STEPS = 6 };

/** Compares n derivatives, from [n][n_state] to [n][n_state], none of `from` zero, with differences
 *  of the same event-driven flow at steps 1e-2 .. 1e-7. */
SAL_MUST_CHECK sal_err sal_bderiv_check(const sal_bderiv *b, int n, const double from[],
                                        const double to[], sal_bderiv_row row[SAL_BDERIV_STEPS]);

/** How far the map is from a linear one, over all unit directions e and pairs of them, relative to
 *  the longest to(e). */
typedef struct {
  double antisymmetry;  /* max |to(e) + to(-e)| */
  double superposition; /* max |to(e + f) - to(e) - to(f)|, e and f of either sign */
} sal_bderiv_defect;

/** From matrix [2][n_state][n_state]: to(e_i), then to(-e_i), by rows. */
SAL_MUST_CHECK sal_err sal_bderiv_measure(const sal_bderiv *b, const double matrix[],
                                          sal_bderiv_defect *out);

#endif
