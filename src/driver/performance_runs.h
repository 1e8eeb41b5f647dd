/** Runs made now, without a file, timed and by all ranks, and their performance table; the tolerances that
 *  they need, the quantities that change them, and references that failed.
 */
#pragma once

#include "journal_state.h"
#include "performance_cube.h"
#include "progress.h"
#include "tile_run.h"

/* ---- The tolerances that an error needs, by the first cells of a sample. ---- */

typedef struct {
  double
      amplification; /* largest error of a reference that reaches the asked one, over its tolerance; 0: none does, or the
                           answer does not lie at the tight end */
  double answer; /* rtol of the least work that reaches the error in most cells; 0: nothing does */
  bool referenced; /* do most references reach the error? */
} sal_pilot_levels;

/** Finds the levels from the first n cells of a result, by largest errors; counts of evaluations are the work. */
sal_pilot_levels sal_pilot_levels_find(const sal_sweep *sweep, const sal_tile_result *result,
                                       int64_t n, double error);

/** effect [columns of the axis of a sweep along_axes]: mean change of log10 of work and of error over the configurations that end
 *  in cell 0 and in that of the quantity; 0 where that is not among the first n cells of the result, or none ends.  The largest. */
double sal_pilot_effects_find(const sal_sweep *sweep, const sal_tile_result *result, int64_t n,
                              double effect[]);

/* The references of some cells, in words: those that failed, how and when, and what took their place. */

/** Counted by sal_reference_fate_add, from all zero. */
typedef struct {
  int64_t cells, failed; /* in all; in which the model's own solver of reference failed */
  int64_t without;       /* in which all others failed, too */
  int first;             /* of the first such cell: how it ended, */
  double reached;        /* when, */
  int instead;           /* and the number of the solver that took its place; -1: none */
} sal_reference_fate;

void sal_reference_fate_add(sal_reference_fate *fate, const sal_tile_result *result);

enum { SAL_FATE_TEXT = 400 };
/** "in 3 of 51 cells the reference by dop853 failed (stuck at t = 3.168); radau5 took its place"; "" where none failed. */
const char *sal_reference_fate_text(const sal_reference_fate *fate, const sal_sweep *sweep,
                                    char text[SAL_FATE_TEXT]);

/* ---- performance runs ---- */

/** A cube of runs that have been made, without a file: of the sweep, which `out` takes over, also after a failure; chooser NULL: all, or
 *  the presets of the sweep; the records of all cells, and what became of their references, NULL: none may count.
 *  sal_performance_cube_free frees it. */
sal_err sal_performance_runs_made(sal_sweep *sweep, const sal_performance_chooser *chooser,
                                  const sal_tile_result *result, const sal_reference_fate *fate,
                                  sal_performance_cube *out);

/* Cells of a sweep in their order, without a file, until all are run or the flag of stop.h is raised: by a signal, or since there is
 * no time left (sal_stop_deadline). */

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
sal_err sal_timed_runs_begin(MPI_Comm comm, const sal_sweep *sweep, sal_timed_runs *runs);

/** Collective.  To be called when the model of the sweep has been compiled meanwhile. */
sal_err sal_timed_runs_renew(sal_timed_runs *runs);

/** Collective.  The next cells, up to `count` on each rank.  Cells that the flag cuts on any rank do not count.  SAL_ERR_STOPPED,
 *  with a message, after a signal to any of them. */
sal_err sal_timed_runs_next(sal_timed_runs *runs, int64_t count);

/** Collective.  All cells that are left, in rounds that grow, and that take a third of the time left at most where there is a
 *  deadline: `until` by sal_clock_wall, INFINITY: none. */
sal_err sal_timed_runs_all(sal_timed_runs *runs, double until);

void sal_timed_runs_free(sal_timed_runs *runs);

/** Collective.  Puts them into the open journals of a sweep of just these cells (sal_run_options.seed; with: a sal_timed_runs). */
sal_err sal_timed_runs_seed(void *with, sal_journal *journal);
