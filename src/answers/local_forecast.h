/** @file src/answers/local_forecast.h
 *  What the configurations are expected to do at a place: planes through the logarithms of error and
 *  work, and how far the error scatters around its plane.
 */
#ifndef SAL_LOCAL_FORECAST_H
#define SAL_LOCAL_FORECAST_H

#include "gap_groups.h"
#include "local_plane.h"
#include "performance_table.h"
#include "question.h"
#include "surrogate_rows.h"
#include "surrogate_types.h"

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
SAL_MUST_CHECK sal_err sal_local_forecast_make(sal_local_forecast *forecast, sal_local_plane *plane,
                                               const sal_nearest *list,
                                               const sal_surrogate_rows *rows, bool scatter);
void sal_local_forecast_free(sal_local_forecast *forecast);

/* Points of configurations at a place: a plane through their points at the nearest cells. */

/** Ranks the pairs that a question by points allows, at the cells of a plane; out [pairs]. */
SAL_MUST_CHECK sal_err sal_local_points(sal_local_plane *plane, const sal_nearest *list,
                                        const sal_performance_source *scored,
                                        const sal_question *question, int *n,
                                        sal_surrogate_points out[]);

#endif
