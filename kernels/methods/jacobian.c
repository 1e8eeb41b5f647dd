/** @file kernels/methods/jacobian.c
 *  The Jacobian an implicit method works with: forward differences, the default of the suite the
 *  methods come from, or the model's own.
 */
#include "start.h"

/* sqrt(eps) max(|y|, thr), made exactly representable as a difference. */
static sal_v increment(const sal_stepper *s, sal_v y)
{
  const sal_v wish = 0x1p-26 * sal_max(sal_abs(y), sal_set(s->thr));

  return (y + wish) - y;
}

static void by_differences(sal_stepper *s, sal_m lanes)
{
  const int n = s->n;
  sal_v    *y = s->yn, *dy = s->fn; /* free between steps */

  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) y[i] = s->y[i];
    const sal_v d = increment(s, y[j]);
    y[j] += d;
    sal_rhs(s, lanes, s->t, y, dy);
    for (int i = 0; i < n; ++i)
      s->J[i * n + j] = sal_sel(lanes, (dy[i] - s->f[i]) / d, s->J[i * n + j]);
  }
}

void sal_form_jacobian(sal_stepper *s, sal_m lanes)
{
  sal_v J[SAL_MAX_STATE * SAL_MAX_STATE];

  sal_count(&s->n_jac, lanes, 1);
  if (!s->analytic) {
    by_differences(s, lanes);
    return;
  }
  s->flow->jac(&s->phase, s->t, s->y, J);
  sal_assign(s->n * s->n, lanes, s->J, J);
}
