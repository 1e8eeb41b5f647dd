/** @file src/driver/pilot_levels.h
 *  The tolerances that an error needs, by the first cells of a sample.
 */
#ifndef SAL_PILOT_LEVELS_H
#define SAL_PILOT_LEVELS_H

#include "sweep.h"
#include "tile.h"

typedef struct {
  double
      amplification; /* largest error of a reference that reaches the asked one, over its tolerance; 0: none does, or the
                           answer does not lie at the tight end */
  double answer; /* rtol of the least work that reaches the error in most cells; 0: nothing does */
} sal_pilot_levels;

/** Finds the levels from the first n cells of a result, by largest errors; counts of evaluations are the work. */
sal_pilot_levels sal_pilot_levels_find(const sal_sweep *sweep, const sal_tile_result *result,
                                       int64_t n, double error);

#endif
