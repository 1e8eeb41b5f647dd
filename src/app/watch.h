/** @file src/app/watch.h
 *  What a run lets its user see: a bar on a terminal, plain lines elsewhere, a file of JSON lines.
 */
#ifndef SAL_WATCH_H
#define SAL_WATCH_H

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
} sal_watch;

/** Opens the status file, to which lines are added; says so when that fails. */
SAL_MUST_CHECK sal_err sal_watch_begin(sal_watch *watch);
/** `done` cells are finished, those found included.  To be called often. */
void sal_watch_update(sal_watch *watch, int64_t done);
/** The bar comes to its end. */
void sal_watch_pause(sal_watch *watch, int64_t done);
/** A status line now: "running", "writing", "stopped", "failed", "done". */
void sal_watch_tell(sal_watch *watch, const char *state, int64_t done);
void sal_watch_end(sal_watch *watch);

#endif
