/** Contacts at the start of a run. */
#include "entry.h"
#include "gap_slopes.h"
#include "lane_math.h"
#include "leap.h"
#include "together.h"

static sal_contact_kind kind_of(const sal_step_state *s, int k)
{
  return sal_model_contact(s->model, k)->kind;
}

void sal_entry_gap_noise(sal_step_state *s, const sal_contacts *at, sal_m lanes,
                         sal_v *const noise[], const sal_v slope[])
{
  const sal_gap_slopes slopes = {s, at, NULL, at->ga, at->ra};
  const int most = slope ? 3 : 1;

  sal_gap_slopes_begin(&slopes);
  for (int j = 0; j < most; ++j)
    for (int k = 0; k < at->n; ++k) {
      const sal_v of_t = j == 0 ? sal_abs(at->late[k]) * sal_lane_spacing(s->t) : sal_set(0);
      noise[j][k] = sal_sel(lanes, of_t, noise[j][k]);
    }
  for (int i = 0; i < s->n; ++i) {
    const sal_gap_column c = sal_gap_slopes_along(&slopes, i);
    sal_v by[3] = {sal_lane_spacing(s->y[i])};
    if (slope) by[1] = s->rtol * sal_max(sal_abs(s->y[i]), s->thr[i]);
    if (slope) by[2] = s->rtol * sal_max(sal_abs(slope[i]), s->thr[i]);
    for (int l = 0; l < c.n; ++l) {
      const int k = sal_gap_column_at(c, l);
      const sal_v steep = sal_abs(c.rate[k] - at->late[k]);
      for (int j = 0; j < most; ++j)
        noise[j][k] = sal_sel(lanes, noise[j][k] + steep * by[j], noise[j][k]);
    }
  }
}

void sal_entry_lifts(const sal_step_state *s, const sal_contacts *at, sal_m lanes, sal_v lifted[])
{
  enum { SPACINGS = 256 };
  const sal_v zero = sal_set(0);
  sal_v size = sal_set(1);

  for (int i = 0; i < s->n; ++i) size = sal_max(sal_abs(s->y[i]), size);
  const sal_v most = SPACINGS * sal_lane_spacing(size);
  for (int k = 0; k < at->n; ++k) {
    const sal_m slight =
        sal_gt(at->side[k], zero) & sal_gt(at->gap[k], zero) & sal_le(at->gap[k], most);
    lifted[k] = sal_sel(lanes & at->starts_closed[k], sal_sel(slight, at->gap[k], zero), lifted[k]);
  }
}

/* Gaps and rates in the frozen mode, along its own slope. */
static void look(sal_step_state *s, const sal_contacts *at)
{
  s->flow->rhs(&s->phase, s->t, s->y, s->fn);
  s->flow->guard(&s->phase, s->t, s->y, s->fn, at->ga, at->ra);
}

void sal_entry_rate_noise(sal_step_state *s, const sal_contacts *at, const sal_v slope[])
{
  const sal_gap_slopes slopes = {s, at, slope, at->gapn, at->raten};

  sal_gap_slopes_begin(&slopes);
  for (int k = 0; k < at->n; ++k) at->when[k] = sal_lane_spacing(at->late[k]);
  for (int i = 0; i < s->n; ++i) {
    const sal_gap_column c = sal_gap_slopes_along(&slopes, i);
    for (int j = 0; j < c.n; ++j) {
      const int k = sal_gap_column_at(c, j);
      at->when[k] += sal_lane_spacing(c.rate[k] - at->late[k]);
    }
  }
}

/* Is the gap 0 within its noise? */
static sal_m is_on(sal_v gap, sal_v gap_noise)
{
  return sal_le(sal_abs(gap), (double)SAL_ENTRY_ROUNDINGS * gap_noise);
}

/* Sets the mode by the gaps without a frozen mode; gaps of surfaces are then read again in that mode: the
 * surface of a foot in stance has no meaning for a foot about to land. */
static void set_open_mode(sal_step_state *s, const sal_contacts *at, sal_m lanes,
                          const sal_v gap_noise[])
{
  for (int k = 0; k < at->n; ++k) {
    const sal_m on = is_on(at->ga[k], gap_noise[k]);
    s->phase.closed[k] = sal_pick(lanes, ~on & sal_lt(at->ga[k], sal_set(0)), s->phase.closed[k]);
    at->starts_closed[k] = sal_pick(lanes, on, at->starts_closed[k]);
  }
  look(s, at);
  for (int k = 0; k < at->n; ++k) {
    if (kind_of(s, k) != SAL_CONTACT_SURFACE) continue;
    const sal_m on = at->starts_closed[k] & is_on(at->ga[k], gap_noise[k]);
    s->phase.closed[k] = sal_pick(lanes, ~on & sal_lt(at->ga[k], sal_set(0)), s->phase.closed[k]);
    at->starts_closed[k] = sal_pick(lanes, on, at->starts_closed[k]);
  }
  look(s, at);
}

void sal_entry_rest(sal_step_state *s, int k, sal_m lanes)
{
  s->phase.closed[k] |= lanes;
  if (kind_of(s, k) != SAL_CONTACT_RIGID || !s->flow->jump) return;
  s->phase.rests = lanes;
  s->flow->jump(&s->phase, k, lanes, s->t, s->y);
  s->phase.rests = sal_none();
  s->phase.closed[k] |= lanes;
}

/* A contact at rest on a surface closes there, all of them at once where the model has one jump for them.  It touches where
 * the closed mode has the same gap; where it has another one and nothing holds it, it opens again as at any other time. */
static void close_at_rest(sal_step_state *s, const sal_contacts *at, const sal_m rests[])
{
  sal_m any = sal_none(), own[SAL_MAX_GUARD];

  for (int k = 0; k < at->n; ++k) any |= rests[k];
  if (!sal_any(any)) return;
  sal_together_jump(s, at->n, any, rests, NULL, rests, own);
  for (int k = 0; k < at->n; ++k)
    if (sal_any(own[k])) sal_entry_rest(s, k, own[k]);
  look(s, at);
  for (int k = 0; k < at->n; ++k) at->starts_closed[k] &= ~rests[k] | sal_eq(at->ga[k], sal_set(0));
}

/* Which of the contacts on their surfaces are met, into fired, and which are at rest. */
static sal_m judge_rates(const sal_step_state *s, const sal_contacts *at, sal_m lanes,
                         sal_m fired[], sal_m rests[])
{
  sal_m met = sal_none();

  for (int k = 0; k < at->n; ++k) {
    const sal_m here = lanes & at->starts_closed[k], slow = is_on(at->ra[k], at->when[k]);
    const sal_contact_kind kind = kind_of(s, k);
    rests[k] = kind == SAL_CONTACT_FRICTION ? here
               : kind == SAL_CONTACT_RIGID  ? here & slow
                                            : sal_none();
    const sal_m falls = here & ~rests[k] & sal_le(at->ra[k], sal_set(0));
    fired[k] = sal_pick(lanes, falls, fired[k]);
    met |= falls;
  }
  return met;
}

sal_m sal_entry_settle(sal_step_state *s, sal_contacts *at, sal_m lanes, sal_v gap_noise[],
                       sal_m fired[], sal_m *beyond)
{
  const sal_m held = s->phase.held;
  sal_m *rests = at->suspect;

  s->phase.held = sal_none();
  sal_entry_gap_noise(s, at, lanes, &gap_noise, NULL);
  s->phase.held = held;
  *beyond = sal_none();
  for (int k = 0; k < at->n; ++k)
    *beyond |= lanes & sal_entry_is_beyond(sal_model_contact(s->model, k), at->ga[k], gap_noise[k]);
  set_open_mode(s, at, lanes, gap_noise);
  sal_entry_rate_noise(s, at, s->fn);
  const sal_m met = judge_rates(s, at, lanes & ~*beyond, fired, rests);
  close_at_rest(s, at, rests);
  for (int k = 0; k < at->n; ++k)
    at->side[k] = sal_sel(s->phase.closed[k], sal_set(-1), sal_set(1));
  return met;
}

/* How much the rate of gap k, which is *gap, changes within a short time along the flow of the mode. */
static sal_v change_of_rate(sal_step_state *s, const sal_contacts *at, int k, sal_v *gap)
{
  const sal_v soon = 0x1p-16 * (s->t_end - s->t);

  s->flow->rhs(&s->phase, s->t, s->y, at->ya);
  s->flow->guard(&s->phase, s->t, s->y, at->ya, at->ga, at->ra);
  const sal_v rate = at->ra[k];
  *gap = at->ga[k];
  for (int i = 0; i < s->n; ++i) at->ya[i] = s->y[i] + soon * at->ya[i];
  s->flow->rhs(&s->phase, s->t + soon, at->ya, at->yb);
  s->flow->guard(&s->phase, s->t + soon, at->ya, at->yb, at->ga, at->ra);
  return at->ra[k] - rate;
}

sal_m sal_entry_rises(sal_step_state *s, const sal_contacts *at, int k, sal_v rate, sal_m lanes)
{
  const sal_v zero = sal_set(0);
  const sal_m rises = lanes & sal_gt(at->side[k], zero) & sal_gt(rate, zero);

  if (kind_of(s, k) != SAL_CONTACT_RIGID || !sal_any(rises)) return sal_none();
  sal_v gap;
  return rises & sal_lt(change_of_rate(s, at, k, &gap), zero);
}

sal_m sal_entry_unheld(sal_step_state *s, const sal_contacts *at, const sal_m rests[], sal_m lanes)
{
  sal_m unheld = sal_none();

  for (int k = 0; k < at->n; ++k) {
    const sal_m here = lanes & rests[k] & s->phase.closed[k];
    if (kind_of(s, k) != SAL_CONTACT_RIGID || !sal_any(here)) continue;
    sal_v gap, gap_open;
    const sal_v closed = change_of_rate(s, at, k, &gap);
    s->phase.closed[k] ^= here;
    const sal_v open = change_of_rate(s, at, k, &gap_open);
    s->phase.closed[k] ^= here;
    unheld |= here & sal_eq(gap, gap_open) & sal_lt(open, sal_set(0)) & sal_le(closed, 0.5 * open);
  }
  return unheld;
}

void sal_entry_put_down(sal_step_state *s, const sal_contacts *at, sal_m lanes)
{
  for (int k = 0; k < at->n; ++k) {
    const sal_m lies = lanes & s->phase.closed[k];
    if (kind_of(s, k) != SAL_CONTACT_RIGID || !sal_any(lies)) continue;
    for (int j = 0; j < at->n; ++j) at->suspect[j] = s->phase.closed[j];
    sal_entry_rest(s, k, lies);
    for (int j = 0; j < at->n; ++j) s->phase.closed[j] = at->suspect[j];
  }
}

void sal_entry_touch(const sal_step_state *s, const sal_contacts *at, sal_m lanes, sal_v changed)
{
  sal_v size = sal_set(0), fast = sal_set(0);

  for (int i = 0; i < s->n; ++i) {
    size = sal_max(sal_abs(s->y[i]), size);
    fast = sal_max(sal_abs(s->fn[i]), fast);
  }
  for (int k = 0; k < at->n; ++k) {
    const sal_v beyond = -at->side[k] * at->ga[k], least = SAL_LEAP * sal_abs(at->ra[k]) * size;
    at->starts_closed[k] |= lanes & sal_eq(changed, sal_set(1 + k)) & sal_gt(beyond, sal_set(0)) &
                            sal_le(beyond * fast, least);
  }
}
