/** `ess`: fixed steps, and inside a zone around each surface a first-order projection onto it,
 *  contact by contact in the order of predicted crossing times.  Anderson & Revzen, section 2.2,
 *  with sides carried, receding contacts not eligible, and overshot contacts projected back.
 */
#include "project.h"

static sal_m project(sal_step_state *s, const sal_contacts *at, sal_m lanes, sal_crossing *out)
{
  return SAL_FN(sal_project_step)(s, at, lanes, 1, at->zone, out);
}

static void locate(sal_dense *d, const sal_contacts *at, sal_m lanes, sal_crossing *out)
{
  sal_step_state *s = d->step;

  if (at->zone_in_time)
    sal_contacts_look(s, at, lanes, s->tn, s->yn, s->fn, at->gapn, at->raten);
  else
    SAL_FN(sal_project_cut_at_zone)(d, at, lanes, out);
}

const sal_strategy_ops SAL_FN(sal_ess) = {.locate = locate, .project = project};

#if SAL_LANES == 1
SAL_DECLARE_STRATEGY_OPS(ess)
const sal_strategy sal_strategy_ess = {
    .name = "ess",
    .title = "fixed steps and first-order projection onto the surfaces",
    .about = "fixed steps, and projection onto the surface of contact within a zone around it",
    .source = "Anderson, Revzen, section 2.2",
    .held = true,
    .zoned = true,
    .fixed = true,
    .one_step = true,
    SAL_STRATEGY_OPS(ess),
};
#endif
