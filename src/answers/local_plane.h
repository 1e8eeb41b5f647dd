/** @file src/answers/local_plane.h
 *  A plane through values at cells around a place, by weighted least squares with a small ridge on
 *  the slopes.
 *
 *  With weights W and rows X_i = [1, L'(z_i - z) / reach] (surrogate_metric.h), the plane through y is beta = B y with
 *  B = (X' W X + 1e-3 (sum w) diag(0, 1, .., 1))^-1 X' W, by Cholesky; beta_0 is its value at the
 *  place.  Weights are tricubes of distances over that of the next cell after the nearest: Cleveland,
 *  "Robust locally weighted regression", J. Am. Stat. Assoc. 74 (1979).
 */
#ifndef SAL_LOCAL_PLANE_H
#define SAL_LOCAL_PLANE_H

#include "err.h"
#include "neighbours.h"
#include "surrogate_coordinates.h"

/** Zeros are an empty one, which keeps its room from place to place; sal_local_plane_free frees. */
typedef struct {
  int n, n_term; /* cells, coordinates + 1 */
  double *x;     /* [n][n_term] */
  double *w;     /* [n] */
  double *b;     /* [n_term][n] of all cells */
  double *own;   /* [n_term][n] of those at hand, see below */
  double *g;     /* [n_term][n_term] */
  double *xw;    /* [n_term][n] X' W */
  double *xwx;   /* [n][n_term (n_term + 1) / 2] what each cell adds to X' W X */
  double reach;  /* distance that X is in */
  double sum_w;
  double effective; /* (sum w)^2 / sum w^2 */
  int room;
} sal_local_plane;

/** Fits the plane to the cells of a list around a place; `reach` is the distance of the next cell. */
SAL_MUST_CHECK sal_err sal_local_plane_make(sal_local_plane *plane,
                                            const sal_surrogate_coordinates *coordinates,
                                            const sal_surrogate_place *place,
                                            const sal_surrogate_metric *metric,
                                            const sal_nearest *list, double reach);

/** Makes plane->own, B of the cells where `missing` [n] is false, 0 at the others; false when these
 *  carry less than half of the weight, or are fewer than two more than the coordinates. */
bool sal_local_plane_without(sal_local_plane *plane, const bool missing[]);

void sal_local_plane_free(sal_local_plane *plane);

#endif
