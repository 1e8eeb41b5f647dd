/** @file src/answers/surrogate_types.h
 *  The surrogate's fit to a sweep (surrogate.h) and its answers: plain data.
 */
#ifndef SAL_SURROGATE_TYPES_H
#define SAL_SURROGATE_TYPES_H

#include "between_levels.h"
#include "surrogate_metric.h"
#include "sweep.h"

enum { SAL_SURROGATE_MOST_WIDTH = 2 };

/** Estimates from all cells at once; plain data, stored in a cube beside its map. */
typedef struct {
  sal_surrogate_metric metric;
  sal_error_shape shape;
  sal_between_levels between;
  /* By which distributions are widened for each error asked by preset, 1 .. SAL_SURROGATE_MOST_WIDTH: the answer with the best
   * prediction of many is more optimistic than that of one configuration.  Between the presets it is linear in the error's logarithm. */
  double width[SAL_ERROR_METRIC_PRESETS];
  /* The calibration, for each error asked by preset: at up to 256 cells left out, twice, with every other level left out. */
  int64_t asked[SAL_ERROR_METRIC_PRESETS];    /* answers given */
  double predicted[SAL_ERROR_METRIC_PRESETS]; /* mean probability of the answers */
  double observed[SAL_ERROR_METRIC_PRESETS];  /* share of them that reached the error */
} sal_surrogate_fit;

/** Calibration of answers to one error at cells and levels left out of the planes. */
typedef struct {
  double error;
  int64_t asked;              /* answers given; 0: none, and the others NaN */
  double predicted, observed; /* as in sal_surrogate_fit */
} sal_surrogate_calibration;

/** A method with a strategy at a tolerance. */
typedef struct {
  int pair;           /* -1: none */
  double tolerance;   /* any between the ends of the sweep's */
  double probability; /* that the asked error is reached */
  double error, work; /* as expected of one run: medians */
  double total; /* expected work with what follows a miss, of the schedule that begins with it */
} sal_surrogate_choice;

/** Points, work and error of a pair at a tolerance of the sweep, as expected at a point. */
typedef struct {
  int pair;
  double points; /* p_tot of (36) */
  double work, error;
} sal_surrogate_points;

#endif
