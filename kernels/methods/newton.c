/** @file kernels/methods/newton.c
 *  Simplified Newton iteration and controller of ode23t and ode23tb.
 */
#include "newton.h"
#include "control.h"
#include "jacobian.h"
#include "lane_math.h"
#include "linear.h"
#include "norm.h"

enum { MAX_ITERATION = 5 };
static const double fraction_first = 0.05; /* of rtol: accepted at once with a remembered rate */
static const double fraction       = 0.1;  /* of rtol: accepted later */
static const double too_slow       = 0.9;
static const double after_slow     = 0.3; /* step size ratio */

int sal_newton_words(int n) { return 2 * n * n + 2 * n + 4; }

sal_newton sal_newton_split(int n, sal_v *mem)
{
  sal_v *single = mem + 2 * n * n + 2 * n;

  return (sal_newton){.M     = mem,
                      .piv   = (sal_m *)(void *)(mem + n * n),
                      .delta = mem + 2 * n * n,
                      .stage = mem + 2 * n * n + n,
                      .h_lu  = single,
                      .rate  = single + 1,
                      .fresh = (sal_m *)(void *)(single + 2),
                      .q     = single + 3};
}

void sal_newton_reset(const sal_newton *w, sal_m lanes)
{
  *w->h_lu  = sal_sel(lanes, sal_set(0), *w->h_lu);
  *w->rate  = sal_sel(lanes, sal_set(-1), *w->rate);
  *w->fresh = sal_pick(lanes, ~sal_none(), *w->fresh);
}

/* Factors of the same J and h are the same bits, so they may be formed again in every lane. */
void sal_newton_factorise(sal_step_state *s, sal_m lanes, const sal_newton *w, double d)
{
  const int   n    = s->n;
  const sal_m need = lanes & ~sal_eq(s->h, *w->h_lu);

  if (!sal_any(need)) return;
  *w->h_lu = sal_sel(need, s->h, *w->h_lu);
  *w->rate = sal_sel(need, sal_set(-1), *w->rate);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      w->M[i * n + j] = (i == j ? 1.0 : 0.0) - *w->h_lu * d * s->J[i * n + j];
  sal_linear_factorise(n, w->M, w->piv);
  sal_method_count_lu(s, need, 1);
}

/* One correction of z in the lanes still at work; returns its weighted size. */
static sal_v newton_correct(sal_step_state *s, sal_m todo, const sal_newton *w, double d, sal_v t,
                            const sal_v base[], sal_v z[])
{
  const int n    = s->n;
  sal_norm  norm = sal_norm_none();

  for (int i = 0; i < n; ++i) w->stage[i] = base[i] + d * z[i];
  sal_method_rhs(s, todo, t, w->stage, w->delta);
  for (int i = 0; i < n; ++i) w->delta[i] = s->h * w->delta[i] - z[i];
  sal_linear_solve(n, w->M, w->piv, w->delta);
  sal_method_count_solve(s, todo, 1);
  for (int i = 0; i < n; ++i) {
    z[i] = sal_sel(todo, z[i] + w->delta[i], z[i]);
    sal_norm_add(&norm, sal_abs(d * w->delta[i]),
                 sal_max(sal_max(sal_abs(s->y[i]), sal_abs(w->stage[i])), sal_set(s->thr)));
  }
  return sal_norm_ratio(&norm, sal_set(1), 1);
}

static sal_v power_of(sal_v x, int k)
{
  sal_v p = sal_set(1);
  for (int i = 0; i < k; ++i) p = p * x;
  return p;
}

void sal_newton_judge(sal_newton_run *run, int k, int most, sal_v size, double at_once, double goal,
                      sal_v *rate)
{
  const sal_m todo = run->todo;
  sal_m       done = todo & sal_le(size, sal_set(100 * 0x1p-52)), slow = sal_none();

  if (k == 1) {
    const sal_m known = sal_ge(*rate, sal_set(0));
    const sal_v left  = size * *rate / (1.0 - *rate);
    done |= todo & known & sal_le(left, sal_set(at_once));
  } else {
    slow             = todo & ~done & ~sal_le(size, too_slow * run->size);
    const sal_v now  = sal_max(0.9 * sal_max(*rate, sal_set(0)), size / run->size);
    const sal_m on   = todo & ~slow;
    const sal_v left = size * now / (1.0 - now);
    *rate            = sal_sel(on, now, *rate);
    done |= on & sal_le(left, sal_set(goal));
    slow |= on & ~done & sal_lt(sal_set(goal), left * power_of(now, most - k));
  }
  run->size = sal_sel(todo, size, run->size);
  run->converged |= done;
  run->todo = todo & ~(done | slow);
}

sal_m sal_newton_solve(sal_step_state *s, sal_m lanes, const sal_newton *w, double d, sal_v t,
                       const sal_v base[], sal_v z[])
{
  sal_newton_run run = {lanes, sal_none(), sal_set(0)};

  for (int k = 1; k <= MAX_ITERATION && sal_any(run.todo); ++k)
    sal_newton_judge(&run, k, MAX_ITERATION, newton_correct(s, run.todo, w, d, t, base, z),
                     fraction_first * s->rtol, fraction * s->rtol, w->rate);
  return run.converged;
}

/* s->f is Newton's slope. */
static void newton_renew_jacobian(sal_step_state *s, sal_m lanes, const sal_newton *w)
{
  sal_method_rhs(s, lanes, s->t, s->y, w->delta);
  sal_jacobian_form_from(s, lanes, w->delta);
  *w->fresh |= lanes;
}

sal_m sal_newton_step(sal_step_state *s, sal_m lanes, const sal_newton *w, double d,
                      sal_m (*stages)(sal_step_state *s, sal_m lanes))
{
  sal_newton_factorise(s, lanes, w, d);
  sal_m ok = stages(s, lanes);

  const sal_m renew = lanes & ~ok & ~*w->fresh;
  if (sal_any(renew)) {
    sal_count(&s->n_renewed, renew, 1);
    newton_renew_jacobian(s, renew, w);
    *w->h_lu = sal_sel(renew, sal_set(0), *w->h_lu);
    sal_newton_factorise(s, renew, w, d);
    ok |= stages(s, renew);
  }
  const sal_m slow = lanes & ~ok;
  s->absh          = sal_sel(slow, sal_max(after_slow * s->h, s->hmin), s->absh);
  return ok;
}

sal_m sal_newton_test(sal_step_state *s, sal_m lanes, const sal_newton *w, sal_v e[])
{
  if (s->fixed > 0) return lanes;
  sal_linear_solve(s->n, w->M, w->piv, e);
  sal_method_count_solve(s, lanes, 1);

  const sal_v err = sal_norm_weighted(s, e, s->y, s->yn) / s->rtol;
  const sal_m ok  = lanes & sal_le(err, sal_set(1));
  *w->q           = sal_sel(lanes, sal_lane_rough_pow(err, 1.0 / 3), *w->q);
  sal_control_shrink(s, lanes & ~ok, *w->q, 0.7, 0.1, 0.5);
  return ok;
}

/* Small changes are not worth new factors. */
void sal_newton_grow(sal_step_state *s, sal_m lanes, const sal_newton *w)
{
  const sal_v wish  = sal_max(0.7 / *w->q, sal_set(0.2));
  const sal_v ratio = sal_min(sal_min(wish, sal_set(5)), s->hmax / s->absh);
  const sal_m moves = lanes & sal_gt(sal_abs(ratio - 1.0), sal_set(0.2));

  *w->fresh &= ~lanes;
  if (s->fixed > 0)
    sal_control_fix(s, lanes);
  else
    s->absh = sal_sel(moves, ratio * s->absh, s->absh);
}
