/** A tile from parameters to records: references first, then every configuration on every cell, shared
 *  by the threads (tile_tasks.h).  Only this layer uses threads.
 */
#pragma once

#include "tile_work.h"

/* ---- tile_setup.c ----
 *  How configurations run.
 */

/** How a configuration of the sweep runs; is its pair of method and strategy left out? */
sal_setup sal_tile_setup(const sal_sweep *sweep, int config);
bool sal_tile_leaves_out(const sal_sweep *sweep, int config);

/** Work space of a thread, enough for references and for every configuration. */
size_t sal_tile_setup_bytes(const sal_sweep *sweep, int width);

/* ---- tile_space.c ----
 *  Work space for tiles, and what it takes.
 */

/** A space that borrows the sweep, for as many threads as a tile will use; NULL after a failure: SAL_ERR_INPUT for a
 *  number of cells that is not allowed, else SAL_ERR_MEMORY, or why orbits cannot be sought. */
sal_err sal_tile_space_create(const sal_sweep *sweep, int64_t cells, sal_tile_space **out);
void sal_tile_space_destroy(sal_tile_space **space);

/** Cells of the largest tile to be run: lanes stay busy in large ones, but references take memory.
 *  16 .. SAL_TILE_MOST. */
int64_t sal_tile_most(const sal_sweep *sweep);

/** Bytes of that work space with so many threads, the records of one tile included. */
size_t sal_tile_bytes(const sal_sweep *sweep, int64_t cells, int threads);

/** Lanes the sweep will use on this machine. */
int sal_tile_width(const sal_sweep *sweep);

/** Threads a tile will use. */
int sal_tile_threads(void);
void sal_tile_threads_set(int n);

/* ---- tile_run.c ---- */

/** Time of its tiles so far. */
sal_tile_use sal_tile_used(const sal_tile_space *space);

/** Tiles are watched by a copy of *watch from now on. */
void sal_tile_space_watch(sal_tile_space *space, const sal_tile_watch *watch);

/** From now on the trajectories that *kept has of a tile are not run again, and when a tile is given up
 *  *kept receives those finished so far; NULL: nothing is kept.  result: of the same cells as the tile, and
 *  done [count][configurations] is the caller's.  Finished runs of a cell have the bits that they have in a whole
 *  run, and a cell of whose configurations all are done is finished itself. */
void sal_tile_space_keep(sal_tile_space *space, sal_tile_kept *kept);

/** From now on tiles run only the configurations selected by pilots; borrowed, NULL: all. */
void sal_tile_space_pilots(sal_tile_space *space, const sal_pilots *pilots);

/** Trajectories done of the current tile: a task counts by the time it was expected to
 *  take.  Any thread may call it. */
int64_t sal_tile_done(const sal_tile_space *space);

/** Runs one tile; *result receives arrays from sal_alloc, points still NaN.  SAL_ERR_STOPPED,
 *  without a message and a result, when it was given up with tasks not begun or cut. */
sal_err sal_tile_run(sal_tile_space *space, const sal_tile *tile, sal_tile_result *result);

/* Trajectories run once more, to be stored: all configurations and the reference of some cells
 * (sweep.h), with the steps that the sweep's own runs took.
 *
 * What is asked of the dense output changes no step, and neither do lanes nor threads, so that
 * these are the trajectories whose errors and counts the cube holds. */

/** The mode of a point: that of contact 0, or why there is none. */
typedef enum { SAL_MODE_OPEN, SAL_MODE_CLOSED, SAL_MODE_ENDED, SAL_MODE_LEFT_OUT } sal_stored_mode;

/** One trajectory. */
typedef struct {
  int64_t at;        /* place of its cell in sweep->stored.cell */
  int config;        /* in the cube's order; after the last one the reference */
  double *state;     /* [n_mesh + 1][n_state], NaN after the end of a failed run */
  int8_t *mode;      /* [n_mesh + 1] of sal_stored_mode */
  sal_record record; /* what the run took; not of the reference, nor of what is left out */
} sal_stored_trajectory;

typedef struct sal_stored_run sal_stored_run;

/** Units of the whole work: one configuration, or the reference, on as many cells as there are lanes.
 *  Neighbours share their cells. */
int64_t sal_stored_run_units(const sal_sweep *sweep);
/** Units that a rank of n_rank should run at a time: enough for its threads, bounded in memory. */
int64_t sal_stored_run_most(const sal_sweep *sweep, int n_rank);

/** Work space for at most `most` units at a time; the sweep must outlive it. */
sal_err sal_stored_run_create(const sal_sweep *sweep, int64_t most, sal_stored_run **out);
void sal_stored_run_destroy(sal_stored_run **space);

/** Runs units on all threads; stored [*n] lies in the space until the next call. */
sal_err sal_stored_run_units_now(sal_stored_run *space, const sal_tile *units, int64_t *n,
                                 const sal_stored_trajectory **stored);

/* ---- Runs of one setup, as many as there are, in lanes and on threads; without a sweep. ---- */

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
sal_err sal_many_runs_now(const sal_many_runs *runs);
