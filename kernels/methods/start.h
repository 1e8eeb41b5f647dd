/** @file kernels/methods/start.h
 *  What the methods share: the weighted norm, the first step, the step controllers (lane half).
 *  Shampine & Reichelt, SIAM J. Sci. Comput. 18 (1997) 1-22.
 */
#ifndef SAL_START_H
#define SAL_START_H

#include "lane_math.h"
#include "method.h"

/** A fraction whose largest value is kept without dividing; one that is NaN or overflows wins over
 *  everything, as NaN. */
typedef struct {
  sal_v top, bottom;
  sal_m lost;
} sal_worst;

SAL_INLINE sal_worst sal_worst_none(void)
{
  return (sal_worst){sal_set(0), sal_set(1), sal_none()};
}

SAL_INLINE void sal_worst_add(sal_worst *w, sal_v top, sal_v bottom)
{
  const sal_m larger = sal_gt(top * w->bottom, w->top * bottom);

  w->top    = sal_sel(larger, top, w->top);
  w->bottom = sal_sel(larger, bottom, w->bottom);
  w->lost |= ~(sal_lt(top, sal_set(INFINITY)) & sal_lt(bottom, sal_set(INFINITY)));
}

/** The fraction times `by`, over `over`. */
SAL_INLINE sal_v sal_worst_ratio(const sal_worst *w, sal_v by, double over)
{
  return sal_sel(w->lost, sal_set(NAN), by * w->top / (w->bottom * over));
}

/** out_i = sum_j w_j k[j][i] over `terms` slopes, i < n; four states at a time stay in registers.
 */
SAL_INLINE void sal_weigh(int n, int terms, const double w[], const sal_v k[], sal_v out[])
{
  int i = 0;

  for (; i + 4 <= n; i += 4) {
    sal_v sum[4];
    for (int l = 0; l < 4; ++l) sum[l] = w[0] * k[i + l];
    for (int j = 1; j < terms; ++j)
      if (w[j] != 0)
        for (int l = 0; l < 4; ++l) sum[l] += w[j] * k[j * n + i + l];
    for (int l = 0; l < 4; ++l) out[i + l] = sum[l];
  }
  for (; i < n; ++i) {
    out[i] = w[0] * k[i];
    for (int j = 1; j < terms; ++j) out[i] += w[j] * k[j * n + i];
  }
}

/** max_i |e_i| / max(|a_i|, |b_i|, thr): the norm of every error test here. */
SAL_INLINE sal_v sal_weighted(const sal_stepper *s, const sal_v e[], const sal_v a[],
                              const sal_v b[])
{
  sal_worst worst = sal_worst_none();

  for (int i = 0; i < s->n; ++i)
    sal_worst_add(&worst, sal_abs(e[i]),
                  sal_max(sal_max(sal_abs(a[i]), sal_abs(b[i])), sal_set(s->thr)));
  return sal_worst_ratio(&worst, sal_set(1), 1);
}

/** Evaluates f at (t, y) and sets the first step of an explicit method in `lanes`:
 *  absh = min(hmax, interval, factor rtol^power / |f|_W). */
void SAL_FN(sal_start_explicit)(sal_stepper *s, sal_m lanes, double factor, double power);

/** The same for the stiff methods, from the slope and then from the curvature
 *  y'' ~ df/dt + J f.  Leaves the Jacobian in s->J and df/dt in s->T. */
void SAL_FN(sal_start_stiff)(sal_stepper *s, sal_m lanes, double power);

/** s->J at (t, y) in `lanes`, by forward differences from s->f or from the model. */
void SAL_FN(sal_form_jacobian)(sal_stepper *s, sal_m lanes);

/** s->T = df/dt at (t, y) in `lanes`, by a forward difference from s->f; `reach` is the step ahead.
 */
void SAL_FN(sal_form_time_slope)(sal_stepper *s, sal_m lanes, sal_v reach);

#define sal_start_explicit  SAL_FN(sal_start_explicit)
#define sal_start_stiff     SAL_FN(sal_start_stiff)
#define sal_form_jacobian   SAL_FN(sal_form_jacobian)
#define sal_form_time_slope SAL_FN(sal_form_time_slope)

/** q = (err / rtol)^power of the last trial decides the next size, section "step size" of Shampine
 * & Reichelt: safety 0.8, growth at most 5, and no change behind a step that had failures. */
SAL_INLINE void sal_grow(sal_stepper *s, sal_m lanes, sal_v q)
{
  const sal_m clean = lanes & ~s->again;
  const sal_v wish  = 1.25 * q;

  s->absh =
      sal_sel(clean, sal_sel(sal_gt(wish, sal_set(0.2)), s->absh / wish, 5.0 * s->absh), s->absh);
}

/** After a failed error test: absh times max(least, 0.8 / q) at the first failure of a step and
 *  `later` (0: the same rule) at the others; never below hmin.  A NaN counts as the worst error. */
SAL_INLINE void sal_shrink(sal_stepper *s, sal_m failed, sal_v q, double safety, double least,
                           double later)
{
  if (!sal_any(failed)) return;
  const sal_v first = sal_max(safety / q, sal_set(least));
  const sal_v ratio = later > 0 ? sal_sel(s->again, sal_set(later), first) : first;

  s->absh = sal_sel(failed, sal_max(ratio * s->absh, s->hmin), s->absh);
}

#endif
