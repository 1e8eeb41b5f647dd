/** Forces on the bodies: springs, dampers and tires, the road, and inertia. */
#pragma once

#include "system.h"

/* ---- force.c ----
 *  Springs and dampers along a line (TSDA), along an axis and about an angle (RSDA), and vertical
 *  tires.
 */

/** State at which forces are evaluated; closed [n_ground]: of contacts; `pushes`: tires on the
 *  ground only push. */
typedef struct {
  const sal_system *system;
  const double *value, *q, *qd;
  const bool *closed;
  const double *sense; /* [n_grip] which way friction slides */
  bool pushes;
} sal_force_place;

/** The length and its rate, F(l, l') and its derivatives. */
typedef struct {
  double l, rate, F, by_l, by_rate;
} sal_force_state;

/** Evaluates one force there, as if a tire could pull and each spring act on both sides. */
void sal_force_at(const sal_force_place *at, const sal_force *f, sal_force_state *out);
/** Does it act where its length and the rate of that are those of *out?  F and its derivatives there. */
bool sal_force_acts(const sal_force_place *at, const sal_force *f, sal_force_state *out);
/** The angle between two bodies as its spring sees it: within half a turn of its free value where it acts on
 *  both sides. */
double sal_force_angle(const sal_force *f, const double value[], double angle);
/** Adds all forces to Q [n_q]. */
void sal_force_add(const sal_force_place *at, double Q[]);
/** Subtracts Q_q from S and adds Q_q' to V; both [n_q][n_q]. */
void sal_force_slopes(const sal_force_place *at, double S[], double V[]);
/** The gap of a force with a side: above 0 it does not act; *rate: its change along dq [n_q]. */
void sal_force_gap(const sal_force_place *at, const sal_force *f, const double dq[], double *gap,
                   double *rate);
/** The change of F along dq, dqd [n_q]. */
double sal_force_change(const sal_force_place *at, const sal_force *f, const double dq[],
                        const double dqd[]);
/** dl of one force for a change dq [n_q] of positions. */
double sal_force_stretch(const sal_force_place *at, const sal_force *f, const double dq[]);

/* ---- road.c ----
 *  The height of the road below a wheel.
 */

/** Height, slope and curvature at x: flat; the locus of the centre of a rigid disc that rolls over a
 *  half-cylinder, less its radius; or a polygon through points. */
void sal_road_at(const sal_road *road, const double value[], double x, double z[3]);

/** The least length along x on which the road can rise and fall again; infinite: nowhere. */
double sal_road_extent(const sal_road *road, const double value[]);

/* ---- inertia.c ----
 *  Masses and inertias of the bodies: M(q) in blocks, and what velocities make of it.
 *
 *  A spatial body has diag(m I, 4 G^T J G) with w' = 2 G(e) e' in its own frame, and the force
 *  8 G(e')^T J G(e') e that is quadratic in the velocities (Nikravesh; Haug, section 11.3); M alone is
 *  singular in Euler parameters.
 */

/** M of one body, in its coordinates. */
typedef double sal_inertia_block[SAL_ARM][SAL_ARM];

void sal_inertia_of(const sal_system *system, const double value[], const double q[], int body,
                    sal_inertia_block M);
/** y = M x; y, x [n_q]. */
void sal_inertia_times(const sal_system *system, const double value[], const double q[],
                       const double x[], double y[]);
/** Adds gravity and the quadratic force to Q [n_q]. */
void sal_inertia_force(const sal_system *system, const double value[], const double q[],
                       const double qd[], double Q[]);
/** Adds (M x)_q - Q_q to S, and Q_q' to V; both [n_q][n_q]. */
void sal_inertia_slopes(const sal_system *system, const double value[], const double q[],
                        const double qd[], const double x[], double S[], double V[]);
