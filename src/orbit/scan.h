/** @file src/orbit/scan.h
 *  Orbits around a guess from which Newton's iteration finds none: points spread over ever larger boxes
 *  of the section's unknowns, those that come back to the section, and Newton's iteration from each.
 */
#ifndef SAL_SCAN_H
#define SAL_SCAN_H

#include "cycle.h"

/** What was done. */
typedef struct {
  int points;   /* that were tried, in all boxes */
  int found;    /* from how many of the last box Newton's iteration came to an orbit */
  double reach; /* half the width of the last box, in the unknowns' sizes at the guess */
} sal_scan_report;

/** Seeks an orbit around guess [n_state], a point of the section: of those found in the first box that has
 *  any, the nearest to the guess; one that needs all the map's returns before one that closes sooner.  The
 *  cell is filled as by sal_cycle_find where that is FOUND; else only `why` is set, to DIVERGES.  Points
 *  and choice depend on guess and map alone.  Fails only for want of memory. */
SAL_MUST_CHECK sal_err sal_scan_find(const sal_return_map *map, const sal_cycle_setup *setup,
                                     const double guess[], sal_cycle *cell,
                                     sal_scan_report *report);

#endif
