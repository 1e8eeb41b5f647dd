/** The constraint primitives Dot-1, Dot-2, point and distance: values and derivatives to third order.
 *
 *  Each is u . w - const with two vectors of arm.h, so the product rule gives all of them; the rows
 *  are in the local coordinates of the constraint (sal_constraint.column).
 */
#pragma once

#include "system.h"

/** A row of the constraint Jacobian, or of another derivative, by local coordinates. */
typedef double sal_constraint_row[SAL_PAIR];

/** Derivatives of a constraint along a direction p. */
typedef struct {
  sal_constraint_row along; /* Phi_qq p = (Phi_q p)_q */
  sal_constraint_row third; /* (Phi_qq p p)_q */
  double bend;              /* Phi_qq p p */
} sal_constraint_turn;

/** Phi. */
double sal_constraint_value(const sal_system *system, const double value[], const double q[],
                            const sal_constraint *c);
/** Phi_q. */
void sal_constraint_slope(const sal_system *system, const double value[], const double q[],
                          const sal_constraint *c, sal_constraint_row row);
/** Derivatives along p [n_q]. */
void sal_constraint_along(const sal_system *system, const double value[], const double q[],
                          const double p[], const sal_constraint *c, sal_constraint_turn *out);
/** Adds factor * Phi_qq to block, in local coordinates; of all kinds but the norm. */
void sal_constraint_bend(const sal_system *system, const double value[], const double q[],
                         const sal_constraint *c, double factor, double block[SAL_PAIR][SAL_PAIR]);
/** Adds factor * Phi_qq to S [n_q][n_q]. */
void sal_constraint_hessian(const sal_system *system, const double value[], const double q[],
                            const sal_constraint *c, double factor, double S[]);

/** Is its row the same everywhere? */
bool sal_constraint_is_constant(const sal_system *s, const sal_constraint *c);
