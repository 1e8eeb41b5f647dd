/** @file kernels/methods/rk.h
 *  Explicit Runge-Kutta pairs (lane half): a method is its tableau.
 */
#ifndef SAL_RK_H
#define SAL_RK_H

#include "method.h"
#include "tableau.h"

/** The operations of a method, given its tableau (method.h). */
int   SAL_FN(sal_rk_words)(const sal_tableau *tab, int n);
void  SAL_FN(sal_rk_start)(const sal_tableau *tab, sal_step_state *s, sal_m lanes);
sal_m SAL_FN(sal_rk_step)(const sal_tableau *tab, sal_step_state *s, sal_m lanes);
void  SAL_FN(sal_rk_advance)(const sal_tableau *tab, sal_step_state *s, sal_m lanes);
int   SAL_FN(sal_rk_dense)(const sal_tableau *tab, sal_step_state *s, sal_v c[]);

#define sal_rk_words   SAL_FN(sal_rk_words)
#define sal_rk_start   SAL_FN(sal_rk_start)
#define sal_rk_step    SAL_FN(sal_rk_step)
#define sal_rk_advance SAL_FN(sal_rk_advance)
#define sal_rk_dense   SAL_FN(sal_rk_dense)

/** Defines the operations of method NAME from the tableau of that name and a function that makes its
 *  dense output, sal_rk_dense or one like it. */
#define SAL_RK_METHOD_OPS(name, make_dense)                                                         \
  static int  words(int n) { return sal_rk_words(&sal_tableau_##name, n); }                         \
  static void start(sal_step_state *s, sal_m lanes)                                                 \
  {                                                                                                 \
    sal_rk_start(&sal_tableau_##name, s, lanes);                                                    \
  }                                                                                                 \
  static sal_m step(sal_step_state *s, sal_m lanes)                                                 \
  {                                                                                                 \
    return sal_rk_step(&sal_tableau_##name, s, lanes);                                              \
  }                                                                                                 \
  static void advance(sal_step_state *s, sal_m lanes)                                               \
  {                                                                                                 \
    sal_rk_advance(&sal_tableau_##name, s, lanes);                                                  \
  }                                                                                                 \
  static int  dense(sal_step_state *s, sal_v c[]) { return make_dense(&sal_tableau_##name, s, c); } \
  static void retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }                       \
  const sal_method_ops SAL_FN(sal_##name) = {.pair    = 1 + SAL_TABLEAU_##name,                     \
                                             .words   = words,                                      \
                                             .start   = start,                                      \
                                             .step    = step,                                       \
                                             .advance = advance,                                    \
                                             .retry   = retry,                                      \
                                             .dense   = dense};

#endif
