/** The Jacobian and df/dt that an implicit method works with (lane half): forward differences, the
 *  default of the suite the methods come from, or the model's own Jacobian.
 */
#pragma once

#include "method.h"

/** Sets s->J at (t, y) in `lanes`, by forward differences from s->f or from the model.  Differences
 *  cost n evaluations of f, with a band lower + upper + 1, and use yn and fn as scratch. */
void SAL_FN(sal_jacobian_form)(sal_step_state *s, sal_m lanes);

/** The same by a method whose s->f is right to its tolerance only: too rough a base for
 *  differences, so `f` [n] takes its place. */
void SAL_FN(sal_jacobian_form_from)(sal_step_state *s, sal_m lanes, sal_v f[]);

/** Sets s->T = df/dt at (t, y) in `lanes`, from the model where its Jacobian is taken and it has that, too, else by
 *  a forward difference from s->f; `reach` is the length of the step ahead.  fn is scratch. */
void SAL_FN(sal_jacobian_form_by_time)(sal_step_state *s, sal_m lanes, sal_v reach);

/** The first half of that alone; false: nothing was set. */
bool SAL_FN(sal_jacobian_give_by_time)(sal_step_state *s, sal_m lanes);

#define sal_jacobian_form SAL_FN(sal_jacobian_form)
#define sal_jacobian_form_from SAL_FN(sal_jacobian_form_from)
#define sal_jacobian_form_by_time SAL_FN(sal_jacobian_form_by_time)
#define sal_jacobian_give_by_time SAL_FN(sal_jacobian_give_by_time)
