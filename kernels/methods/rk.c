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

/* out = base + h sum_j w_j k_j over `terms` slopes.  Always inlined with a constant number of
 * terms, so that the sum is unrolled and its weights stay in registers. */
SAL_INLINE void combine(int terms, int n, const double w[], const sal_v base[], sal_v h,
                        const sal_v k[], sal_v out[])
{
  for (int i = 0; i < n; ++i) {
    sal_v sum = w[0] * k[i];
    for (int j = 1; j < terms; ++j) sum += w[j] * k[j * n + i];
    out[i] = base ? base[i] + h * sum : sum;
  }
}

static void add_up(int terms, int n, const double w[], const sal_v base[], sal_v h, const sal_v k[],
                   sal_v out[])
{
  switch (terms) {
  case 1:
    combine(1, n, w, base, h, k, out);
    break;
  case 2:
    combine(2, n, w, base, h, k, out);
    break;
  case 3:
    combine(3, n, w, base, h, k, out);
    break;
  case 4:
    combine(4, n, w, base, h, k, out);
    break;
  case 5:
    combine(5, n, w, base, h, k, out);
    break;
  case 6:
    combine(6, n, w, base, h, k, out);
    break;
  case 7:
    combine(7, n, w, base, h, k, out);
    break;
  default:
    combine(terms, n, w, base, h, k, out);
    break;
  }
}

static void run_stages(const sal_tableau *tab, sal_stepper *s, sal_m lanes, sal_v k[])
{
  const int n = s->n, last = tab->stages - 1;

  for (int stage = 1; stage <= last; ++stage) {
    add_up(stage, n, tab->a[stage], s->y, s->h, k, s->yn);
    s->flow->rhs(&s->phase, tab->c[stage] == 1.0 ? s->tn : s->t + tab->c[stage] * s->h, s->yn,
                 k + stage * n);
  }
  sal_count(&s->n_rhs, lanes, last);
}

sal_m SAL_FN(sal_rk_trial)(const sal_tableau *tab, sal_stepper *s, sal_m lanes)
{
  const int n     = s->n;
  sal_v    *k     = s->mem, e[SAL_MAX_STATE];
  sal_worst worst = {sal_set(0), sal_set(1)};

  run_stages(tab, s, lanes, k);
  s->fn = k + (tab->stages - 1) * n;
  if (s->fixed > 0) return lanes;
  add_up(tab->stages, n, tab->e, NULL, s->h, k, e);
  for (int i = 0; i < n; ++i)
    sal_worst_add(&worst, sal_abs(e[i]),
                  sal_max(sal_max(sal_abs(s->y[i]), sal_abs(s->yn[i])), sal_set(s->thr)));
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
