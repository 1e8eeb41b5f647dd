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
  sal_start_explicit(s, lanes, 0.8, tab->power);
  sal_assign(s->n, lanes, s->mem, s->f);
}

void SAL_FN(sal_rk_stages)(const sal_tableau *tab, sal_stepper *s, sal_m lanes, sal_v k[])
{
  const int n = s->n, last = tab->stages - 1;

  for (int stage = 1; stage <= last; ++stage) {
    const double *a = tab->a[stage];
    for (int i = 0; i < n; ++i) {
      sal_v sum = a[0] * k[i];
      for (int j = 1; j < stage; ++j) sum += a[j] * k[j * n + i];
      s->yn[i] = s->y[i] + s->h * sum;
    }
    sal_rhs(s, lanes, tab->c[stage] == 1.0 ? s->tn : s->t + tab->c[stage] * s->h, s->yn,
            k + stage * n);
  }
}

sal_m SAL_FN(sal_rk_trial)(const sal_tableau *tab, sal_stepper *s, sal_m lanes)
{
  const int n     = s->n;
  sal_v    *k     = s->mem;
  sal_worst worst = {sal_set(0), sal_set(1)};

  SAL_FN(sal_rk_stages)(tab, s, lanes, k);
  s->fn = k + (tab->stages - 1) * n;
  if (s->fixed > 0) return lanes;
  for (int i = 0; i < n; ++i) {
    sal_v e = tab->e[0] * k[i];
    for (int j = 1; j < tab->stages; ++j) e += tab->e[j] * k[j * n + i];
    sal_worst_add(&worst, sal_abs(e),
                  sal_max(sal_max(sal_abs(s->y[i]), sal_abs(s->yn[i])), sal_set(s->thr)));
  }
  const sal_v err = s->h * worst.top / (worst.bottom * s->rtol);
  const sal_v q   = sal_pow(err, tab->power);
  const sal_m ok  = lanes & sal_le(err, sal_set(1));
  *ratio(tab, s)  = q;
  sal_shrink(s, lanes & ~ok, q, 0.8, tab->shrink, 0.5);
  return ok;
}

void SAL_FN(sal_rk_advance)(const sal_tableau *tab, sal_stepper *s, sal_m lanes)
{
  sal_assign(s->n, lanes, s->f, s->fn);
  sal_assign(s->n, lanes, s->mem, s->fn);
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
