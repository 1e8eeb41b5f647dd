/** Zeros on the dense output: Chandrupatla, Adv. Eng. Software 28 (1997) 145-149, from the caller's
 *  first guess; on smooth gaps two or three evaluations are enough.
 */
#include "root.h"

enum { MAX_ITERATION = 100 };

sal_v sal_root_value(const sal_root_probe *p, sal_m lanes, sal_v theta, bool rate)
{
  sal_step_state *s = p->d->step;
  const sal_contacts *at = p->at;
  const sal_v *of = rate ? at->ra : at->ga;
  sal_v f = sal_set(0);

  sal_dense_state(p->d, theta, at->ya);
  if (rate) sal_dense_slope(p->d, theta, at->yb);
  sal_contacts_look(s, at, lanes, s->t + theta * s->h, at->ya, at->yb, at->ga, at->ra);
  for (int k = 0; k < at->n; ++k) f = sal_sel(at->chosen[k], at->side[k] * of[k], f);
  return rate ? f : f - p->level;
}

sal_v sal_root_resolution(const sal_step_state *s)
{
  return 128.0 * sal_max(sal_lane_spacing(s->t), sal_lane_spacing(s->tn)) / s->h;
}

/** A bracket: `near` is the newest point, `far` the end on the other side of the zero, `old` the
 *  point that `near` or `far` took the place of. */
typedef struct {
  sal_v near, f_near, far, f_far, old, f_old;
  sal_m on_a; /* the newest point is on the side of the end a */
} bracket;

/* Where the parabola x(f) through the three points is 0, if it passes Chandrupatla's test (*good);
 * else the middle of the bracket.  Only ratios of f are used, so a gap of any size will do. */
static sal_v next_candidate(const bracket *k, sal_m *good)
{
  const sal_v one = sal_set(1), A = k->f_near / k->f_far, C = k->f_old / k->f_far;
  const sal_v whole = sal_abs(k->old - k->far), part = sal_abs(k->near - k->far);
  const sal_v room = (one - C) * (one - C);
  const sal_v ahead = k->far - k->near;
  const sal_v t = A * (C * (C - A) - (k->old - k->near) / ahead * (one - A)) /
                  ((one - A) * (one - C) * (C - A));

  *good = sal_lt((one - A) * (one - A) * whole, part * room) &
          sal_lt((A - C) * (A - C) * whole, (whole - part) * room) & ~sal_eq(k->f_far, sal_set(0));
  const sal_v x = sal_sel(*good, k->near + t * ahead, 0.5 * (k->near + k->far));
  return sal_sel(sal_eq(k->f_far, sal_set(0)), k->far, x);
}

static void update_bracket(bracket *k, sal_m todo, sal_v x, sal_v f, sal_m on_a)
{
  const sal_m same = SAL_MASK(on_a == k->on_a), turn = todo & ~same;

  k->old = sal_sel(todo, sal_sel(same, k->near, k->far), k->old);
  k->f_old = sal_sel(todo, sal_sel(same, k->f_near, k->f_far), k->f_old);
  k->far = sal_sel(turn, k->near, k->far);
  k->f_far = sal_sel(turn, k->f_near, k->f_far);
  k->near = sal_sel(todo, x, k->near);
  k->f_near = sal_sel(todo, f, k->f_near);
  k->on_a = sal_pick(todo, on_a, k->on_a);
}

/* Returns the lanes that are done: the two ends are close, or the parabola puts the zero close to
 * the newest point; then `end` is just after it. */
static sal_m bracket_done(const bracket *k, sal_m todo, sal_v resolution, sal_v x, sal_m good,
                          sal_v *end)
{
  const sal_m shut = todo & sal_le(sal_abs(k->near - k->far), resolution);
  const sal_m sure = todo & ~shut & good & sal_le(sal_abs(x - k->near), 0.25 * resolution);
  const sal_v beyond = x + resolution * 0x1p-6; /* by two spacings of time */

  *end = sal_sel(shut, sal_sel(k->on_a, k->far, k->near), *end);
  *end = sal_sel(sure, sal_sel(k->on_a, beyond, k->near), *end);
  return shut | sure;
}

sal_v sal_root_between(const sal_root_probe *p, sal_m todo, sal_v a, sal_v fa, sal_v b, sal_v fb,
                       sal_v guess, bool rate, sal_m *leap)
{
  const sal_v resolution = sal_root_resolution(p->d->step), half = 0.5 * resolution;
  const sal_v chord = a + (b - a) * (fa / (fa - fb));
  const sal_m usable = sal_gt(guess, a) & sal_lt(guess, b);
  bracket k = {.near = b, .f_near = fb, .far = a, .f_far = fa, .old = a, .f_old = fa};
  sal_v end = b;
  sal_v x = sal_sel(usable, guess, sal_sel(sal_eq(fa, fb), 0.5 * (a + b), chord));
  const sal_m wide = todo & sal_gt(b - a, 64.0 * resolution);
  sal_m good;

  todo &= sal_gt(sal_abs(b - a), resolution);
  for (int i = 0; i < MAX_ITERATION && sal_any(todo); ++i) {
    const sal_v low = sal_min(k.near, k.far), high = sal_max(k.near, k.far);
    const sal_v inner = sal_min(sal_max(x, low + half), high - half);
    const sal_v f = sal_root_value(p, todo, inner, rate);
    const sal_m on_a = SAL_MASK((f > 0) == (fa > 0)) & ~sal_eq(f, sal_set(0));

    update_bracket(&k, todo, inner, f, on_a);
    x = next_candidate(&k, &good);
    todo &= ~bracket_done(&k, todo, resolution, x, good, &end);
  }
  const sal_m shut = wide & sal_le(sal_abs(k.near - k.far), resolution);
  if (leap) *leap |= shut & sal_gt(2.0 * sal_abs(k.f_near - k.f_far), sal_abs(fa - fb));
  return sal_sel(todo, sal_sel(k.on_a, k.far, k.near), end);
}
