/** @file src/study/continuation.h
 *  Pseudo-arclength continuation of the fixed points of a family: a branch with its special points.
 */
#ifndef SAL_CONTINUATION_H
#define SAL_CONTINUATION_H

#include "walk.h"

/** Which way from the start, by the first parameter. */
typedef enum {
  SAL_CONTINUATION_BOTH,
  SAL_CONTINUATION_UP,
  SAL_CONTINUATION_DOWN
} sal_continuation_way;

typedef struct {
  sal_walk_setup walk;
  sal_continuation_way way;
  int n_most;                /* points each way, special ones not counted */
  const double *x;           /* [n] guess of the fixed point at walk.lambda */
  bool leaves;               /* the start is a period doubling of half the returns: leave along the
                                  eigenvector to -1 of the map that makes half of them, given here: */
  const double *eigenvector; /* [n] */
  /** Called after each step; may be NULL. */
  void (*report)(void *listener, const sal_branch_point *point, int64_t n);
  void *listener;
} sal_continuation;

/** Follows the branch through the start to the ends of the range, to where it was to stop, or as far
 *  as it goes; the reason stands in the words of its first and last point.  A branch that cannot be
 *  continued is not a failure; SAL_ERR_INPUT without an orbit at the start.  branch: initialised here,
 *  the caller frees it, also after a failure. */
SAL_MUST_CHECK sal_err sal_continuation_run(const sal_continuation *c, sal_branch *branch);

/** The eigenvector [n] of dP/dx at a fixed point to the real eigenvalue next to -1, of length 1 where
 *  each coordinate is divided by its size.  Fails where none is near. */
SAL_MUST_CHECK sal_err sal_continuation_eigenvector(const sal_family *family, const double x[],
                                                    const double lambda[], double eigenvector[]);

#endif
