/** Points 1..10 for each criterion by linear interpolation between the worst and the best value.
 *  Dallas, Machairas, Papadopoulos, section V.
 *
 *  Only results of the same tolerance are compared, over all cells, methods and both strategies
 *  (`points: global`), or over the configurations of one cell (`points: per-cell`).  A trajectory that
 *  failed gets 1 point and does not stretch the scale.  One that was stopped at the cutoff of its cell
 *  (cutoff.h) has none, and what it would have done to the scale is not known.
 */
#pragma once

#include "sweep.h"

enum { SAL_N_CRITERION = 5 };

/** Smallest and largest value of each criterion at each tolerance; empty: lo > hi. */
typedef struct {
  double lo[SAL_N_CRITERION][SAL_MAX_LIST], hi[SAL_N_CRITERION][SAL_MAX_LIST];
} sal_points_range;

/** The empty range. */
void sal_points_range_clear(sal_points_range *range);
/** Widens the range by the records of a result. */
void sal_points_range_add(sal_points_range *range, const sal_sweep *sweep,
                          const sal_tile_result *result);
/** Fills the points of a result, on the scale of the range or (per-cell) of each cell. */
void sal_points_fill(const sal_points_range *range, const sal_sweep *sweep,
                     sal_tile_result *result);
