/** Simplified Newton iteration for one implicit stage, and what the trapezoidal family shares
 *  around it (lane half), inlined into methods whose number of states `n` may be known then (sizes.h).
 *
 *  The unknown is the scaled slope z = h f(t, base + d z).  M = I - h d J is factorised once per
 *  step size; J is kept until the iteration is too slow with an old one.  Hosea & Shampine, Appl.
 *  Numer. Math. 20 (1996) 21-37; the rate test is that of Shampine & Reichelt (1997).
 */
#pragma once

#include "control.h"
#include "lane_math.h"
#include "matrix.h"
#include "norm.h"

/** Lives in the method's memory; M and piv are [n][row]. */
typedef struct {
  sal_v *M;
  sal_m *piv;
  sal_v *h_lu;  /* [1] the step size of the factors; 0: none yet */
  sal_v *rate;  /* [1] convergence rate kept from these factors; < 0: none */
  sal_m *fresh; /* [1] lanes whose J is from this (t, y) */
  sal_v *q;     /* [1] (err / rtol)^(1/3) of the last trial */
} sal_newton;

/** Words of memory for n states, and the pieces of a block that large. */
SAL_INLINE int sal_newton_words(int n, int row) { return 2 * n * row + 4; }
SAL_INLINE sal_newton sal_newton_split(int n, const sal_step_state *s, sal_v *mem)
{
  const int size = n * sal_matrix_row(n, s);
  sal_v *single = mem + 2 * size;

  return (sal_newton){.M = mem,
                      .piv = (sal_m *)(void *)(mem + size),
                      .h_lu = single,
                      .rate = single + 1,
                      .fresh = (sal_m *)(void *)(single + 2),
                      .q = single + 3};
}

/** Forgets factors and rate after a (re)start: J is fresh. */
SAL_INLINE void sal_newton_reset(const sal_newton *w, sal_m lanes)
{
  *w->h_lu = sal_sel(lanes, sal_set(0), *w->h_lu);
  *w->rate = sal_sel(lanes, sal_set(-1), *w->rate);
  *w->fresh = sal_pick(lanes, ~sal_none(), *w->fresh);
}

/** Forms J anew in `lanes`: s->f is Newton's slope, too rough a base for differences. */
void SAL_FN(sal_newton_renew)(sal_step_state *s, sal_m lanes, const sal_newton *w);
#define sal_newton_renew SAL_FN(sal_newton_renew)

/** New factors in the lanes where the step size or J changed.  Factors of the same J and h are the
 *  same bits, so they may be formed again in every lane. */
SAL_INLINE void sal_newton_factorise(int n, sal_step_state *s, sal_m lanes, const sal_newton *w,
                                     double d)
{
  const sal_m need = lanes & ~sal_eq(s->h, *w->h_lu);

  if (!sal_any(need)) return;
  const sal_v h = sal_sel(need, s->h, *w->h_lu);
  *w->h_lu = h;
  *w->rate = sal_sel(need, sal_set(-1), *w->rate);
  sal_matrix_shift(n, s, h * d, w->M);
  sal_matrix_factorise(n, s, w->M, w->piv);
  sal_method_count_lu(s, need, 1);
}

/** The iterations of one solve: the lanes at work, those that have converged, the last change. */
typedef struct {
  sal_m todo, converged;
  sal_v size;
} sal_newton_run;

SAL_INLINE sal_v sal_newton_power(sal_v x, int k)
{
  sal_v p = sal_set(1);
  for (int i = 0; i < k; ++i) p = p * x;
  return p;
}

/** Judges iteration k = 1 .. most, whose change was `size` in the weighted norm, by the rate of
 *  convergence: a lane is done when the change is mere rounding, or what is left is
 *  at most `goal`, after the first iteration, with a rate kept from these factors (< 0: none),
 *  `at_once`; it is given up when it is too slow to get there. */
SAL_INLINE void sal_newton_judge(sal_newton_run *run, int k, int most, sal_v size, double at_once,
                                 double goal, sal_v *rate)
{
  const double too_slow = 0.9;
  const sal_m todo = run->todo;
  sal_m done = todo & sal_le(size, sal_set(100 * 0x1p-52)), slow = sal_none();

  if (k == 1) {
    const sal_m known = sal_ge(*rate, sal_set(0));
    const sal_v left = size * *rate / (1.0 - *rate);
    done |= todo & known & sal_le(left, sal_set(at_once));
  } else {
    slow = todo & ~done & ~sal_le(size, too_slow * run->size);
    const sal_v now = sal_max(0.9 * sal_max(*rate, sal_set(0)), size / run->size);
    const sal_m on = todo & ~slow;
    const sal_v left = size * now / (1.0 - now);
    *rate = sal_sel(on, now, *rate);
    done |= on & sal_le(left, sal_set(goal));
    slow |= on & ~done & sal_lt(sal_set(goal), left * sal_newton_power(now, most - k));
  }
  run->size = sal_sel(todo, size, run->size);
  run->converged |= done;
  run->todo = todo & ~(done | slow);
}

/** One correction of z [n] in the lanes still at work; returns its weighted size. */
SAL_INLINE sal_v sal_newton_correct(int n, sal_step_state *s, sal_m todo, const sal_newton *w,
                                    double d, sal_v t, const sal_v base[], sal_v z[])
{
  sal_v stage[SAL_MAX_STATE], slope[SAL_MAX_STATE], delta[SAL_MAX_STATE];
  sal_norm norm = sal_norm_none();

  for (int i = 0; i < n; ++i) stage[i] = base[i] + d * z[i];
  s->flow->rhs(&s->phase, t, stage, slope);
  for (int i = 0; i < n; ++i) delta[i] = s->h * slope[i] - z[i];
  sal_matrix_substitute(n, s, w->M, w->piv, delta);
  for (int i = 0; i < n; ++i) {
    z[i] = sal_sel(todo, z[i] + delta[i], z[i]);
    sal_norm_add(&norm, sal_abs(d * delta[i]),
                 sal_max(sal_max(sal_abs(s->y[i]), sal_abs(stage[i])), s->thr[i]));
  }
  sal_count(&s->n_rhs, todo, 1);
  sal_method_count_solve(s, todo, 1);
  return sal_norm_ratio(&norm, sal_set(1), 1);
}

/** Iterates z [n] at time t; returns the lanes that converged. */
SAL_INLINE sal_m sal_newton_solve(int n, sal_step_state *s, sal_m lanes, const sal_newton *w,
                                  double d, sal_v t, const sal_v base[], sal_v z[])
{
  enum { MAX_ITERATION = 5 };
  const double at_once = 0.05 * s->rtol; /* with a kept rate */
  const double later = 0.1 * s->rtol;
  sal_newton_run run = {lanes, sal_none(), sal_set(0)};

  for (int k = 1; k <= MAX_ITERATION && sal_any(run.todo); ++k)
    sal_newton_judge(&run, k, MAX_ITERATION, sal_newton_correct(n, s, run.todo, w, d, t, base, z),
                     at_once, later, w->rate);
  return run.converged;
}

/** Tries to solve the stages of a method in the lanes given.  It is called twice where the first try
 *  fails, and sets its unknowns under the mask it is given. */
typedef sal_m sal_newton_stages(int n, sal_step_state *s, sal_m lanes);

/** One whole step of a method.  Renews J once where it was old and the iteration too slow
 *  (n_renewed); lanes that stay slow get absh = 0.3 h. */
SAL_INLINE sal_m sal_newton_step(int n, sal_step_state *s, sal_m lanes, const sal_newton *w,
                                 double d, sal_newton_stages *stages)
{
  const double after_slow = 0.3;
  sal_m ok = sal_none(), todo = lanes;

  for (;;) {
    sal_newton_factorise(n, s, todo, w, d);
    ok |= stages(n, s, todo);
    todo &= ~ok & ~*w->fresh;
    if (!sal_any(todo)) break;
    sal_count(&s->n_renewed, todo, 1);
    sal_newton_renew(s, todo, w);
    *w->h_lu = sal_sel(todo, sal_set(0), *w->h_lu);
  }
  const sal_m slow = lanes & ~ok;
  s->absh = sal_sel(slow, sal_max(after_slow * s->h, s->hmin), s->absh);
  return ok;
}

/** The error test and the controller of methods whose estimate e [n], filtered by M^-1 first, is
 *  O(h^3).  It has to contain f(t, y), else a kink before the first stage is not seen. */
SAL_INLINE sal_m sal_newton_test(int n, sal_step_state *s, sal_m lanes, const sal_newton *w,
                                 sal_v e[])
{
  if (s->fixed > 0) return lanes;
  sal_matrix_substitute(n, s, w->M, w->piv, e);
  sal_method_count_solve(s, lanes, 1);

  const sal_v err = sal_norm_of(n, s->thr, e, s->y, s->yn) / s->rtol;
  const sal_m ok = lanes & sal_le(err, sal_set(1));
  *w->q = sal_sel(lanes, sal_lane_rough_pow(err, 1.0 / 3), *w->q);
  sal_control_shrink(s, lanes & ~ok, *w->q, 0.7, 0.1, 0.5);
  return ok;
}

/** In `advance`: the size of the next step.  Small changes are not worth new factors. */
SAL_INLINE void sal_newton_grow(sal_step_state *s, sal_m lanes, const sal_newton *w)
{
  const sal_v wish = sal_max(0.7 / *w->q, sal_set(0.2));
  const sal_v ratio = sal_min(sal_min(wish, sal_set(5)), s->hmax / s->absh);
  const sal_m moves = lanes & sal_gt(sal_abs(ratio - 1.0), sal_set(0.2));

  *w->fresh &= ~lanes;
  if (s->fixed > 0)
    sal_control_fix(s, lanes);
  else
    s->absh = sal_sel(moves, ratio * s->absh, s->absh);
}
