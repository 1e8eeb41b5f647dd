/** @file kernels/methods/rk.h
 *  Explicit Runge-Kutta pairs whose last stage is the new slope (lane half): a method is its
 *  tableau.
 *
 *  Local extrapolation; err = h |sum e_i k_i|_W, accepted when err <= rtol.
 */
#ifndef SAL_RK_H
#define SAL_RK_H

#include "method.h"

enum { SAL_MAX_RK_DEGREE = 4 };

/** The last row of `table.a` holds the weights of the solution. */
typedef struct {
  int             stages, degree; /* degree of the dense output */
  sal_stage_table table;
  double          e[SAL_MAX_STAGE];               /* [stages] of the error estimate: b - b^ */
  double dense[SAL_MAX_STAGE][SAL_MAX_RK_DEGREE]; /* weight of k_i: sum_j dense[i][j] theta^(j+1) */
  double power;                                   /* 1 / q, where the error is O(h^q) */
  double shrink;                                  /* a failed step shrinks no further than this */
} sal_rk_tableau;

/** The operations of a method, given its tableau (method.h). */
int   SAL_FN(sal_rk_words)(const sal_rk_tableau *tab, int n);
void  SAL_FN(sal_rk_start)(const sal_rk_tableau *tab, sal_step_state *s, sal_m lanes);
sal_m SAL_FN(sal_rk_step)(const sal_rk_tableau *tab, sal_step_state *s, sal_m lanes);
void  SAL_FN(sal_rk_advance)(const sal_rk_tableau *tab, sal_step_state *s, sal_m lanes);

/** Dense output of state i: c[j * stride], j <= degree. */
SAL_INLINE int sal_rk_dense_one(const sal_rk_tableau *tab, const sal_step_state *s, int i,
                                int stride, sal_v c[])
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

/** Defines the operations of method NAME from a tableau in the same file. */
#define SAL_RK_METHOD_OPS(name, tab)                                                               \
  static int   words(int n) { return SAL_FN(sal_rk_words)(tab, n); }                               \
  static void  start(sal_step_state *s, sal_m lanes) { SAL_FN(sal_rk_start)(tab, s, lanes); }      \
  static sal_m step(sal_step_state *s, sal_m lanes) { return SAL_FN(sal_rk_step)(tab, s, lanes); } \
  static void  advance(sal_step_state *s, sal_m lanes) { SAL_FN(sal_rk_advance)(tab, s, lanes); }  \
  static int   dense_one(sal_step_state *s, int i, sal_v c[])                                      \
  {                                                                                                \
    return sal_rk_dense_one(tab, s, i, 1, c);                                                      \
  }                                                                                                \
  static int dense(sal_step_state *s, sal_v c[])                                                   \
  {                                                                                                \
    for (int i = 0; i < s->n; ++i) sal_rk_dense_one(tab, s, i, s->n, c + i);                       \
    return (tab)->degree;                                                                          \
  }                                                                                                \
  static void          retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }             \
  const sal_method_ops SAL_FN(sal_##name) = {.words     = words,                                   \
                                             .start     = start,                                   \
                                             .step      = step,                                    \
                                             .advance   = advance,                                 \
                                             .retry     = retry,                                   \
                                             .dense     = dense,                                   \
                                             .dense_one = dense_one};

#endif
