/** Points of the system that hit the ground and stay: the velocities after the impact by projection.
 *
 *  P_a = I - M^-1 G^T (G M^-1 G^T)^-1 G with G the rows of all constraints, those of the closed locks
 *  among them (Kovecses; Zana, Bodor, Bencsik & Zelei 2018, eq. (26)).  P_a q' solves
 *  [M G^T; G 0] [x; p] = [M q'; 0], which exists where M alone is singular, too.
 */
#pragma once

#include "reduced.h"

/** x = P_a p for p, x [n] in any directions at the solver's point, in its mode; impulse [n_c], NULL or
 *  what each closed lock takes, below 0 where it pushes.  false: the locks contradict each other or a joint. */
bool sal_impact_project(const sal_reduced *r, const double p[], double x[], double impulse[]);

/** The same for the velocities of the solver's point, where what contact k holds, its gap or what slides, changes at
 *  `speed` afterwards, and friction that slides at rigid contacts gives mu of their impulses. */
bool sal_impact_strike(const sal_reduced *r, int k, double speed, double x[], double impulse[]);

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

/* ---- rigid.c ----
 *  A rigid contact with restitution: dM v = G^T L at its impact, held by its multiplier while it is closed.
 *
 *  Newton's law: the speed v of the gap becomes -e v.  With P_a of this contact and the closed ones
 *  the velocities become q' + (1 + e) (P_a q' - q'), which leaves the closed ones closed and takes a share of
 *  1 - e^2 of the kinetic energy of q' - P_a q'.  A closed contact that would have to pull takes no part, and
 *  opens.
 */

/** The gap of a rigid contact and its rate: its multiplier where it `stands`, else the distance. */
void sal_rigid_gap(sal_reduced *r, const sal_ground *g, bool stands, const double dy[],
                   const double dq[], double *gap, double *rate);

/** Contact k closes: the impact, in the mode closed [n_ground] with k among them; afterwards closed has
 *  the contacts that stay closed.  rests: without rebound. */
void sal_rigid_close(sal_reduced *r, int k, bool rests, double y[], bool closed[]);

/** Contact k opens, as its multiplier would have to pull; the same. */
void sal_rigid_open(sal_reduced *r, int k, double y[], bool closed[]);

/** Puts the rigid contacts that were closed onto their surfaces: those that still are, then, by some roundings above,
 *  those that are not. */
void sal_rigid_place(sal_reduced *r, const bool before[], const bool closed[], double y[]);

/** Does a closed rigid contact, or friction that holds at one, follow from others, among contacts that may be one problem
 *  (state_space.h, rigid_together.c)? */
bool sal_rigid_together_is_redundant(const sal_reduced *r);

/* ---- slip.c ----
 *  Rigid contacts with friction: impacts, release, stick and slip.
 *
 *  Where such a contact closes its speed v becomes -e v by impulses M dv = G^T L (Newton) and what slides comes to rest, if that
 *  takes at most `static` of the normal impulse; else friction gives mu of it against the slip (Coulomb).  So do the
 *  other contacts that are closed.  Afterwards, and where friction changes, all that does not slide holds, unless the
 *  forces break it, one after the other, the one that exceeds its bound by most first.
 */

/** Variables that a jump changes: states, modes and senses of slip. */
typedef struct {
  sal_reduced *r;
  double t, *y;  /* v, v' */
  bool *closed;  /* [n_ground] */
  double *sense; /* [n_grip] */
} sal_slip_jump;

/** Has any rigid contact friction? */
bool sal_slip_has_any(const sal_system *system);
/** Rigid contact k closes; rests: without rebound. */
void sal_slip_close(const sal_slip_jump *jump, int k, bool rests);
/** Rigid contact k opens. */
void sal_slip_open(const sal_slip_jump *jump, int k);
/** Friction k of a rigid contact closes, as its slip has come to rest, or opens, as what holds exceeds its bound. */
void sal_slip_change(const sal_slip_jump *jump, int k, bool closes);

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

/** The most that friction holds at the solver's point, which has its accelerations. */
double sal_grip_bound(const sal_reduced *r, const sal_ground *g);

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
