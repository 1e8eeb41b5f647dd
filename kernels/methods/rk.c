/** @file kernels/methods/rk.c
 *  One step of an explicit pair from its tableau, with the controller of Shampine & Reichelt
 *  (1997). Own memory: k [stages][n], then q = (err / rtol)^power.
 */
#include "rk.h"
#include "control.h"
#include "lane_math.h"
#include "norm.h"
#include "stages.h"
#include "start.h"

int SAL_FN(sal_rk_words)(const sal_rk_tableau *tab, int n) { return tab->stages * n + 1; }

static sal_v *controller_ratio(const sal_rk_tableau *tab, const sal_step_state *s)
{
  return s->mem + tab->stages * s->n;
}

void SAL_FN(sal_rk_start)(const sal_rk_tableau *tab, sal_step_state *s, sal_m lanes)
{
  s->f = s->mem; /* the slope at the start is the first stage */
  sal_start_explicit(s, lanes, 0.8, tab->power);
}

sal_m SAL_FN(sal_rk_step)(const sal_rk_tableau *tab, sal_step_state *s, sal_m lanes)
{
  const int n = s->n, last = tab->stages - 1;
  sal_v    *k    = s->mem, e[SAL_MAX_STATE];
  sal_norm  norm = sal_norm_none();

  const sal_step step = {s->t, s->h, s->tn, s->y};
  s->flow->stages(&s->phase, &step, &tab->table, 1, last, k, s->yn);
  sal_count(&s->n_rhs, lanes, last);
  s->fn = k + last * n;
  if (s->fixed > 0) return lanes;
  sal_stages_sum(n, tab->stages, tab->e, k, e);
  for (int i = 0; i < n; ++i)
    sal_norm_add(&norm, sal_abs(e[i]),
                 sal_max(sal_max(sal_abs(s->y[i]), sal_abs(s->yn[i])), sal_set(s->thr)));
  const sal_v err           = sal_norm_ratio(&norm, s->h, s->rtol);
  const sal_v q             = sal_lane_rough_pow(err, tab->power);
  const sal_m ok            = lanes & sal_le(err, sal_set(1));
  *controller_ratio(tab, s) = q;
  sal_control_shrink(s, lanes & ~ok, q, 0.8, tab->shrink, 0.5);
  return ok;
}

void SAL_FN(sal_rk_advance)(const sal_rk_tableau *tab, sal_step_state *s, sal_m lanes)
{
  sal_assign(s->n, lanes, s->f, s->fn);
  if (s->fixed <= 0) sal_control_grow(s, lanes, *controller_ratio(tab, s));
}
