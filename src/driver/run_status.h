/** @file src/driver/run_status.h
 *  What a run lets its user see: a bar on a terminal, plain lines elsewhere, a file of JSON lines.
 */
#ifndef SAL_RUN_STATUS_H
#define SAL_RUN_STATUS_H

#include "err.h"
#include "progress.h"
#include <stdio.h>

/** Of rank 0; elsewhere it says nothing.  The first members are filled by the caller. */
typedef struct {
  const char *status_path; /* NULL: no status file */
  double      every;       /* [s] between plain lines, and between status lines */
  bool        quiet;
  int64_t     cells, found; /* this run is to have in the end; had at the beginning */
  int         contenders;   /* trajectories of a cell */
  int         ranks, threads;

  FILE        *status;
  double       began, told;
  sal_progress bar;
} sal_run_status;

/** Opens the status file, to which lines are added; says so when that fails. */
SAL_MUST_CHECK sal_err sal_run_status_begin(sal_run_status *watch);
/** `done` cells are finished, those found included.  To be called often. */
void sal_run_status_update(sal_run_status *watch, int64_t done);
/** The bar comes to its end. */
void sal_run_status_pause(sal_run_status *watch, int64_t done);
/** A status line now: "running", "writing", "stopped", "failed", "done". */
void sal_run_status_tell(sal_run_status *watch, const char *state, int64_t done);
void sal_run_status_end(sal_run_status *watch);

#endif
