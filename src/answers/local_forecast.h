/** The forecast of all configurations at a place: planes through the logarithms of error and
 *  work, and how far the error scatters around its plane.
 */
#pragma once

#include "neighbours.h"
#include "surrogate_rows.h"
#include "surrogate_types.h"

/* Configurations that miss the same of a few cells, so that one matrix makes the planes of all of them. */

enum { SAL_MISSED_HEADS = 256 };

/** Zeros are an empty one, which keeps its room; sal_gap_groups_free frees. */
typedef struct {
  int n;       /* configurations */
  int *next;   /* [n] the next one of its group, -1: it is the last */
  bool *leads; /* [n] is it the first of a group? */
  /* While they are made: */
  uint64_t *missed;           /* [n] a bit for each cell */
  int *last, *chained;        /* [n] of leaders: the last of the group, another leader */
  int head[SAL_MISSED_HEADS]; /* leaders by their bits */
} sal_gap_groups;

/** Room for n configurations. */
sal_err sal_gap_groups_create(int n, sal_gap_groups *groups);
void sal_gap_groups_free(sal_gap_groups *groups);

/** Groups of the configurations that have gaps, in their order: row [n_cell][n] is NaN where one misses a cell.  With more
 *  than 64 cells each configuration is a group of its own. */
void sal_gap_groups_make(sal_gap_groups *groups, int n_cell, const double *const row[],
                         const bool has_gaps[]);

/* A plane through values at cells around a place, by weighted least squares with a small ridge on
 * the slopes.
 *
 * With weights W and rows X_i = [1, L'(z_i - z) / reach] (surrogate_metric.h), the plane through y is beta = B y with
 * B = (X' W X + 1e-3 (sum w) diag(0, 1, .., 1))^-1 X' W, by Cholesky; beta_0 is its value at the
 * place.  Weights are tricubes of distances over that of the next cell after the nearest: Cleveland,
 * "Robust locally weighted regression", J. Am. Stat. Assoc. 74 (1979). */

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
sal_err sal_local_plane_make(sal_local_plane *plane, const sal_surrogate_coordinates *coordinates,
                             const sal_surrogate_place *place, const sal_surrogate_metric *metric,
                             const sal_nearest *list, double reach);

/** Makes plane->own, B of the cells where `missing` [n] is false, 0 at the others; false when these
 *  carry less than half of the weight, or are fewer than two more than the coordinates. */
bool sal_local_plane_without(sal_local_plane *plane, const bool missing[]);

void sal_local_plane_free(sal_local_plane *plane);

/* ---- local forecast ---- */

/** The scatter of a configuration is sqrt((e v + tau / 2) / (e + 1/2)): v is the weighted mean square of its residuals,
 *  e = (sum w)^2 / sum w^2 how many cells that is of, and tau the geometric mean of all configurations' v at the place.
 *
 *  Zeros are an empty one, which keeps its room; sal_local_forecast_free frees. */
typedef struct {
  int n, n_config;
  bool *fits;                 /* [n_config]; false: too few cells in which it counts */
  double *slope;              /* [n_coordinate][n_config] of ln error, along X */
  double *ln_error, *ln_work; /* [n_config] at the place, of runs that count */
  double *
      ln_expected; /* [n_config] of the mean work of all, those that do not count and the tails among them */
  double *scatter;              /* [n_config] of ln error around the plane, a standard deviation */
  double *share;                /* [n_config] of the weight, of the cells in which it counts */
  double *effective;            /* [n_config] e */
  const double **error, **work; /* [n] rows of the cells */
  bool *missing;                /* [n] */
  bool *has_gaps;               /* [n_config] */
  sal_gap_groups groups;
  int room;
} sal_local_forecast;

/** Makes the forecast from the cells of a plane, whose rows are in memory.  scatter: false where only slopes are needed. */
sal_err sal_local_forecast_make(sal_local_forecast *forecast, sal_local_plane *plane,
                                const sal_nearest *list, const sal_surrogate_rows *rows,
                                bool scatter);
void sal_local_forecast_free(sal_local_forecast *forecast);
