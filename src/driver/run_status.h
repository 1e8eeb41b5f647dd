/** @file src/driver/run_status.h
 *  What a run lets its user see: a bar on a terminal, plain lines elsewhere, a file of JSON lines.
 *
 *  Cells count when they are finished; part, speed and time left come from the work, in
 *  trajectories, that is done on tiles in hand, too.
 */
#ifndef SAL_RUN_STATUS_H
#define SAL_RUN_STATUS_H

#include "err.h"
#include "progress.h"
#include <stdio.h>

/** Of rank 0; elsewhere it says nothing.  The first members are filled by the caller. */
typedef struct {
  const char *status_path; /* NULL: no status file */
  double every;            /* [s] between plain lines, and between status lines */
  bool quiet;
  int64_t cells, found; /* this run is to have in the end; had at the beginning */
  int contenders;       /* trajectories of a cell */
  int ranks, threads;

  FILE *status;
  int lost;           /* errno of the first line that could not be written; 0: none */
  double told;        /* clock of the last status line */
  int64_t done, work; /* cells, and trajectories, those found included */
  sal_progress bar;
  char trouble[128]; /* what the bar says of hosts that are silent */
} sal_run_status;

/** Opens the status file, to which lines are added, and writes the first; says so when that fails. */
SAL_MUST_CHECK sal_err sal_run_status_begin(sal_run_status *status);
/** The run has finished so many cells, and done so much work on these and others, without what was
 *  found.  To be called often. */
void sal_run_status_update(sal_run_status *status, int64_t cells, int64_t trajectories);
/** The bar comes to its end: `done` cells are in the journals, those found included. */
void sal_run_status_pause(sal_run_status *status, int64_t done);
/** A status line now: "running", "writing", "stopped", "failed", "done". */
void sal_run_status_tell(sal_run_status *status, const char *state);
/** Closes the status file; fails where lines of it were lost, which is no reason to stop a run before its end. */
SAL_MUST_CHECK sal_err sal_run_status_end(sal_run_status *status);

#endif
