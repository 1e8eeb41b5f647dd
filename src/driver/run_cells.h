/** The cells of a run that are still to do, shared by all ranks and written to the journals; and what the
 *  run lets its user see: a bar on a terminal, plain lines elsewhere, a file of JSON lines.
 */
#pragma once

#include "cube_write.h"
#include "journal_state.h"
#include "progress.h"
#include "reuse.h"
#include "tiles.h"

/** Use of the time of a run by one rank.  Wall clock except cpu; all members have 8 bytes. */
typedef struct {
  double busy;          /* in tiles [s] */
  double cpu;           /* of its threads, in tiles [s] */
  double waited, io;    /* for tiles and for the others, and in the cube [s] */
  int64_t tiles, cells; /* it has run */
  int64_t fresh,
      taken; /* trajectories that were run, or settled without a run; taken over (reuse.h) */
  int64_t live_turns, turns; /* of lanes */
  int64_t nodes, messages;   /* in all; sent to other nodes */
} sal_run_use;

/** Used on rank 0; elsewhere it prints nothing.  Cells count when they are finished; part, speed and time left
 *  come from the work, in trajectories, that is done on tiles in hand, too.  The first members are filled by the caller. */
typedef struct {
  const char *status_path; /* NULL: no status file */
  double every;            /* [s] between plain lines, and between status lines */
  bool quiet;
  int64_t cells, found; /* this run is to have in the end; had at the beginning */
  int configs;          /* trajectories of a cell */
  int ranks, threads;

  FILE *status;
  int lost;           /* errno of the first line that could not be written; 0: none */
  double written;     /* clock of the last status line */
  int64_t done, work; /* cells, and trajectories, those found included */
  sal_progress bar;
  char trouble[128]; /* text of the bar about hosts that are silent */
} sal_run_status;

/** Opens the status file, to which lines are added, and writes the first; the message has the reason of a failure. */
sal_err sal_run_status_begin(sal_run_status *status);
/** The run has finished so many cells, and done so much work on these and others, without what was
 *  found.  To be called often. */
void sal_run_status_update(sal_run_status *status, int64_t cells, int64_t trajectories);
/** The bar comes to its end: `done` cells are in the journals, those found included. */
void sal_run_status_pause(sal_run_status *status, int64_t done);
/** A status line now: "running", "writing", "stopped", "failed". */
void sal_run_status_print(sal_run_status *status, const char *state);
/** The last line, "done": with the seconds since the command began, and what all ranks did; NULL: that is not known. */
void sal_run_status_print_end(sal_run_status *status, double command_seconds,
                              const sal_run_use *sum);
/** Closes the status file; fails where lines of it were lost, for which a run does not stop before its end. */
sal_err sal_run_status_end(sal_run_status *status);

typedef struct {
  MPI_Comm comm;
  const sal_sweep *sweep;
  sal_journal *journal;
  sal_job_part part;
  int64_t whole; /* > 0: in its place the first cells of the sweep, which every part needs */
  const sal_pilots *pilots; /* that say what is run in these; NULL: everything */
  sal_reuse *reuse;         /* NULL: nothing is taken over */
  sal_cube_ahead *ahead;    /* gets cells as they are finished; NULL: nothing does */
  double sync;              /* [s] a finished tile may wait for the disk */
  sal_run_status *status;
  bool quiet; /* nothing is said of references that fail */
} sal_run_cells_task;

/** Sum over all ranks, use [n], except nodes. */
sal_run_use sal_run_use_sum(int n, const sal_run_use use[]);

/** Cells of a rank's first record, at most, as long as nothing is known of their cost: four for each lane. */
enum { SAL_RUN_CELLS_FIRST = 32 };

/** Collective.  Runs the cells of the part that are in no journal, and adds to *use what this rank
 *  did.  SAL_ERR_STOPPED after a signal; whatever happens, what was finished is in the journals,
 *  and the open journal includes it unless there was another failure. */
sal_err sal_run_cells(const sal_run_cells_task *task, sal_run_use *use);

/** Cells of which tiles should have whole multiples, those of a chunk that is written while others are computed; 0: none is. */
int64_t sal_run_cells_unit(const sal_sweep *sweep, int n_rank);

/** Cells of the part that journals have; and of the first ones up to `end` those that they lack. */
sal_err sal_run_cells_found(const sal_journal *journal, sal_job_part part, int64_t *cells);
sal_err sal_run_cells_missing(const sal_journal *journal, int64_t end, int64_t *cells);
