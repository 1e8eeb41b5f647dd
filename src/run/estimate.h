/** @file src/run/estimate.h
 *  What a sweep will cost on this machine, from a sample of its cells.
 */
#ifndef SAL_ESTIMATE_H
#define SAL_ESTIMATE_H

#include "err.h"
#include "sweep.h"

typedef struct {
  int64_t cells;       /* that were run */
  double  run_seconds; /* that took [s] */
  double  cpu_seconds; /* of one core, which all cells would take [s] */
} sal_estimate;

/** Runs all contenders on cells spread over the sweep, on one thread, until about `seconds` have
 *  passed or all cells have been run, and scales up.  Cells are taken in runs of at most `tile`
 *  neighbours, as many as fill the lanes; the first of these is run in any case. */
SAL_MUST_CHECK sal_err sal_estimate_run(const sal_sweep *sweep, int64_t tile, double seconds,
                                        sal_estimate *out);

#endif
