/** @file kernels/methods/rk.c
 *  One step of an explicit pair from its tableau, with the controller of Shampine & Reichelt
 * (1997). Own memory: k [stages][n], then q = (err / rtol)^power.
 */
#include "rk.h"

int SAL_FN(sal_rk_words)(const sal_tableau *tab, int n) { return tab->stages * n + 1; }

static sal_v *ratio(const sal_tableau *tab, const sal_stepper *s)
{
  return s->mem + tab->stages * s->n;
}

void SAL_FN(sal_rk_start)(const sal_tableau *tab, sal_stepper *s, sal_m lanes)
{
  s->f = s->mem; /* the slope at the start is the first stage */
  sal_start_explicit(s, lanes, 0.8, tab->power);
}

sal_m SAL_FN(sal_rk_trial)(const sal_tableau *tab, sal_stepper *s, sal_m lanes)
{
  const int n = s->n, last = tab->stages - 1;
  sal_v    *k     = s->mem, e[SAL_MAX_STATE];
  sal_worst worst = sal_worst_none();

  const sal_attempt step = {s->t, s->h, s->tn, s->y};
  s->flow->stages(&s->phase, &step, &tab->table, 1, last, k, s->yn);
  sal_count(&s->n_rhs, lanes, last);
  s->fn = k + last * n;
  if (s->fixed > 0) return lanes;
  sal_weigh(n, tab->stages, tab->e, k, e);
  for (int i = 0; i < n; ++i)
    sal_worst_add(&worst, sal_abs(e[i]),
                  sal_max(sal_max(sal_abs(s->y[i]), sal_abs(s->yn[i])), sal_set(s->thr)));
  const sal_v err = sal_worst_ratio(&worst, s->h, s->rtol);
  const sal_v q   = sal_rough_pow(err, tab->power);
  const sal_m ok  = lanes & sal_le(err, sal_set(1));
  *ratio(tab, s)  = q;
  sal_shrink(s, lanes & ~ok, q, 0.8, tab->shrink, 0.5);
  return ok;
}

void SAL_FN(sal_rk_advance)(const sal_tableau *tab, sal_stepper *s, sal_m lanes)
{
  sal_assign(s->n, lanes, s->f, s->fn);
  if (s->fixed <= 0) sal_grow(s, lanes, *ratio(tab, s));
}

int SAL_FN(sal_rk_dense)(const sal_tableau *tab, sal_stepper *s, sal_v c[])
{
  const int    n = s->n;
  const sal_v *k = s->mem;

  for (int i = 0; i < n; ++i) {
    c[i] = s->y[i];
    for (int j = 0; j < tab->degree; ++j) {
      sal_v sum = sal_set(0);
      for (int stage = 0; stage < tab->stages; ++stage)
        sum += tab->dense[stage][j] * k[stage * n + i];
      c[(j + 1) * n + i] = s->h * sum;
    }
  }
  return tab->degree;
}
