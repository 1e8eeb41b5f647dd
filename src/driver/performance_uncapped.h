/** @file src/driver/performance_uncapped.h
 *  A second cube, of the sweep of a cube without caps, and what it would take.
 */
#ifndef SAL_PERFORMANCE_UNCAPPED_H
#define SAL_PERFORMANCE_UNCAPPED_H

#include "performance_table.h"

/** The second cube that has the points of tolerances at which runs of this one were stopped: the commands that make it, and
 *  what it takes.  sal_performance_second_free frees. */
typedef struct {
  char *commands;
  double
      seconds; /* of one core: of up to 512 cells of the file what they took, times how much more work there would be */
} sal_performance_second;
/** Of the tolerances with withheld runs among those that count [n_tolerance], NULL: all; commands NULL: there are none. */
SAL_MUST_CHECK sal_err sal_performance_second_of(const sal_performance_table *of,
                                                 const bool counts[], sal_performance_second *out);
void sal_performance_second_free(sal_performance_second *second);

/** The failure that points are asked for at that tolerance, since runs were withheld, with the second cube. */
sal_err sal_performance_withheld(const sal_performance_table *of, int tolerance);

#endif
