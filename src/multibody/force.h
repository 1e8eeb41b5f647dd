/** @file src/multibody/force.h
 *  Springs and dampers along a line (TSDA), along an axis and about an angle (RSDA), and vertical
 *  tires.
 */
#ifndef SAL_FORCE_H
#define SAL_FORCE_H

#include "system.h"

/** Where forces are looked at; closed [n_ground] says which contacts are, `pushes` that tires on the
 *  ground only push. */
typedef struct {
  const sal_system *system;
  const double *value, *q, *qd;
  const bool *closed;
  bool pushes;
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
/** dl of one force for a change dq [n_q] of positions. */
double sal_force_stretch(const sal_force_place *at, const sal_force *f, const double dq[]);

#endif
