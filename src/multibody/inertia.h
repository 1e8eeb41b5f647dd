/** @file src/multibody/inertia.h
 *  Masses and inertias of the bodies: M(q) in blocks, and what velocities make of it.
 *
 *  A spatial body has diag(m I, 4 G^T J G) with w' = 2 G(e) e' in its own frame, and the force
 *  8 G(e')^T J G(e') e that is quadratic in the velocities (Nikravesh; Haug, section 11.3); M alone is
 *  singular in Euler parameters.
 */
#ifndef SAL_INERTIA_H
#define SAL_INERTIA_H

#include "system.h"

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

#endif
