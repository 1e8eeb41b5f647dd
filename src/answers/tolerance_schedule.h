/** @file src/answers/tolerance_schedule.h
 *  A tolerance schedule: contenders that differ in little but the tolerance, from loose to tight.
 *  After a miss the next level is tried.
 */
#ifndef SAL_TOLERANCE_SCHEDULE_H
#define SAL_TOLERANCE_SCHEDULE_H

#include "sweep.h"

typedef struct {
  int n, level[SAL_MAX_LIST]; /* contenders, the loosest first */
} sal_tolerance_schedule;

/** Numbers of the tolerances, the loosest first: order [n_tolerance]. */
void sal_tolerance_schedule_order(const sal_sweep *sweep, int order[]);
/** A method with a strategy at all tolerances; empty when the two do not go together. */
sal_tolerance_schedule sal_tolerance_schedule_of(const sal_sweep *sweep, int strategy, int method);
/** The schedule of a contender's method and strategy, and the contender's level on it; -1 when its
 *  method and strategy do not go together. */
int sal_tolerance_schedule_level(const sal_sweep *sweep, int contender,
                                 sal_tolerance_schedule *schedule);

#endif
