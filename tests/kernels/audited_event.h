/** `event` at width 1, each of whose steps is looked at again: at many points of its own polynomial, for crossings
 *  that the strategy has not reported, or a later one in their place.
 */
#pragma once

#include "strategy.h"

/** Counts of the runs so far; not for threads. */
typedef struct {
  long steps;  /* that passed their error test */
  long missed; /* of these with a crossing deeper than `depth` that `event` passes over */
  long looked; /* that the test by the ends of a step returns to the loop */
  double depth, deepest;
} audit_counts;

extern audit_counts audit;
extern const sal_strategy audited_event;
