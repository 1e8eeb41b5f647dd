/** Explicit Runge-Kutta pairs (lane half): a method is its tableau. */
#pragma once

#include "tableau.h"

/** The operations of a method, given its tableau (method.h). */
int SAL_FN(sal_rk_words)(const sal_tableau *tab, int n);
void SAL_FN(sal_rk_start)(const sal_tableau *tab, sal_step_state *s, sal_m lanes);
sal_m SAL_FN(sal_rk_step)(const sal_tableau *tab, sal_step_state *s, sal_m lanes);
void SAL_FN(sal_rk_advance)(const sal_tableau *tab, sal_step_state *s, sal_m lanes);

#define sal_rk_words SAL_FN(sal_rk_words)
#define sal_rk_start SAL_FN(sal_rk_start)
#define sal_rk_step SAL_FN(sal_rk_step)
#define sal_rk_advance SAL_FN(sal_rk_advance)

/** Dense output of state i: c[j * stride], j <= degree. */
SAL_INLINE int sal_rk_dense_one(const sal_tableau *tab, const sal_step_state *s, int i, int stride,
                                sal_v c[])
{
  const sal_v *k = s->mem;

  c[0] = s->y[i];
  for (int j = 0; j < tab->degree; ++j) {
    sal_v sum = sal_set(0);
    for (int stage = 0; stage < tab->stages; ++stage)
      if (tab->dense[stage][j] != 0) sum += tab->dense[stage][j] * k[stage * s->n + i];
    c[(j + 1) * stride] = s->h * sum;
  }
  return tab->degree;
}

/** Defines the operations of method NAME from the tableau of that name, but for its dense output: the
 *  functions more_, dense and dense_one (method.h) of this file. */
#define SAL_RK_METHOD_OPS(name, more_)                                                             \
  static int words(int n, int row)                                                                 \
  {                                                                                                \
    (void)row;                                                                                     \
    return sal_rk_words(&sal_tableau_##name, n);                                                   \
  }                                                                                                \
  static void start(sal_step_state *s, sal_m lanes)                                                \
  {                                                                                                \
    sal_rk_start(&sal_tableau_##name, s, lanes);                                                   \
  }                                                                                                \
  static sal_m step(sal_step_state *s, sal_m lanes)                                                \
  {                                                                                                \
    return sal_rk_step(&sal_tableau_##name, s, lanes);                                             \
  }                                                                                                \
  static void advance(sal_step_state *s, sal_m lanes)                                              \
  {                                                                                                \
    sal_rk_advance(&sal_tableau_##name, s, lanes);                                                 \
  }                                                                                                \
  static void retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }                      \
  const sal_method_ops SAL_FN(sal_##name) = {.pair = 1 + SAL_TABLEAU_##name,                       \
                                             .words = words,                                       \
                                             .start = start,                                       \
                                             .step = step,                                         \
                                             .advance = advance,                                   \
                                             .retry = retry,                                       \
                                             .more = more_,                                        \
                                             .dense = dense,                                       \
                                             .dense_one = dense_one};

/** The same with the dense output of the tableau. */
#define SAL_RK_METHOD_OPS_DENSE(name)                                                              \
  static int dense_one(sal_step_state *s, int i, sal_v c[])                                        \
  {                                                                                                \
    return sal_rk_dense_one(&sal_tableau_##name, s, i, 1, c);                                      \
  }                                                                                                \
  static int dense(sal_step_state *s, sal_v c[])                                                   \
  {                                                                                                \
    for (int i = 0; i < s->n; ++i) sal_rk_dense_one(&sal_tableau_##name, s, i, s->n, c + i);       \
    return sal_tableau_##name.degree;                                                              \
  }                                                                                                \
  SAL_RK_METHOD_OPS(name, NULL)
