/** @file src/answers/between_sums.h
 *  Estimates how far errors lie from the line between two levels (between_levels.h) from planes at many places.
 */
#ifndef SAL_BETWEEN_SUMS_H
#define SAL_BETWEEN_SUMS_H

#include "between_levels.h"
#include "local_forecast.h"

/** sal_between_sums_free frees, also after a failure. */
typedef struct {
  const sal_surrogate_steps *steps; /* borrowed */
  int n_pair, room, n;              /* places: at most, so far */
  double *residual;                 /* [n_pair][n_level][room]; NaN: none */
  double *noise; /* [n_pair][n_level] sums of the variance that the planes have */
  double *rise,
      *width; /* [n_pair] sums of logarithms: of differences and gaps, over those half as wide */
} sal_between_sums;

SAL_MUST_CHECK sal_err sal_between_sums_create(const sal_surrogate_steps *steps, int n_pair,
                                               int most, sal_between_sums *sums);
void sal_between_sums_free(sal_between_sums *sums);
/** Planes at one more place. */
void sal_between_sums_add(sal_between_sums *sums, const sal_local_forecast *forecast);
SAL_MUST_CHECK sal_err sal_between_sums_make(const sal_between_sums *sums, sal_between_levels *out);

#endif
