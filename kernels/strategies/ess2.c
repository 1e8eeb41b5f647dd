/** `ess2`: projection made accurate.  Adaptive steps that end short of the next surface by linear
 *  prediction of its arrival, a second-order projection (midpoint, with Newton's correction)
 *  inside a zone in time, and steps refused that overshoot a surface by more than the zone.
 */
#include "project.h"

static sal_m project(sal_step_state *s, const sal_contacts *at, sal_m lanes, sal_crossing *out)
{
  /* its error grows with the cube of its length: the outer quarter of the zone is stepped
   * through */
  const double near = at->zone_in_time ? 0.75 * at->zone : at->zone;

  return SAL_FN(sal_project_step)(s, at, lanes, 2, near, out);
}

/* Half a zone before the first arrival, and no less than a quarter of the zone. */
static sal_v reach(const sal_step_state *s, const sal_contacts *at)
{
  sal_v first = sal_set(INFINITY);

  (void)s;
  if (!at->zone_in_time) return first; /* the step is cut instead */
  for (int k = 0; k < at->n; ++k)
    first = sal_min(sal_project_arrival(at->side[k], at->gap[k], at->rate[k]), first);
  return sal_max(first - 0.5 * at->zone, sal_set(0.25 * at->zone));
}

static void locate(sal_dense *d, const sal_contacts *at, sal_m lanes, sal_crossing *out)
{
  sal_step_state *s = d->step;

  if (!at->zone_in_time) {
    SAL_FN(sal_project_cut_at_zone)(d, at, lanes, out);
    return;
  }
  sal_contacts_look(s, at, lanes, s->tn, s->yn, s->fn, at->gapn, at->raten);
  for (int k = 0; k < at->n; ++k) {
    const sal_v side = at->side[k], late = at->gapn[k] / at->raten[k];
    out->refuse |= lanes & sal_lt(side * at->gapn[k], sal_set(0)) & sal_gt(late, sal_set(at->zone));
  }
}

const sal_strategy_ops SAL_FN(sal_ess2) = {.locate = locate, .project = project, .reach = reach};

#if SAL_LANES == 1
SAL_DECLARE_STRATEGY_OPS(ess2)
const sal_strategy sal_strategy_ess2 = {
    .name = "ess2",
    .title = "adaptive steps and second-order projection in a zone in time",
    .about = "adaptive steps, and second-order projection onto the surface of contact within a "
             "zone in time",
    .source = "after Anderson, Revzen, section 2.2",
    .held = true,
    .zoned = true,
    .one_step = true,
    SAL_STRATEGY_OPS(ess2),
};
#endif
