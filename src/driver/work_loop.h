/** The loop of a rank over the tiles that the schedule gives it, whatever is done with them.
 *
 *  In between it answers other ranks, looks for signals, and has the caller look after its own
 *  matters.  After a signal to any rank, or a failure of one, no tile is begun any more, and what of a
 *  tile in hand is not over within two seconds is given up, wherever it is (stop.h), so that a run ends
 *  soon.  The ranks of a node share the flag of the stop.
 */
#pragma once

#include "sched.h"

/** Callbacks for tiles. */
typedef struct {
  /* Runs a tile, and sets its duration [s]; SAL_ERR_STOPPED, without a message, when it was given
   * up. */
  sal_err (*run)(void *with, const sal_tile *tile, double *seconds);
  /* Between tiles, and in sal_work_loop_poll; NULL: nothing. */
  sal_err (*look)(void *with);
  void *with;
} sal_work;

typedef struct {
  MPI_Comm comm;
  sal_work work;
  sal_sched *sched;
  bool drained;
  bool stopped;   /* no tile is begun any more */
  sal_err polled; /* the first failure in sal_work_loop_poll */
} sal_work_loop;

/** Collective: the schedule of tiles [n], the same on all ranks.  After a failure, too,
 *  sal_work_loop_close. */
sal_err sal_work_loop_open(MPI_Comm comm, int64_t n, const sal_tile tile[], const sal_work *work,
                           sal_work_loop *loop);

/** Collective.  Does tiles until there are none, unless this rank has `failed` already, and waits
 *  for the other ranks; returns the failure of this rank. */
sal_err sal_work_loop_run(sal_work_loop *loop, sal_err failed);

/** To be called by the main thread within long tiles; a failure is kept for sal_work_loop_run. */
void sal_work_loop_poll(sal_work_loop *loop);
/** Is nothing more to be begun? */
bool sal_work_loop_stops(const sal_work_loop *loop);

/** Collective.  Ends the schedule; `err` of each rank becomes that of all, SAL_ERR_STOPPED, without
 *  a message, when a signal came to any of them. */
sal_err sal_work_loop_close(sal_work_loop *loop, sal_err err);
