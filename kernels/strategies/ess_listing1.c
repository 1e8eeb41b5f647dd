/** `ess-listing1`: Anderson & Revzen, Listing 1, as printed; for comparison with `ess` only.
 *
 *  What it does differently, and `ess` does not repeat: the side is read from the sign of the gap,
 *  so that half the time the field of the wrong side carries the state across; a receding guard
 *  gives a negative time and comes first; guards come back into the pool only when it is empty; an
 *  excursion shallower than the zone is never seen, and a step longer than the zone jumps over it;
 *  the last projection may pass the end.  Two slips that would keep it from running at all are
 *  mended: y0 is x0, and it stops at the end of the interval.
 *
 *  The listing's event functions h are negative until their crossing.  A contact has two, h = -gap
 *  for closing and h = gap for opening; one that closes for good has the first only.
 */
#include "project.h"

enum { CLOSING, OPENING, KINDS };

/* Own memory: crossed [KINDS][n], the listing's crossmsk, then the lanes that are integrating. */
static int words(int n) { return KINDS * n + 1; }

SAL_INLINE sal_m *crossed_mask(const sal_contacts *at, int kind, int k)
{
  return &at->own[kind * at->n + k];
}

SAL_INLINE sal_m *integrating_mask(const sal_contacts *at) { return &at->own[KINDS * at->n]; }

SAL_INLINE sal_v event_function(int kind, sal_v gap) { return kind == CLOSING ? -gap : gap; }

/* The mask anew: what is not crossed is a candidate. */
static void fill_pool(const sal_contacts *at, const sal_v gap[], sal_m lanes)
{
  for (int kind = 0; kind < KINDS; ++kind)
    for (int k = 0; k < at->n; ++k) {
      const sal_m over = sal_ge(event_function(kind, gap[k]), sal_set(0));
      const sal_m none = kind == OPENING ? at->one_way : sal_none();
      sal_m *mask = crossed_mask(at, kind, k);
      *mask = sal_pick(lanes, over | none, *mask);
    }
}

static void enter(const sal_step_state *s, const sal_contacts *at, sal_m lanes)
{
  (void)s;
  fill_pool(at, at->ga, lanes);
  *integrating_mask(at) &= ~lanes;
}

/* The least time to the crossing of a candidate, of whatever sign; returns the lanes in which one
 * is in its zone. */
static sal_m choose_least_time(const sal_contacts *at, sal_v *tau)
{
  sal_m inside = sal_none();

  *tau = sal_set(INFINITY);
  for (int kind = 0; kind < KINDS; ++kind)
    for (int k = 0; k < at->n; ++k) {
      const sal_m candidate = ~*crossed_mask(at, kind, k);
      const sal_v time = -at->gap[k] / at->rate[k];
      inside |= candidate & sal_gt(event_function(kind, at->gap[k]), sal_set(-at->zone));
      *tau = sal_sel(candidate, sal_min(time, *tau), *tau);
    }
  return inside;
}

static void mark_crossed(const sal_contacts *at, sal_m lanes, sal_v tau)
{
  for (int kind = 0; kind < KINDS; ++kind)
    for (int k = 0; k < at->n; ++k) {
      sal_m *mask = crossed_mask(at, kind, k);
      const sal_m now = lanes & ~*mask & sal_eq(-at->gap[k] / at->rate[k], tau);
      *mask |= now;
      lanes &= ~now;
    }
}

static sal_m project(sal_step_state *s, const sal_contacts *at, sal_m lanes, sal_crossing *out)
{
  sal_v tau;
  const sal_m idle = lanes & ~*integrating_mask(at), go = idle & choose_least_time(at, &tau);

  *integrating_mask(at) |= idle & ~go;
  if (!sal_any(go)) return go;
  mark_crossed(at, go, tau);
  for (int i = 0; i < s->n; ++i) s->yn[i] = sal_sel(go, s->y[i] + tau * s->f[i], s->yn[i]);
  s->tn = sal_sel(go, s->t + tau, s->tn);
  s->h = sal_sel(go, s->tn - s->t, s->h);
  for (int k = 0; k < at->n; ++k) out->fired[k] &= ~go; /* it carries no sides */
  return go;
}

/* An integration ends when some event function, crossed before or not, enters the zone within a
 * step; then an empty pool is filled again. */
static void locate(sal_dense *d, const sal_contacts *at, sal_m lanes, sal_crossing *out)
{
  sal_step_state *s = d->step;
  const sal_v edge = sal_set(-at->zone);
  sal_m ends = sal_none(), empty = ~sal_none();

  (void)out;
  sal_contacts_look(s, at, lanes, s->tn, s->yn, s->fn, at->gapn, at->raten);
  for (int kind = 0; kind < KINDS; ++kind)
    for (int k = 0; k < at->n; ++k) {
      ends |= lanes & sal_lt(event_function(kind, at->gap[k]), edge) &
              sal_ge(event_function(kind, at->gapn[k]), edge);
      empty &= *crossed_mask(at, kind, k);
    }
  *integrating_mask(at) &= ~ends;
  if (sal_any(ends & empty)) fill_pool(at, at->gapn, ends & empty);
}

const sal_strategy_ops SAL_FN(sal_ess_listing1) = {
    .words = words, .enter = enter, .locate = locate, .project = project};

#if SAL_LANES == 1
SAL_DECLARE_STRATEGY_OPS(ess_listing1)
const sal_strategy sal_strategy_ess_listing1 = {
    .name = "ess-listing1",
    .title = "projection as printed, with its faults: for comparison only",
    .about = "as ess, by the paper's Listing 1 to the letter",
    .source = "Anderson, Revzen, Listing 1",
    .zoned = true,
    .fixed = true,
    .one_step = true,
    .in_gap = true,
    .every = true,
    SAL_STRATEGY_OPS(ess_listing1),
};
#endif
