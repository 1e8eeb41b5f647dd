/** @file src/answers/reader_types.h
 *  What the reader (reader.h) learns of a sweep, and what it answers with: plain data.
 */
#ifndef SAL_READER_TYPES_H
#define SAL_READER_TYPES_H

#include "between_levels.h"
#include "reader_metric.h"
#include "sweep.h"

enum { SAL_READER_MOST_WIDTH = 2 };

/** What is estimated of all cells at once; plain data, kept in a cube beside its map. */
typedef struct {
  sal_reader_metric metric;
  sal_error_shape shape;
  sal_between_levels between;
  /* By which distributions are widened for each error asked by preset, 1 .. SAL_READER_MOST_WIDTH: the answer with the best
   * promise of many is luckier than a single contender.  Between the presets it is linear in the error's logarithm. */
  double width[SAL_ERROR_METRIC_PRESETS];
  /* The promise kept, for each error asked by preset: at up to 256 cells left out, twice, with every other level left out. */
  int64_t asked[SAL_ERROR_METRIC_PRESETS];   /* answers given */
  double promised[SAL_ERROR_METRIC_PRESETS]; /* mean probability of the answers */
  double kept[SAL_ERROR_METRIC_PRESETS];     /* share of them that reached the error */
} sal_reader_fit;

/** How answers to one error keep what they promise at cells and levels left out of the planes. */
typedef struct {
  double error;
  int64_t asked;         /* answers given; 0: none, and the others NaN */
  double promised, kept; /* as in sal_reader_fit */
} sal_reader_promise;

/** A method with a strategy at a tolerance. */
typedef struct {
  int pair;           /* -1: none */
  double tolerance;   /* any between the ends of the sweep's */
  double probability; /* that the asked error is reached */
  double error, work; /* as expected of one run: medians */
  double total;       /* expected work with what follows a miss, of the plan that begins with it */
} sal_reader_choice;

/** Points, work and error of a pair at a tolerance of the sweep, as expected at a point. */
typedef struct {
  int pair;
  double points; /* p_tot of (36) */
  double work, error;
} sal_reader_points;

#endif
