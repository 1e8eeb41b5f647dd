/** @file src/multibody/force.h
 *  Springs and dampers along a line (TSDA), along an axis and about an angle (RSDA), and vertical
 *  tires.
 */
#ifndef SAL_FORCE_H
#define SAL_FORCE_H

#include "system.h"

/** Where forces are looked at; closed [n_ground] says which contacts are. */
typedef struct {
  const sal_system *system;
  const double     *value, *q, *qd;
  const bool       *closed;
} sal_force_place;

/** The length and its rate: F = k (l - l0) + c l'. */
typedef struct {
  double l, rate, F;
} sal_force_state;

/** What one force is there, as if a tire could pull. */
void sal_force_at(const sal_force_place *at, const sal_force *f, sal_force_state *out);
/** Adds all forces to Q [n_q]. */
void sal_force_add(const sal_force_place *at, double Q[]);
/** Subtracts Q_q from S and adds Q_q' to V; both [n_q][n_q]. */
void sal_force_slopes(const sal_force_place *at, double S[], double V[]);
/** dF of one force for changes dq, dqd [n_q] of positions and velocities. */
double sal_force_rate(const sal_force_place *at, const sal_force *f, const double dq[],
                      const double dqd[]);
/** Stiffness of a force there. */
double sal_force_stiffness(const sal_force_place *at, const sal_force *f);

#endif
