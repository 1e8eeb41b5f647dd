/** Points on a curve of fixed points, as a walk along it makes them: corrected, with tangent,
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
#pragma once

#include "family.h"

/* The equations of a fixed point: P(x; lambda) = x, and of a fixed point that is special besides,
 * as a system whose zeros make a curve.
 *
 * Unknowns are z = (x, lambda_1) or, with one more equation, (x, lambda_1, lambda_2):
 *
 *     LP  det(DP - I) = 0,    PD  det(DP + I) = 0,    AD  the admissible quantity is 0,
 *     TR  the product of all mu_i mu_j - 1, i < j, is 0,    GR  the least gap of a contact is 0.
 *
 * DP is the map's own; derivatives by parameters, and those of the additional equation, are central
 * differences, all points of which are one call of the family and so run in lanes.
 *
 * Curves of zeros of G: R^n -> R^(n-1) are followed step by step: tangent, prediction, and Newton's
 * method on G = 0 together with a plane across the curve (pseudo-arclength; Keller 1977; Allgower &
 * Georg, Numerical Continuation Methods, 1990, ch. 6).  Lengths and angles are measured in
 * z_i / scale_i. */

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
  double
      enough; /* a residual at which z is right, be the equations singular there: where branches cross; or 0 */
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
sal_err sal_curve_correct(const sal_curve *c, const double direction[], double most, double z[],
                          sal_curve_report *report);

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
  SAL_FIXED_ADMISSIBLE,
  SAL_FIXED_TORUS,
  SAL_FIXED_GRAZING
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

sal_err sal_fixed_point_create(const sal_family *family, sal_fixed holds, const double lambda[],
                               const double range[], sal_fixed_point *out);
void sal_fixed_point_free(sal_fixed_point *p);

/** For sal_curve.evaluate, with the sal_fixed_point as its context. */
sal_err sal_fixed_point_evaluate(void *context, const double z[], double G[], double J[],
                                 double size[], char flaw[]);

/** det(DP + shift I) at the last point. */
double sal_fixed_point_det(const sal_fixed_point *p, double shift);

/** The product of mu_i mu_j - 1, i < j, of n multipliers; real, since they are real or in pairs. */
double sal_fixed_point_torus(int n, const double re[], const double im[]);

/** The eigenvalues of DP [n][n], the largest first, a pair with the positive imaginary
 *  part first; re, im [n].  false: LAPACK did not find them. */
bool sal_fixed_point_multipliers(int n, const double DP[], double re[], double im[]);

/* ---- walk ---- */

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

sal_err sal_walk_create(const sal_walk_setup *setup, sal_walk_test *test, sal_walk *out);
void sal_walk_free(sal_walk *walk);

sal_err sal_walk_point_create(const sal_walk *walk, sal_walk_point *out);
void sal_walk_point_free(sal_walk_point *point);
void sal_walk_point_copy(const sal_walk *walk, const sal_walk_point *from, sal_walk_point *to);

/** Corrects p->z across `direction` by no more than `most`, and fills the rest of p.  *made: it is a
 *  point; else walk->report.flaw has the reason. */
sal_err sal_walk_correct(sal_walk *walk, const double direction[], double most, sal_walk_point *p,
                         bool *made);

/** Fills the apexes of p's row, if they are not there yet. */
sal_err sal_walk_complete(const sal_walk *walk, sal_walk_point *p);

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

sal_err sal_special_point_create(const sal_walk *walk, sal_special_points *out);
void sal_special_point_free(sal_special_points *list);

/** Finds those between a and b, the next point of the walk, up to the first that ends it. */
sal_err sal_special_point_find(sal_walk *walk, const sal_walk_point *a, const sal_walk_point *b,
                               sal_special_points *out);

/* Pseudo-arclength continuation of the fixed points of a family: a branch with its special points. */

/** Which way from the start, by the first parameter. */
typedef enum {
  SAL_CONTINUATION_BOTH,
  SAL_CONTINUATION_UP,
  SAL_CONTINUATION_DOWN
} sal_continuation_way;

typedef struct {
  sal_walk_setup walk;
  sal_continuation_way way;
  int n_most;      /* points each way, special ones not counted */
  const double *x; /* [n] guess of the fixed point at walk.lambda */
  /** [n + 1] where the branch leaves another one at x: the start is looked for at x + ahead * direction, across it. */
  const double *direction; /* NULL: at these parameters */
  double ahead;
  bool leaves;             /* it ends at x: follow it away from there alone */
  sal_cycle_family *muted; /* of a setup that mutes, to locate grazings; may be NULL */
  /** Called after each step; may be NULL. */
  void (*report)(void *listener, const sal_branch_point *point, int64_t n);
  void *listener;
} sal_continuation;

/** Follows the branch through the start to the ends of the range, to where it was to stop, or as far
 *  as it goes; the reason stands in the words of its first and last point.  A branch that cannot be
 *  continued is not a failure; SAL_ERR_INPUT without an orbit at the start.  branch: initialised here,
 *  the caller frees it, also after a failure. */
sal_err sal_continuation_run(const sal_continuation *c, sal_branch *branch);

/* ---- leave.c ---- */

/** The eigenvector [n] of dP/dx at a fixed point to the real eigenvalue next to -1, of length 1 where
 *  each coordinate is divided by its size.  Fails where none is near. */
sal_err sal_leave_doubling(const sal_family *family, const double x[], const double lambda[],
                           double eigenvector[]);

/** The direction [n + 1] of a branch that crosses another one at (x, lambda): of the plane of both tangents, what is
 *  normal to branch [n + 1], a tangent of that one.  Its length is 1 in sizes and the range. */
sal_err sal_leave_crossing(const sal_family *family, const double x[], double lambda, double range,
                           const double branch[], double direction[]);

/** Moves a point of a walk that grazes a contact, or nearly, to the grazing itself.  *found is false where it is not near
 *  one.  along: how the walk is made; muted: of the same model, and one parameter. */
sal_err sal_leave_find_grazing(sal_cycle_family *muted, const sal_walk_setup *along,
                               sal_walk_point *p, bool *found);

/** The branch of orbits with one impact more beyond a grazing: a guess of a point a tenth of a first step away from it, and the
 *  direction [n + 1] away from it; z [n + 1] in: (x, lambda) there.  The depth s^2 to which the free orbit goes beyond the
 *  surface makes the impact's speed, so the branch is smooth in s (Nordmark, J. Sound Vib. 145 (1991) 279-297):
 *
 *      P(z) = P_free(z) + s c + O(s^2),   gap(z) = -s^2,   whence   D(P_free - x) z' = -c,   D gap z' = 0. */
sal_err sal_leave_grazing(const sal_family *family, sal_cycle_family *muted,
                          const sal_walk_setup *along, double z[], double direction[]);
