/** The step size controller of the explicit and Rosenbrock methods (lane half).
 *  Shampine & Reichelt, SIAM J. Sci. Comput. 18 (1997) 1-22.
 */
#pragma once

#include "method.h"

/* A step that would end within a tenth of its size of t_end ends there. */
#define SAL_CONTROL_REACH 1.1

/** Size after a step that passed, in lanes of `clean` that had no failures: see sal_control_grow. */
SAL_INLINE sal_v sal_control_grown(sal_v absh, sal_m clean, sal_v q)
{
  const sal_v wish = 1.25 * q;

  return sal_sel(clean, sal_sel(sal_gt(wish, sal_set(0.2)), absh / wish, 5.0 * absh), absh);
}

/** Sets absh after a step that passed.  q = (err / rtol)^power of that step decides, as in section
 *  "step size" of the paper: safety 0.8, growth at most 5, and no change after a step that had
 *  failures. */
SAL_INLINE void sal_control_grow(sal_step_state *s, sal_m lanes, sal_v q)
{
  s->absh = sal_control_grown(s->absh, lanes & ~s->again, q);
}

/** Size after a failed error test: see sal_control_shrink. */
SAL_INLINE sal_v sal_control_shrunk(sal_v absh, sal_v hmin, sal_m again, sal_m failed, sal_v q,
                                    double safety, double least, double later)
{
  const sal_v first = sal_max(safety / q, sal_set(least));
  const sal_v ratio = later > 0 ? sal_sel(again, sal_set(later), first) : first;

  return sal_sel(failed, sal_max(ratio * absh, hmin), absh);
}

/** Sets absh after a failed error test: absh times max(least, safety / q) at the first failure of a
 *  step and `later` (0: the same rule) at the others; never below hmin.  A NaN counts as the worst
 *  error. */
SAL_INLINE void sal_control_shrink(sal_step_state *s, sal_m failed, sal_v q, double safety,
                                   double least, double later)
{
  if (sal_any(failed))
    s->absh = sal_control_shrunk(s->absh, s->hmin, s->again, failed, q, safety, least, later);
}

/** Ends of the steps of size absh.  In lanes of `fresh` they are stretched to t_end where that is
 *  less than `reach` times as far. */
SAL_INLINE void sal_control_set_out(sal_m fresh, sal_v t, sal_v t_end, double reach, sal_v *absh,
                                    sal_v *tn, sal_v *h)
{
  const sal_v rest = t_end - t;
  const sal_m last = fresh & sal_ge(reach * *absh, rest);

  *absh = sal_sel(last, rest, *absh);
  *tn = sal_sel(last, t_end, t + *absh);
  *h = *tn - t;
}

/** In `advance` with fixed steps: lanes whose step had to be shortened get the size back. */
SAL_INLINE void sal_control_fix(sal_step_state *s, sal_m lanes)
{
  s->absh = sal_sel(lanes & s->again, sal_set(s->fixed), s->absh);
}
