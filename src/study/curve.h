/** @file src/study/curve.h
 *  Curves of zeros of G: R^n -> R^(n-1), step by step: tangent, prediction, and Newton's method on
 *  G = 0 together with a plane across the curve (pseudo-arclength; Keller 1977; Allgower & Georg,
 *  Numerical Continuation Methods, 1990, ch. 6).
 *
 *  Lengths and angles are measured in z_i / scale_i.
 */
#ifndef SAL_CURVE_H
#define SAL_CURVE_H

#include "err.h"
#include <stdbool.h>
#include <stddef.h>

enum { SAL_CURVE_WORDS = 256 };

/** Evaluates G [n-1], its Jacobian J [n-1][n] and the sizes of its components, size [n-1], at
 *  z [n]; flaw [SAL_CURVE_WORDS] becomes "", or says why there is no value. */
typedef sal_err sal_curve_evaluate(void *context, const double z[], double G[], double J[],
                                   double size[], char flaw[]);

/** The caller owns all arrays; work comes from sal_curve_bytes. */
typedef struct {
  int n; /* unknowns */
  sal_curve_evaluate *evaluate;
  void *context;
  double *scale; /* [n] > 0 */
  void *work;
} sal_curve;

size_t sal_curve_bytes(int n);

/** How a correction went. */
typedef struct {
  int iterations;
  double residual;            /* the largest |G_i| / size_i at the end */
  double moved;               /* from the prediction, in scaled length */
  char flaw[SAL_CURVE_WORDS]; /* "" when it converged, else why not */
} sal_curve_report;

/** Corrects z [n] in the plane through it across `direction` [n].  G and J of the last point are
 *  left in the work space, for sal_curve_tangent.  Further than `most` (scaled) z may not move. */
SAL_MUST_CHECK sal_err sal_curve_correct(const sal_curve *c, const double direction[], double most,
                                         double z[], sal_curve_report *report);

/** The unit tangent t [n] at the point just corrected, on the side of `direction`, and the sign of
 *  det [J; t], which changes where another curve crosses (size: det itself, scaled).  false: there
 *  is none, J has no full rank. */
bool sal_curve_tangent(const sal_curve *c, const double direction[], double t[], double *det);

/** Scaled inner product. */
double sal_curve_dot(const sal_curve *c, const double a[], const double b[]);

/** J [n-1][n] of the point just corrected. */
const double *sal_curve_jacobian(const sal_curve *c);

#endif
