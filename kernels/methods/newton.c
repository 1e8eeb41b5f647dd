/** A new Jacobian where the iteration is too slow with an old one: too rare to be inlined. */
#include "newton.h"
#include "jacobian.h"

void sal_newton_renew(sal_step_state *s, sal_m lanes, const sal_newton *w)
{
  sal_v slope[SAL_MAX_STATE];

  sal_method_rhs(s, lanes, s->t, s->y, slope);
  sal_jacobian_form_from(s, lanes, slope);
  *w->fresh |= lanes;
}
