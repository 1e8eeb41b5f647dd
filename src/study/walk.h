/** @file src/study/walk.h
 *  Points on a curve of fixed points, as a walk along it makes them: corrected, with tangent,
 *  stability and test functions.  Special points are the zeros of these between two points, located on
 *  the curve, and borders at which the sequence of events changes.
 *
 *      LP  the tangent's component along the parameter      PD  det(DP + I)
 *      BP  det [J; t]                                       TR  product of mu_i mu_j - 1, i < j
 *      AD  the model's admissible quantity                  UZ  a quantity less the value asked for
 *      CP  D(det(DP - I)) v, DP v = v, on a curve of folds  EP  a parameter leaves its range
 *
 *  (Kuznetsov, Elements of Applied Bifurcation Theory, ch. 10; Govaerts, Numerical Methods for
 *  Bifurcations of Dynamical Equilibria.)
 */
#ifndef SAL_WALK_H
#define SAL_WALK_H

#include "fixed_point.h"

enum { SAL_WALK_USERS = 16, SAL_WALK_TESTS = 12 + SAL_WALK_USERS };

/** A value that a user requests. */
typedef struct {
  sal_branch_quantity quantity;
  double value;
  bool stops;        /* the branch ends there */
  const char *words; /* "period=0.5" */
} sal_walk_user;

typedef struct {
  const sal_family *family;
  sal_fixed holds;
  double lambda[SAL_BRANCH_PARAMS];                      /* at the start */
  double from[SAL_BRANCH_PARAMS], to[SAL_BRANCH_PARAMS]; /* from < to */
  double ds, ds_min, ds_max; /* in units of the parameters' ranges and orbits' sizes */
  int n_user;
  const sal_walk_user *user;
} sal_walk_setup;

/** A point; its arrays belong to the walk. */
typedef struct {
  double z[SAL_MAX_STATE + SAL_BRANCH_PARAMS], t[SAL_MAX_STATE + SAL_BRANCH_PARAMS];
  double size[SAL_MAX_STATE];         /* of the coordinates */
  double null[SAL_MAX_STATE];         /* of DP - I, on a curve of folds */
  double test[SAL_WALK_TESTS], sigma; /* where between two others it was found */
  double split;
  int user;    /* number of the value asked for that it is; -1 */
  double *row; /* [layout.width] */
  uint64_t sequence;
  sal_branch_point point;
} sal_walk_point;

struct sal_walk;
/** Fills p->test at the point just corrected; det: of sal_curve_tangent. */
typedef void sal_walk_test(const struct sal_walk *walk, double det, sal_walk_point *p);

/** Freed with sal_walk_free. */
typedef struct sal_walk {
  const sal_walk_setup *setup;
  sal_walk_test *test;
  sal_fixed_point system;
  sal_curve curve;
  sal_curve_report report; /* of the last correction */
  double scale[SAL_MAX_STATE + SAL_BRANCH_PARAMS];
  double null[SAL_MAX_STATE]; /* of the point at which it stands */
  double transversal;         /* the largest transversality met */
  void *work;
} sal_walk;

SAL_MUST_CHECK sal_err sal_walk_create(const sal_walk_setup *setup, sal_walk_test *test,
                                       sal_walk *out);
void sal_walk_free(sal_walk *walk);

SAL_MUST_CHECK sal_err sal_walk_point_create(const sal_walk *walk, sal_walk_point *out);
void sal_walk_point_free(sal_walk_point *point);
void sal_walk_point_copy(const sal_walk *walk, const sal_walk_point *from, sal_walk_point *to);

/** Corrects p->z across `direction` by no more than `most`, and fills the rest of p.  *made: it is a
 *  point; else walk->report.flaw has the reason. */
SAL_MUST_CHECK sal_err sal_walk_correct(sal_walk *walk, const double direction[], double most,
                                        sal_walk_point *p, bool *made);

/** Fills the apexes of p's row, if they are not there yet. */
SAL_MUST_CHECK sal_err sal_walk_complete(const sal_walk *walk, sal_walk_point *p);

/** Measures lengths by the size of the orbit at p from here on, and senses by its vectors. */
void sal_walk_stand_at(sal_walk *walk, sal_walk_point *p);

/* ---- special points ---- */

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
