/** @file src/multibody/impact.h
 *  Points of the system that hit the ground and stay: the velocities after the impact by projection,
 *  and how much of the energy is lost.
 *
 *  P_a = I - M^-1 G^T (G M^-1 G^T)^-1 G with G the rows of all constraints, those of the closed locks
 *  among them (Kovecses; Zana, Bodor, Bencsik & Zelei 2018, eq. (26)).  P_a q' solves
 *  [M G^T; G 0] [x; p] = [M q'; 0], which exists where M alone is singular, too.
 */
#ifndef SAL_IMPACT_H
#define SAL_IMPACT_H

#include "reduced.h"

/** Kinetic energy before the impact, T = T_a + T_c: what stays (AMSKE), and what is lost (CMSKE,
 *  constrained motion space kinetic energy). */
typedef struct {
  double T, T_a, T_c;
} sal_impact_energy;

/** x = P_a p for p, x [n] in any directions at the solver's point, in its mode; false: the locks
 *  contradict each other or a joint. */
bool sal_impact_project(const sal_reduced *r, const double p[], double x[]);

/** The split of the energy of velocities p [n] that an impact onto the closed locks makes. */
bool sal_impact_energies(const sal_reduced *r, const double p[], sal_impact_energy *out);

#endif
