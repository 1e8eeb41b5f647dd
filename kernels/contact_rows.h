/** Rows of the contacts that take part in an event, for contact_jump.c. */
#pragma once

#include "contact_motion.h"

enum { SAL_TOUCH_ROWS = 2 * SAL_TOUCH_MOST };

/** Rates or accelerations of m contacts, by impulses or forces: w = W r + u, rows normal and along by turns. */
typedef struct {
  int m, of[SAL_TOUCH_MOST];                       /* the contacts */
  double row[SAL_TOUCH_ROWS][SAL_TOUCH_MOST];      /* gradients */
  double response[SAL_TOUCH_ROWS][SAL_TOUCH_MOST]; /* M^-1 row' */
  double W[SAL_TOUCH_ROWS * SAL_TOUCH_ROWS];       /* [2 m][2 m] */
  double u[SAL_TOUCH_ROWS], r[SAL_TOUCH_ROWS], w[SAL_TOUCH_ROWS];
  double size[SAL_TOUCH_ROWS];                      /* of the terms of u */
  double mu[SAL_TOUCH_MOST], sense[SAL_TOUCH_MOST]; /* as in contact_friction.h */
  int slides[SAL_TOUCH_MOST];
} sal_contact_rows;

/** Accelerations without forces of contacts, free [n], and Cholesky's factors of M, L [n][n]. */
void sal_contact_rows_fall(const sal_contact_motion *s, double L[], double free[]);
/** The rows of the contacts in `takes` [m]: u accelerations by free [n], or rates where it is NULL. */
void sal_contact_rows_pose(const sal_contact_motion *s, const sal_contact_mode mode[],
                           const bool takes[], const double free[], const double L[],
                           sal_contact_rows *p);
/** r, w and slides, with friction; false: not solved. */
bool sal_contact_rows_solve(sal_contact_rows *p);
/** r of the normal rows without friction. */
bool sal_contact_rows_push(sal_contact_rows *p);
/** r so that W r + u = 0 in the rows of `bound` [2 m], as far as they are independent: by pivots on the diagonal. */
void sal_contact_rows_bind(sal_contact_rows *p, const bool bound[]);
/** Adds M^-1 row' r of all rows to x [n]. */
void sal_contact_rows_respond(const sal_contact_rows *p, int n, double x[]);

double sal_contact_rows_largest(int n, const double a[]); /* of |a| */
double sal_contact_rows_dot(int n, const double a[], const double b[]);
