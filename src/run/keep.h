/** @file src/run/keep.h
 *  Trajectories run once more, to be kept: all contenders and the reference of some cells
 *  (plan/stored.h), with the steps that the sweep's own runs took.
 *
 *  What is asked of the dense output changes no step, and neither do lanes nor threads, so that
 *  these are the trajectories whose errors and counts the cube holds.
 */
#ifndef SAL_KEEP_H
#define SAL_KEEP_H

#include "slab.h"
#include "sweep.h"

/** What the mode of a point says: that of contact 0, or why there is none. */
typedef enum { SAL_MODE_OPEN, SAL_MODE_CLOSED, SAL_MODE_ENDED, SAL_MODE_LEFT_OUT } sal_kept_mode;

/** One trajectory. */
typedef struct {
  int64_t    at;        /* place of its cell in sweep->stored.cell */
  int        contender; /* in the cube's order; behind the last one the reference */
  double    *state;     /* [n_mesh + 1][n_state], NaN behind the end of a failed run */
  int8_t    *mode;      /* [n_mesh + 1] of sal_kept_mode */
  sal_record record;    /* what the run took; not of the reference, nor of what is left out */
} sal_kept;

typedef struct sal_keep_space sal_keep_space;

/** Units of the whole work: one contender, or the reference, on as many cells as there are lanes.
 *  Neighbours share their cells. */
int64_t sal_keep_units(const sal_sweep *sweep);
/** Units that a rank of n_rank should run at a time: enough for its threads, bounded in memory. */
int64_t sal_keep_most(const sal_sweep *sweep, int n_rank);

/** Work space for at most `most` units at a time; the sweep must outlive it. */
SAL_MUST_CHECK sal_err sal_keep_create(const sal_sweep *sweep, int64_t most, sal_keep_space **out);
void                   sal_keep_destroy(sal_keep_space **space);

/** Runs units on all threads; kept [*n] lies in the space until the next call. */
SAL_MUST_CHECK sal_err sal_keep_run(sal_keep_space *space, const sal_tile *units, int64_t *n,
                                    const sal_kept **kept);

#endif
