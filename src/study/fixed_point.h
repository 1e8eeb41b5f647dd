/** @file src/study/fixed_point.h
 *  The equations of a fixed point: P(x; lambda) = x, and of a fixed point that is special besides,
 *  as a system whose zeros make a curve.
 *
 *  Unknowns are z = (x, lambda_1) or, with one more equation, (x, lambda_1, lambda_2):
 *
 *      LP  det(DP - I) = 0,    PD  det(DP + I) = 0,    AD  the admissible quantity is 0.
 *
 *  DP is the map's own; derivatives by parameters, and those of the additional equation, are central
 *  differences, all points of which are one call of the family and so run in lanes.
 *
 *  Curves of zeros of G: R^n -> R^(n-1) are followed step by step: tangent, prediction, and Newton's
 *  method on G = 0 together with a plane across the curve (pseudo-arclength; Keller 1977; Allgower &
 *  Georg, Numerical Continuation Methods, 1990, ch. 6).  Lengths and angles are measured in
 *  z_i / scale_i.
 */
#ifndef SAL_FIXED_POINT_H
#define SAL_FIXED_POINT_H

#include "err.h"
#include "family.h"
#include <stdbool.h>
#include <stddef.h>

/* ---- curves of zeros ---- */

enum { SAL_CURVE_WORDS = 256 };

/** Evaluates G [n-1], its Jacobian J [n-1][n] and the sizes of its components, size [n-1], at
 *  z [n]; flaw [SAL_CURVE_WORDS] becomes "", or the reason why G has no value. */
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

/* ---- fixed points ---- */

/** Condition on a two-parameter curve. */
typedef enum {
  SAL_FIXED_PLAIN,
  SAL_FIXED_LIMIT,
  SAL_FIXED_DOUBLING,
  SAL_FIXED_ADMISSIBLE
} sal_fixed;

/** Owns its memory; sal_fixed_point_free. */
typedef struct {
  const sal_family *family;
  sal_fixed holds;
  int n, n_free, n_unknown;         /* coordinates, free parameters, n + n_free */
  double lambda[SAL_BRANCH_PARAMS]; /* the parameter that is not free keeps its value */
  double range[SAL_BRANCH_PARAMS];  /* > 0: how far a parameter goes */
  sal_family_value *value;          /* [1 + 2 n_unknown] of the last evaluation, the point first */
  double *numbers;                  /* theirs */
} sal_fixed_point;

SAL_MUST_CHECK sal_err sal_fixed_point_create(const sal_family *family, sal_fixed holds,
                                              const double lambda[], const double range[],
                                              sal_fixed_point *out);
void sal_fixed_point_free(sal_fixed_point *p);

/** For sal_curve.evaluate, with the sal_fixed_point as its context. */
sal_err sal_fixed_point_evaluate(void *context, const double z[], double G[], double J[],
                                 double size[], char flaw[]);

/** det(DP + shift I) at the last point. */
double sal_fixed_point_det(const sal_fixed_point *p, double shift);

/** The eigenvalues of DP at the last point, the largest first, a pair with the positive imaginary
 *  part first; re, im [n].  false: LAPACK did not find them. */
bool sal_fixed_point_multipliers(const sal_fixed_point *p, double re[], double im[]);

#endif
