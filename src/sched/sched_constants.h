/** @file src/sched/sched_constants.h
 *  Rules of the schedule that the scheduler and its model (sim.h) share; the others are code
 *  that both call: tiles.h, pool.h.
 */
#ifndef SAL_SCHED_CONSTANTS_H
#define SAL_SCHED_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

/** In one message between nodes: finished tiles reported, tiles handed out. */
enum { SAL_MOST_ENTRIES = 256, SAL_MOST_CHUNK = 1024 };

/** Of a rank that has nothing to do, between two looks [ns]; short beside any tile. */
enum { SAL_NAP = 500000 };

/** Between two messages that only report [s]. */
#define SAL_REPORT_PAUSE 0.25

/** Is it time for the next chunk?  Less than a tile for each rank is in the queue, ranks that
 *  wait in front of it counted. */
static inline bool sal_sched_runs_low(int64_t filled, int64_t next, int n_rank)
{
  return filled - next < n_rank;
}

#endif
