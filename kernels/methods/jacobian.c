/** Forward differences of f, and the model's own Jacobian. */
#include "jacobian.h"
#include "matrix.h"
#include "sizes.h"

/* sqrt(eps) max(|y|, thr), made exactly representable as a difference. */
static sal_v difference_step(sal_v y, sal_v thr)
{
  const sal_v wish = 0x1p-26 * sal_max(sal_abs(y), thr);

  return (y + wish) - y;
}

/* Columns `apart` from each other share no row of a band as wide as that, so one evaluation gives all
 * of them (Curtis, Powell & Reid, IMA J. Appl. Math. 13 (1974) 117-119). */
static void form_by_colours(sal_step_state *s, sal_m lanes)
{
  const sal_band *b = &s->band;
  const int n = s->n, row = sal_band_row(b), apart = b->lower + b->upper + 1;
  sal_v *y = s->yn, *dy = s->fn; /* free between steps */

  for (int colour = 0; colour < apart; ++colour) {
    for (int i = 0; i < n; ++i) y[i] = s->y[i];
    for (int q = colour; q < n; q += apart) {
      const int j = sal_band_element(b, q);
      y[j] += difference_step(y[j], s->thr[j]);
    }
    sal_method_rhs(s, lanes, s->t, y, dy);
    for (int q = colour; q < n; q += apart) {
      const int j = sal_band_element(b, q), last = q + b->lower < n ? q + b->lower : n - 1;
      const sal_v d = difference_step(s->y[j], s->thr[j]);
      for (int p = q > b->upper ? q - b->upper : 0; p <= last; ++p) {
        const int i = sal_band_element(b, p);
        sal_v *const entry = &s->J[p * row + q - p + b->lower];
        *entry = sal_sel(lanes, (dy[i] - s->f[i]) / d, *entry);
      }
    }
  }
}

/* The same of a full Jacobian, one column after the other. */
SAL_INLINE void form_columns(const int n, sal_step_state *s, sal_m lanes)
{
  sal_v *y = s->yn, *dy = s->fn;

  for (int i = 0; i < n; ++i) y[i] = s->y[i];
  for (int j = 0; j < n; ++j) {
    const sal_v there = s->y[j], d = difference_step(there, s->thr[j]);
    y[j] = there + d;
    s->flow->rhs(&s->phase, s->t, y, dy);
    y[j] = there;
    for (int i = 0; i < n; ++i)
      s->J[i * n + j] = sal_sel(lanes, (dy[i] - s->f[i]) / d, s->J[i * n + j]);
  }
  sal_count(&s->n_rhs, lanes, n);
}

void sal_jacobian_form(sal_step_state *s, sal_m lanes)
{
  sal_count(&s->n_jac, lanes, 1);
  if (sal_matrix_is_band(s->n, s)) {
    form_by_colours(s, lanes);
  } else if (s->analytic) {
    s->flow->jac(&s->phase, s->t, s->y, s->J_new);
    sal_assign(s->n * s->n, lanes, s->J, s->J_new);
  } else {
    SAL_SIZES_CALL(form_columns, s->n, s, lanes);
  }
}

void sal_jacobian_form_from(sal_step_state *s, sal_m lanes, sal_v f[])
{
  sal_v *slope = s->f;

  s->f = f;
  sal_jacobian_form(s, lanes);
  s->f = slope;
}

bool sal_jacobian_give_by_time(sal_step_state *s, sal_m lanes)
{
  sal_v *const given = s->fn; /* free between steps */

  if (!s->analytic || !s->flow->by_time) return false;
  s->flow->by_time(&s->phase, s->t, s->y, given);
  sal_assign(s->n, lanes, s->T, given);
  return true;
}

/* The difference quotient of a flow that does not depend on t is 0 exactly, since s->f is f there. */
void sal_jacobian_form_by_time(sal_step_state *s, sal_m lanes, sal_v reach)
{
  if (s->model && s->model->autonomous) {
    for (int i = 0; i < s->n; ++i) s->T[i] = sal_set(0);
    return;
  }
  if (sal_jacobian_give_by_time(s, lanes)) return;
  const sal_v scale = sal_max(sal_abs(s->t), sal_abs(s->t + reach));
  const sal_v ahead = s->t + sal_min(0x1p-26 * scale, reach);
  const sal_v dt = ahead - s->t;

  sal_method_rhs(s, lanes, ahead, s->y, s->fn);
  for (int i = 0; i < s->n; ++i) s->T[i] = sal_sel(lanes, (s->fn[i] - s->f[i]) / dt, s->T[i]);
}
