/** @file src/ensemble/stored_run.h
 *  Trajectories run once more, to be stored: all configurations and the reference of some cells
 *  (stored_trajectories.h), with the steps that the sweep's own runs took.
 *
 *  What is asked of the dense output changes no step, and neither do lanes nor threads, so that
 *  these are the trajectories whose errors and counts the cube holds.
 */
#ifndef SAL_STORED_RUN_H
#define SAL_STORED_RUN_H

#include "sweep.h"
#include "tile.h"

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
SAL_MUST_CHECK sal_err sal_stored_run_create(const sal_sweep *sweep, int64_t most,
                                             sal_stored_run **out);
void sal_stored_run_destroy(sal_stored_run **space);

/** Runs units on all threads; stored [*n] lies in the space until the next call. */
SAL_MUST_CHECK sal_err sal_stored_run_units_now(sal_stored_run *space, const sal_tile *units,
                                                int64_t *n, const sal_stored_trajectory **stored);

#endif
