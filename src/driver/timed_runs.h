/** @file src/driver/timed_runs.h
 *  Cells of a sweep in their order, without a file, until all are run or the flag of stop.h is raised: by a signal, or since there is
 *  no time left (sal_stop_deadline).
 */
#ifndef SAL_TIMED_RUNS_H
#define SAL_TIMED_RUNS_H

#include "journal_state.h"
#include "progress.h"
#include "reference_fate.h"
#include "tile_run.h"
#include <mpi.h>

/** The first cells of a sweep, which is borrowed. */
typedef struct {
  MPI_Comm comm;
  int rank, n_rank;
  const sal_sweep *sweep;
  sal_tile_space *space;
  int64_t largest;         /* tile */
  int64_t cells;           /* that are run, the first ones */
  double each;             /* [s] from one cell to the next in the last round; 0: not known */
  sal_tile_result result;  /* on rank 0: room for all, and what is run */
  sal_reference_fate fate; /* on rank 0 */
  sal_progress bar;        /* its `out` may be set to NULL */
} sal_timed_runs;

/** Collective; also after a failure sal_timed_runs_free. */
SAL_MUST_CHECK sal_err sal_timed_runs_begin(MPI_Comm comm, const sal_sweep *sweep,
                                            sal_timed_runs *runs);

/** Collective.  To be called when the model of the sweep has been compiled meanwhile. */
SAL_MUST_CHECK sal_err sal_timed_runs_renew(sal_timed_runs *runs);

/** Collective.  The next cells, up to `count` on each rank.  Cells that the flag cuts on any rank do not count.  SAL_ERR_STOPPED,
 *  with a message, after a signal to any of them. */
SAL_MUST_CHECK sal_err sal_timed_runs_next(sal_timed_runs *runs, int64_t count);

/** Collective.  All cells that are left, in rounds that grow, and that take a third of the time left at most where there is a
 *  deadline: `until` by sal_clock_wall, INFINITY: none. */
SAL_MUST_CHECK sal_err sal_timed_runs_all(sal_timed_runs *runs, double until);

void sal_timed_runs_free(sal_timed_runs *runs);

/** Collective.  Puts them into the open journals of a sweep of just these cells (sal_run_options.seed; with: a sal_timed_runs). */
SAL_MUST_CHECK sal_err sal_timed_runs_seed(void *with, sal_journal *journal);

#endif
