/** From stop to stop. */
#include "times.h"
#include "change.h"
#include "lane_math.h"

/* Gaps where the lanes are; no strategy needs them: not counted. */
static void look(sal_batch *b, sal_v gap[])
{
  const sal_step_state *s = &b->s;

  s->flow->guard(&s->phase, s->t, s->y, s->y, gap, b->at.ra);
}

sal_m sal_times_pass(sal_batch *b, sal_m lanes, sal_m changed)
{
  enum { RESOLUTION = 128 }; /* spacings of time, as of events */
  sal_step_state *s = &b->s;
  sal_v *before = b->at.ga, *after = b->at.late;
  const sal_m at = lanes & sal_le(b->stop - s->t, RESOLUTION * sal_lane_spacing(s->t));
  const bool gaps = b->strategy && !b->at.in_row && b->at.n > 0;
  sal_m fires = sal_none();

  if (!sal_any(at)) return at;
  s->t = sal_sel(at, sal_min(sal_max(s->t, b->stop), b->t_last), s->t);
  if (gaps) look(b, before);
  for (int lane = 0; lane < SAL_LANES; ++lane)
    if (SAL_AT(at, lane)) sal_batch_aim(b, lane);
  if (gaps) look(b, after);
  for (int k = 0; k < b->at.n; ++k) {
    const bool timed = gaps && sal_model_contact(b->setup->model, k)->timed;
    const sal_m now = timed ? at & sal_gt(after[k], before[k]) : sal_none();
    b->x.fired[k] = sal_pick(at, now, b->x.fired[k]);
    b->x.many[k] = sal_sel(at, sal_set(1), b->x.many[k]);
    fires |= now;
  }
  if (sal_any(fires)) sal_change_mode(b, fires, fires & changed);
  return at;
}
