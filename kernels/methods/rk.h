/** @file kernels/methods/rk.h
 *  Explicit Runge-Kutta pairs whose last stage is the new slope: a method is its tableau (lane
 * half).
 *
 *  Local extrapolation; err = h |sum e_i k_i|_W, accepted when err <= rtol.
 */
#ifndef SAL_RK_H
#define SAL_RK_H

#include "start.h"

enum { SAL_MAX_RK_DEGREE = 4 };

/** The last row of `table.a` holds the weights of the solution. */
typedef struct {
  int             stages, degree; /* degree of the dense output */
  sal_stage_table table;
  double          e[SAL_MAX_STAGE];               /* [stages] weights of the error estimate */
  double dense[SAL_MAX_STAGE][SAL_MAX_RK_DEGREE]; /* weight of k_i: sum_j dense[i][j] theta^(j+1) */
  double power;                                   /* 1 / (order of the estimate) */
  double shrink;                                  /* a failed step shrinks no further than this */
} sal_tableau;

/** The functions of a scheme, given its tableau. */
int   SAL_FN(sal_rk_words)(const sal_tableau *tab, int n);
void  SAL_FN(sal_rk_start)(const sal_tableau *tab, sal_stepper *s, sal_m lanes);
sal_m SAL_FN(sal_rk_trial)(const sal_tableau *tab, sal_stepper *s, sal_m lanes);
void  SAL_FN(sal_rk_advance)(const sal_tableau *tab, sal_stepper *s, sal_m lanes);
int   SAL_FN(sal_rk_dense)(const sal_tableau *tab, sal_stepper *s, sal_v c[]);

/** Defines the scheme NAME from a tableau in the same file. */
#define SAL_RK_SCHEME(name, tab)                                                                   \
  static int   words(int n) { return SAL_FN(sal_rk_words)(tab, n); }                               \
  static void  start(sal_stepper *s, sal_m lanes) { SAL_FN(sal_rk_start)(tab, s, lanes); }         \
  static sal_m trial(sal_stepper *s, sal_m lanes) { return SAL_FN(sal_rk_trial)(tab, s, lanes); }  \
  static void  advance(sal_stepper *s, sal_m lanes) { SAL_FN(sal_rk_advance)(tab, s, lanes); }     \
  static int   dense(sal_stepper *s, sal_v c[]) { return SAL_FN(sal_rk_dense)(tab, s, c); }        \
  static void  retry(sal_stepper *s, sal_m lanes) { (void)s, (void)lanes; }                        \
  const sal_scheme SAL_FN(sal_##name) = {words, start, trial, advance, retry, dense};

#endif
