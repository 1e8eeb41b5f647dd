/** @file src/orbit/least_returns.h
 *  How soon an orbit of a map's iterate has come back: a point that closes after one return closes
 *  after any number of them, and a simulation that winds towards it may seem to repeat after several.
 */
#ifndef SAL_LEAST_RETURNS_H
#define SAL_LEAST_RETURNS_H

#include "cycle_record.h"

/** The first visit of a section at an event that is like the point y it began at, of those that divide
 *  the iterate; log: of a run of the map from y.  The iterate itself for a section in time, which no
 *  event tells. */
int sal_least_returns_in_log(const sal_return_map *map, const sal_events *log, const double y[]);

/** Sets `least` of the cells that are FOUND where the section is one in time: one run for each
 *  divisor of the iterate.  Fails only for want of memory. */
SAL_MUST_CHECK sal_err sal_least_returns_run(const sal_return_map *map, int64_t n,
                                             sal_cycle cell[]);

#endif
