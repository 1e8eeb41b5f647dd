/** The surrogate's fit to a sweep (surrogate.h) and its answers: plain data. */
#pragma once

#include "between_levels.h"
#include "map.h"
#include "surrogate_coordinates.h"

enum { SAL_SURROGATE_MOST_WIDTH = 2, SAL_SCHEDULE_MOST = 40 };

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

/** An answer at a point (sal_surrogate_ask). */
typedef struct {
  sal_surrogate_choice best;   /* pair -1: none, for the reason below */
  sal_surrogate_choice safe;   /* least work with probability 0.99; pair -1: none */
  sal_surrogate_choice likely; /* the largest probability of all */
  /* The schedule of the answer: attempts[0] is best, each further one follows a miss of that before it; after the
   * last the most expensive run, of this work. */
  int n_attempt;
  sal_surrogate_choice attempts[SAL_SCHEDULE_MOST + 1];
  double fallback; /* NaN: none is known */
  /* Least expected total where a miss is followed by the same pair at ever tighter tolerances (surrogate_totals.h). */
  sal_surrogate_choice repeated;
  sal_reason reason; /* of no answer: NO_CONFIG, NO_REFERENCE or CAPTURED; else WORK or ALONE */
  double unverified; /* weight of cells whose reference does not reach the error */
  int n_pair;
  sal_surrogate_choice
      pair[SAL_MAX_LIST * SAL_MAX_LIST]; /* the best of each that has one, ranked */
  sal_answer first; /* the first of them beside the next ones: sal_answer_best */
  int64_t n_cell;   /* neighbours */
  sal_surrogate_outside outside;
} sal_surrogate_answer;
