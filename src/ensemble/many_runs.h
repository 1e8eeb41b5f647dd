/** @file src/ensemble/many_runs.h
 *  Runs of one setup, as many as there are, in lanes and on threads; without a sweep.
 */
#ifndef SAL_MANY_RUNS_H
#define SAL_MANY_RUNS_H

#include "err.h"
#include "integrate.h"

/** Job and done are called by any of the threads, once for each run i, and borrow nothing beyond. */
typedef struct {
  const sal_setup *setup;
  int64_t n;
  int width, threads;  /* 1, 4 or 8, as wide as the CPU and the model have it at most; >= 1 */
  int64_t most_events; /* that are kept of each run; 0: none */
  /** Fills in what there is besides the events of a job that is all zero. */
  void (*job)(void *with, int64_t i, sal_job *job);
  void (*done)(void *with, int64_t i, const sal_record *record, const sal_events *events);
  void *with;
} sal_many_runs;

/** The widest lanes that this CPU and the model have. */
int sal_many_runs_widest(const sal_model *model);

/** Runs them all; the same bits for any width and number of threads.  Fails for want of memory alone: how each run
 *  ended stands in its record. */
SAL_MUST_CHECK sal_err sal_many_runs_now(const sal_many_runs *runs);

#endif
