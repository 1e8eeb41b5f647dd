/** @file src/study/special_point.h
 *  Special points of a curve of fixed points: zeros of test functions between two of its points,
 *  located on the curve, and borders at which the sequence of events changes.
 *
 *      LP  the tangent's component along the parameter      PD  det(DP + I)
 *      BP  det [J; t]                                       TR  product of mu_i mu_j - 1, i < j
 *      AD  the model's admissible quantity                  UZ  a quantity less the value asked for
 *      CP  D(det(DP - I)) v, DP v = v, on a curve of folds  EP  a parameter leaves its range
 *
 *  (Kuznetsov, Elements of Applied Bifurcation Theory, ch. 10; Govaerts, Numerical Methods for
 *  Bifurcations of Dynamical Equilibria.)
 */
#ifndef SAL_SPECIAL_POINT_H
#define SAL_SPECIAL_POINT_H

#include "walk.h"

/** The test functions, for sal_walk_create. */
void sal_special_point_test(const sal_walk *walk, double det, sal_walk_point *p);

/** A list of points found, in order of the walk.  Freed with sal_special_point_free. */
typedef struct {
  sal_walk_point point[SAL_WALK_TESTS + 2]; /* the first n are points, the last ones scratch */
  int n;
  bool ends; /* the last one ends the walk */
} sal_special_points;

SAL_MUST_CHECK sal_err sal_special_point_create(const sal_walk *walk, sal_special_points *out);
void sal_special_point_free(sal_special_points *list);

/** Finds those between a and b, the next point of the walk, up to the first that ends it. */
SAL_MUST_CHECK sal_err sal_special_point_find(sal_walk *walk, const sal_walk_point *a,
                                              const sal_walk_point *b, sal_special_points *out);

#endif
