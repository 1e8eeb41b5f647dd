/** @file src/study/fixed_point.h
 *  The equations of a fixed point: P(x; lambda) = x, and of a fixed point that is special besides,
 *  as a system whose zeros make a curve (curve.h).
 *
 *  Unknowns are z = (x, lambda_1) or, with one more equation, (x, lambda_1, lambda_2):
 *
 *      LP  det(DP - I) = 0,    PD  det(DP + I) = 0,    AD  the admissible quantity is 0.
 *
 *  DP is the map's own; derivatives by parameters, and those of the additional equation, are central
 *  differences, all points of which are one call of the family and so run in lanes.
 */
#ifndef SAL_FIXED_POINT_H
#define SAL_FIXED_POINT_H

#include "curve.h"
#include "family.h"

/** What holds on a two-parameter curve. */
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
