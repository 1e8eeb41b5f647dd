/** @file src/answers/local_forecast.h
 *  What the contenders are expected to do at a place: planes through the logarithms of error and
 *  work, and the distribution of the error from what cells differ from the plane.
 */
#ifndef SAL_LOCAL_FORECAST_H
#define SAL_LOCAL_FORECAST_H

#include "local_plane.h"
#include "performance_table.h"
#include "question.h"
#include "reader_rows.h"
#include "reader_types.h"

/** Zeros are an empty one, which keeps its room; sal_local_forecast_free frees. */
typedef struct {
  int n, n_contender;
  bool *fits;                 /* [n_contender]; false: too few cells in which it counts */
  double *slope;              /* [n_coordinate][n_contender] of ln error, along X */
  double *ln_error, *ln_work; /* [n_contender] at the place */
  double widest;              /* sal_local_plane_widening */
  /* Residuals, ascending, and the weight of those before each: [n_contender][n], [n_contender][n +
   * 1]; of contenders with missing rows fewer than n. */
  int *n_residual; /* [n_contender] */
  double *residual, *before;
  double sum_w;
  const double **error, **work; /* [n] rows of the cells */
  bool *missing;                /* [n] */
  int room;
} sal_local_forecast;

/** Of the cells of a plane, whose rows are at hand; without residuals where only slopes are wanted. */
SAL_MUST_CHECK sal_err sal_local_forecast_make(sal_local_forecast *forecast, sal_local_plane *plane,
                                               const sal_nearest *list, const sal_reader_rows *rows,
                                               bool residuals);
void sal_local_forecast_free(sal_local_forecast *forecast);

/** Weight of the residuals r of a contender with mean + width r <= limit. */
double sal_local_forecast_weight(const sal_local_forecast *forecast, int contender, double mean,
                                 double width, double limit);

/* Points of contenders at a place: a plane through their points at the nearest cells. */

/** Ranks the pairs that a question by points allows, at the cells of a plane; out [pairs]. */
SAL_MUST_CHECK sal_err sal_local_points(sal_local_plane *plane, const sal_nearest *list,
                                        const sal_performance_source *scored,
                                        const sal_question *question, int *n,
                                        sal_reader_points out[]);

#endif
