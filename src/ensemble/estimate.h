/** @file src/ensemble/estimate.h
 *  What a sweep will cost on this machine, from a sample of its cells.
 */
#ifndef SAL_ESTIMATE_H
#define SAL_ESTIMATE_H

#include "err.h"
#include "giants.h"
#include "sweep.h"

typedef struct {
  int64_t cells;        /* that were run */
  double run_seconds;   /* that took [s] */
  double cpu_seconds;   /* of one core, which all cells would take [s] */
  double alone_seconds; /* of it on the main threads of processes, whatever the threads they have */
  double uncertainty; /* of cpu_seconds: two standard errors as a share of it; INFINITY: unknown */
  sal_giants giants;
} sal_estimate;

/** How much is run for it. */
typedef struct {
  double most;   /* [s] no new tile that would take longer than that */
  double enough; /* uncertainty at which it ends earlier */
  double least;  /* [s] but not before: less tells of a program that has just begun */
  /* Whenever something is done, cells of the sample so far, and [s]; NULL: nothing is told. */
  void (*tell)(int64_t cells, double seconds);
} sal_estimate_effort;

/** Runs all contenders on cells spread over the sweep (sample.h), on one thread, in tiles that fill
 *  the lanes and then have up to `tile` cells; the first tile is run in any case.  Scales up to lanes
 *  that are busy to the end, as they nearly are in the large tiles of a run.  Giants run under a budget
 *  (giants.h), and are scaled up: their references are not, so that the time is that or more.
 *
 *  The uncertainty is that of the sample: cells get shares of the CPU time by their work counts and
 *  timed runs.  The machine's own noise is not in it. */
SAL_MUST_CHECK sal_err sal_estimate_run(const sal_sweep *sweep, int64_t tile,
                                        const sal_estimate_effort *effort, sal_estimate *out);

#endif
