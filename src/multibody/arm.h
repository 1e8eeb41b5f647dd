/** A vector fixed in a body and its derivatives by the coordinates of the body.
 *
 *  With Euler parameters A(e) = (e0^2 - e.e) I + 2 e e^T + 2 e0 skew(e) is quadratic in e without
 *  use of |e| = 1, so second derivatives are constant and third ones vanish.  Derivatives for a planar body
 *  are rotations of A(theta).
 */
#pragma once

#include "system.h"

/** The vector x and x_q. */
typedef struct {
  double x[3], d[3][SAL_ARM];
} sal_arm_value;

/** Along a direction p: x_qq p, x_qq p p, x_qqq p p. */
typedef struct {
  double d2[3][SAL_ARM], bend[3], d3[3][SAL_ARM];
} sal_arm_turn;

/** x alone. */
void sal_arm_place(const sal_system *system, const double value[], const double q[],
                   const sal_arm *arm, double x[3]);
void sal_arm_at(const sal_system *system, const double value[], const double q[],
                const sal_arm *arm, sal_arm_value *out);
void sal_arm_along(const sal_system *system, const double value[], const double q[],
                   const double p[], const sal_arm *arm, sal_arm_turn *out);
/** Adds sum_c w_c d^2 x_c / dq dq to K. */
void sal_arm_hessian(const sal_system *system, const double value[], const double q[],
                     const sal_arm *arm, const double w[3], double K[SAL_ARM][SAL_ARM]);

/* ---- pair.c ----
 *  A vector between two bodies, with its derivatives by the coordinates of both: those of the first
 *  from 0, those of the second from SAL_ARM.
 */

/** Where everything is looked at: q [n_q], and the numbers of the system. */
typedef struct {
  const sal_system *system;
  const double *value, *q;
} sal_pair_place;

/** x and x_q. */
typedef struct {
  double x[3], d[3][SAL_PAIR];
} sal_pair;

/** Along a direction p: x_q p, x_qq p, x_qq p p, x_qqq p p. */
typedef struct {
  double v[3], d2[3][SAL_PAIR], bend[3], d3[3][SAL_PAIR];
} sal_pair_turn;

/** Adds sign times a vector of one side (0 or 1) to *out. */
void sal_pair_put(const sal_pair_place *at, const sal_arm *arm, int side, double sign,
                  sal_pair *out);
/** The same along p, without v. */
void sal_pair_put_turn(const sal_pair_place *at, const double p[], const sal_arm *arm, int side,
                       double sign, sal_pair_turn *out);
/** Adds factor * w . x_qq of the arm of one side to block. */
void sal_pair_bend(const sal_pair_place *at, const sal_arm *arm, int side, double factor,
                   const double w[3], double block[SAL_PAIR][SAL_PAIR]);
/** Adds a block to S [n_q][n_q]. */
void sal_pair_scatter(const int column[SAL_PAIR], double block[SAL_PAIR][SAL_PAIR], int n_q,
                      double S[]);

/** Row . x over the coordinates that there are. */
double sal_pair_dot(const int column[SAL_PAIR], const double row[SAL_PAIR], const double x[]);
