/** @file src/multibody/lock.h
 *  A point that lands on the ground and stays there until the ground would have to pull.
 *
 *  Two contacts say so, as in the model hopping-leg: the first one closes where the point lands and
 *  opens where the multiplier of the ground rises through 0; the second one, the load, says whether it
 *  has been below 0 since, without which nothing is released (Zana, Bodor, Bencsik & Zelei 2018 have
 *  that rule without saying so).
 */
#ifndef SAL_LOCK_H
#define SAL_LOCK_H

#include "reduced.h"

/** Which of the two contacts are closed in a frozen mode. */
typedef struct {
  bool stands, loaded;
} sal_lock_mode;

/** Gaps and rates of contact and load along a slope dy of the state, which moves q by dq. */
void sal_lock_gaps(sal_reduced *r, const sal_ground *g, sal_lock_mode mode, const double dy[],
                   const double dq[], double gap[2], double rate[2]);

/** The point has landed: puts y = (v, v') on the ground and projects the velocities; *loaded: does
 *  the ground push at once?  The solver is in the mode with the lock closed. */
void sal_lock_land(sal_reduced *r, const sal_ground *g, double y[], bool *loaded);

/** The multiplier has risen to 0: true where the point leaves, false where it would not move up and
 *  therefore stays. */
bool sal_lock_release(sal_reduced *r, const sal_ground *g, double y[]);

/** The multiplier has fallen to 0: puts it below by what rounding may be. */
void sal_lock_load(sal_reduced *r, const sal_ground *g, double y[]);

/** Sets the accelerations of coordinates that closed locks hold to exactly 0; dy [2 n_v]. */
void sal_lock_hold(const sal_reduced *r, double dy[]);

#endif
