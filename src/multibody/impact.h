/** Points of the system that hit the ground and stay: the velocities after the impact by projection.
 *
 *  P_a = I - M^-1 G^T (G M^-1 G^T)^-1 G with G the rows of all constraints, those of the closed locks
 *  among them (Kovecses; Zana, Bodor, Bencsik & Zelei 2018, eq. (26)).  P_a q' solves
 *  [M G^T; G 0] [x; p] = [M q'; 0], which exists where M alone is singular, too.
 */
#pragma once

#include "reduced.h"

/** x = P_a p for p, x [n] in any directions at the solver's point, in its mode.  false: the locks contradict each other or a joint. */
bool sal_impact_project(const sal_reduced *r, const double p[], double x[]);

/* ---- lock.c ----
 *  A point that lands on the ground and stays there until the ground would have to pull.
 *
 *  Two contacts model this, as in the model hopping-leg: the first one closes where the point lands and
 *  opens where the multiplier of the ground rises through 0; the second one, the load, records whether it
 *  has been below 0 since, without which nothing is released (Zana, Bodor, Bencsik & Zelei 2018 have
 *  that rule without saying so).
 */

/** Which of the two contacts are closed in a frozen mode. */
typedef struct {
  bool stands, loaded;
} sal_lock_mode;

/** Gaps and rates of contact and load along a slope dy of the state, which moves q by dq. */
void sal_lock_gaps(sal_reduced *r, const sal_ground *g, sal_lock_mode mode, const double dy[],
                   const double dq[], double gap[2], double rate[2]);

/** The multiplier of a closed lock, below 0 while the ground pushes, and its rate along dy. */
void sal_lock_multiplier(sal_reduced *r, const sal_ground *g, const double dy[], double *gap,
                         double *rate);

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

/** How far the point of a rigid contact is beyond the ends of its segment, below 0 between them; *rate along dq (NULL:
 *  is not wanted). */
double sal_rigid_beyond(const sal_reduced *r, const sal_ground *g, const double dq[], double *rate);
/** The gap of a rigid contact: its height, or how far it is beyond its segment. */
double sal_rigid_gap(const sal_reduced *r, const sal_ground *g);
/** Does a closed rigid contact, or friction that holds at one, follow from others, of several (state_space.h, rigid_together.c)? */
bool sal_rigid_together_is_redundant(const sal_reduced *r);

/* ---- grip.c ----
 *  Friction of a contact of planar bodies, after Coulomb: |F| = mu N against the slip where it slides, and
 *  a multiplier of at most still N where it holds.
 *
 *  It has a contact of its own: closed, it holds, by a constraint on the slip along the plane.  The
 *  sense of slip is a discrete state.
 */

/** Along which a gap changes: of the state, of positions and of velocities. */
typedef struct {
  const double *dy, *dq, *dqd;
} sal_grip_slope;

/** The speed of slip. */
double sal_grip_speed(const sal_reduced *r, const sal_ground *g);

/** The sense of slip at the initial state, -1 or 1. */
double sal_grip_start(const sal_system *system, const sal_ground *g);

/** The gap of grip k and its rate: |multiplier| - still N where it `holds`, sense * speed where it slides, 1
 *  where the force does not act, or where other contacts determine the slip. */
void sal_grip_gap(sal_reduced *r, int k, bool holds, const sal_grip_slope *along, double *gap,
                  double *rate);

/** Grip k closes, or opens: puts the speed of slip at 0.  True where it holds; else *sense is the way that it
 *  slides.  At the start of a run with another given sense than that of its velocities these stay. */
bool sal_grip_holds(sal_reduced *r, int k, bool closes, double y[], double *sense);

/** The force of grip k begins or ceases to act: the same; it slides, *sense by the speed, but where the
 *  speed is 0. */
bool sal_grip_lands(sal_reduced *r, int k, double y[], double *sense);
