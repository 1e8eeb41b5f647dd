/** @file src/multibody/pair.h
 *  A vector between two bodies, with its derivatives by the coordinates of both: those of the first
 *  from 0, those of the second from SAL_ARM.
 */
#ifndef SAL_PAIR_H
#define SAL_PAIR_H

#include "system.h"

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

#endif
