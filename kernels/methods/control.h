/** @file kernels/methods/control.h
 *  The step size controller of the explicit and Rosenbrock methods (lane half).
 *  Shampine & Reichelt, SIAM J. Sci. Comput. 18 (1997) 1-22.
 */
#ifndef SAL_CONTROL_H
#define SAL_CONTROL_H

#include "method.h"

/** Sets absh behind a step that passed.  q = (err / rtol)^power of that step decides, as in section
 *  "step size" of the paper: safety 0.8, growth at most 5, and no change behind a step that had
 *  failures. */
SAL_INLINE void sal_control_grow(sal_step_state *s, sal_m lanes, sal_v q)
{
  const sal_m clean = lanes & ~s->again;
  const sal_v wish  = 1.25 * q;

  s->absh =
      sal_sel(clean, sal_sel(sal_gt(wish, sal_set(0.2)), s->absh / wish, 5.0 * s->absh), s->absh);
}

/** Sets absh after a failed error test: absh times max(least, safety / q) at the first failure of a
 *  step and `later` (0: the same rule) at the others; never below hmin.  A NaN counts as the worst
 *  error. */
SAL_INLINE void sal_control_shrink(sal_step_state *s, sal_m failed, sal_v q, double safety,
                                   double least, double later)
{
  if (!sal_any(failed)) return;
  const sal_v first = sal_max(safety / q, sal_set(least));
  const sal_v ratio = later > 0 ? sal_sel(s->again, sal_set(later), first) : first;

  s->absh = sal_sel(failed, sal_max(ratio * s->absh, s->hmin), s->absh);
}

/** In `advance` with fixed steps: lanes whose step had to be shortened get the size back. */
SAL_INLINE void sal_control_fix(sal_step_state *s, sal_m lanes)
{
  s->absh = sal_sel(lanes & s->again, sal_set(s->fixed), s->absh);
}

#endif
