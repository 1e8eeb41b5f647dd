/** @file kernels/strategies/root.c
 *  Illinois iteration on the dense output.  Shampine & Thompson, Comput. Math. Appl. 39 (2000)
 * 43-54.
 */
#include "root.h"

enum { MAX_ITERATION = 100 };

sal_v sal_probe_at(const sal_probe *p, sal_v theta, bool rate)
{
  const sal_stepper  *s  = p->d->step;
  const sal_contacts *at = p->at;
  const sal_v        *of = rate ? at->ra : at->ga;
  sal_v               f  = sal_set(0);

  sal_dense_state(p->d, theta, at->ya);
  if (rate) sal_dense_slope(p->d, theta, at->yb);
  sal_contacts_look(s, at, s->t + theta * s->h, at->ya, at->yb, at->ga, at->ra);
  for (int k = 0; k < at->n; ++k) f = sal_sel(at->chosen[k], at->side[k] * of[k], f);
  return rate ? f : f - p->level;
}

sal_v sal_root_resolution(const sal_stepper *s)
{
  return 128.0 * sal_max(sal_spacing(s->t), sal_spacing(s->tn)) / s->h;
}

sal_v sal_root_between(const sal_probe *p, sal_m todo, sal_v a, sal_v fa, sal_v b, sal_v fb,
                       bool rate)
{
  const sal_stepper *s          = p->d->step;
  const sal_v        resolution = sal_root_resolution(s);
  sal_m              right_kept = sal_none(), left_kept = sal_none();

  todo &= sal_gt(sal_abs(b - a), resolution);
  for (int i = 0; i < MAX_ITERATION && sal_any(todo); ++i) {
    const sal_v half  = 0.5 * resolution;
    const sal_v wish  = fa - fb,
                x     = sal_sel(sal_eq(wish, sal_set(0)), 0.5 * (a + b), a + (b - a) * (fa / wish));
    const sal_v inner = sal_min(sal_max(x, a + half), b - half);
    const sal_v f     = sal_probe_at(p, inner, rate);
    const sal_m same_as_a = SAL_MASK((f > 0) == (fa > 0)) & ~sal_eq(f, sal_set(0));
    const sal_m to_a = todo & same_as_a, to_b = todo & ~same_as_a;

    a          = sal_sel(to_a, inner, a);
    fa         = sal_sel(to_a, f, fa);
    fb         = sal_sel(to_a & right_kept, 0.5 * fb, fb);
    b          = sal_sel(to_b, inner, b);
    fb         = sal_sel(to_b, f, fb);
    fa         = sal_sel(to_b & left_kept, 0.5 * fa, fa);
    right_kept = to_a;
    left_kept  = to_b;
    todo &= sal_gt(b - a, resolution);
  }
  return b;
}
