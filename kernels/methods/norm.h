/** The weighted norm of every error test (lane half).
 *
 *      |e|_W = max_i |e_i| / w_i,    w_i = max(|a_i|, |b_i|, thr),    thr = atol / rtol.
 *
 *  Shampine & Reichelt, SIAM J. Sci. Comput. 18 (1997) 1-22.
 */
#pragma once

#include "method.h"

/** The largest of some fractions, found without dividing.  A fraction that is NaN or overflows
 *  makes the result NaN. */
typedef struct {
  sal_v top, bottom;
  sal_m lost;
} sal_norm;

SAL_INLINE sal_norm sal_norm_none(void) { return (sal_norm){sal_set(0), sal_set(1), sal_none()}; }

SAL_INLINE void sal_norm_add(sal_norm *w, sal_v top, sal_v bottom)
{
  const sal_m larger = sal_gt(top * w->bottom, w->top * bottom);

  w->top = sal_sel(larger, top, w->top);
  w->bottom = sal_sel(larger, bottom, w->bottom);
  w->lost |= ~(sal_lt(top, sal_set(INFINITY)) & sal_lt(bottom, sal_set(INFINITY)));
}

/** The largest fraction times `by`, over `over`. */
SAL_INLINE sal_v sal_norm_ratio(const sal_norm *w, sal_v by, double over)
{
  return sal_sel(w->lost, sal_set(NAN), by * w->top / (w->bottom * over));
}

/** The largest of some sizes, each at least 0; NaN where one of them is. */
typedef struct {
  sal_v top, sum;
} sal_norm_sizes;

SAL_INLINE sal_norm_sizes sal_norm_no_sizes(void)
{
  return (sal_norm_sizes){sal_set(0), sal_set(0)};
}

SAL_INLINE void sal_norm_add_size(sal_norm_sizes *w, sal_v size)
{
  w->top = sal_max(size, w->top);
  w->sum += size;
}

SAL_INLINE sal_v sal_norm_size(const sal_norm_sizes *w)
{
  return sal_sel(sal_eq(w->sum, w->sum), w->top, w->sum);
}

/** |e|_W of e [n] with the weights of a and b [n]. */
SAL_INLINE sal_v sal_norm_of(int n, const sal_v thr[], const sal_v e[], const sal_v a[],
                             const sal_v b[])
{
  sal_norm norm = sal_norm_none();

  for (int i = 0; i < n; ++i)
    sal_norm_add(&norm, sal_abs(e[i]), sal_max(sal_max(sal_abs(a[i]), sal_abs(b[i])), thr[i]));
  return sal_norm_ratio(&norm, sal_set(1), 1);
}
SAL_INLINE sal_v sal_norm_weighted(const sal_step_state *s, const sal_v e[], const sal_v a[],
                                   const sal_v b[])
{
  return sal_norm_of(s->n, s->thr, e, a, b);
}

/** The root mean square of e_i / w_i with the same weights: where many components share an error it is
 *  as large as |e|_W, and smaller where few have it.  NaN where a fraction is not a number or overflows. */
SAL_INLINE sal_v sal_norm_mean_square(int n, const sal_v thr[], const sal_v e[], const sal_v a[],
                                      const sal_v b[])
{
  sal_v sum = sal_set(0);

  for (int i = 0; i < n; ++i) {
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): e has n components */
    const sal_v part = e[i] / sal_max(sal_max(sal_abs(a[i]), sal_abs(b[i])), thr[i]);
    sum += part * part;
  }
  return sal_sel(sal_lt(sum, sal_set(INFINITY)), sal_sqrt(sum / (double)n), sal_set(NAN));
}
