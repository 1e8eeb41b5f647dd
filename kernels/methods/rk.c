/** One step of an explicit pair from its tableau, with the controller of Shampine & Reichelt
 *  (1997). Own memory: k [slots][n], then q = (err / rtol)^power.
 */
#include "rk.h"
#include "control.h"
#include "norm.h"
#include "stages.h"
#include "start.h"

int sal_rk_words(const sal_tableau *tab, int n) { return tab->slots * n + 1; }

static sal_v *controller_ratio(const sal_tableau *tab, const sal_step_state *s)
{
  return s->mem + tab->slots * s->n;
}

void sal_rk_start(const sal_tableau *tab, sal_step_state *s, sal_m lanes)
{
  s->f = s->mem; /* the slope at the start is the first stage */
  sal_start_explicit(s, lanes, 0.8, tab->power);
}

/* err / rtol of the step in s->yn, from the slopes k. */
static sal_v estimate_error(const sal_tableau *tab, const sal_step_state *s, const sal_v k[])
{
  const int n = s->n;
  sal_v e[SAL_MAX_STATE], e3[SAL_MAX_STATE];
  sal_norm norm = sal_norm_none();

  sal_stages_sum(n, sal_tableau_terms(tab), tab->e, k, e);
  if (tab->blends) sal_stages_sum(n, sal_tableau_terms(tab), tab->e3, k, e3);
  for (int i = 0; i < n; ++i)
    sal_pair_add_error(&norm, e[i], tab->blends ? &e3[i] : NULL, s->y[i], s->yn[i], s->thr[i]);
  return sal_norm_ratio(&norm, s->h, s->rtol);
}

sal_m sal_rk_step(const sal_tableau *tab, sal_step_state *s, sal_m lanes)
{
  const int last = tab->stages - 1;
  const sal_step step = {s->t, s->h, s->tn, s->y};

  s->flow->stages(&s->phase, &step, &tab->table, 1, last, s->mem, s->yn);
  sal_count(&s->n_rhs, lanes, last);
  s->fn = s->mem + last * s->n;
  if (s->fixed > 0) return lanes;
  const sal_v err = estimate_error(tab, s, s->mem);
  const sal_v q = sal_lane_rough_pow(err, tab->power);
  const sal_m ok = lanes & sal_le(err, sal_set(1));
  *controller_ratio(tab, s) = q;
  sal_control_shrink(s, lanes & ~ok, q, SAL_PAIR_SAFETY, tab->shrink, tab->later);
  return ok;
}

void sal_rk_advance(const sal_tableau *tab, sal_step_state *s, sal_m lanes)
{
  sal_assign(s->n, lanes, s->f, s->fn);
  if (s->fixed <= 0) sal_control_grow(s, lanes, *controller_ratio(tab, s));
}
