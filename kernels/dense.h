/** Dense output of the current step (lane half): one polynomial per state, whatever the method. */
#pragma once

#include "method.h"

/** Made at most once per step, and only when it is needed. */
typedef struct {
  sal_step_state *step;
  double origin;
  int rhs;    /* evaluations of f that it costs */
  bool ready; /* what it takes beyond the step has been made */
  int degree; /* -1: not made yet */
  sal_m paid; /* lanes in which the cost has been counted */
  sal_v *c;   /* [SAL_MAX_DEGREE + 1][n] */
  int one_degree;
  sal_v one_c[SAL_MAX_DEGREE + 1];
} sal_dense;

/** Forgets the dense output of the step before. */
SAL_INLINE void sal_dense_begin(sal_dense *d)
{
  d->degree = -1;
  d->ready = false;
  d->paid = sal_none();
}

/** Makes what the dense output takes beyond the step, and counts its cost in `lanes`. */
void SAL_FN(sal_dense_prepare)(sal_dense *d, sal_m lanes);
/** Makes the dense output of this step if need be, and counts its cost in `lanes`. */
void SAL_FN(sal_dense_make)(sal_dense *d, sal_m lanes);
/** The same where state i alone is needed: in one_c, of one_degree, unless all are made already or
 *  would not cost more; returns whether they are there. */
bool SAL_FN(sal_dense_make_one)(sal_dense *d, int i, sal_m lanes);
/** State [n_state] at t + theta h, once it is made. */
void SAL_FN(sal_dense_state)(const sal_dense *d, sal_v theta, sal_v y[]);
/** Its derivative with respect to time. */
void SAL_FN(sal_dense_slope)(const sal_dense *d, sal_v theta, sal_v dy[]);

#define sal_dense_prepare SAL_FN(sal_dense_prepare)
#define sal_dense_make SAL_FN(sal_dense_make)
#define sal_dense_make_one SAL_FN(sal_dense_make_one)
#define sal_dense_state SAL_FN(sal_dense_state)
#define sal_dense_slope SAL_FN(sal_dense_slope)
