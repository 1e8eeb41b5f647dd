/** @file kernels/strategies/locate.c
 *  Suspects, hops and dips; which of them crosses first.
 *
 *  `side` is +1 for an open contact and -1 for a closed one: side * gap > 0 inside the phase.
 */
#include "root.h"
#include "row.h"

enum { HALVINGS = 12 };

/* First step after an event, ending on the wrong side: the first crossing after the hop;
 * *nothing: lanes in which no point of the dense output is on the right side. */
static sal_v root_after_hop(const sal_root_probe *p, sal_m lanes, sal_v fb, sal_m *nothing)
{
  sal_v a = sal_set(0), fa = sal_set(0), b = sal_set(1);
  sal_m todo = lanes;

  for (int i = 0; i < HALVINGS && sal_any(todo); ++i) {
    const sal_v x = 0.5 * b;
    const sal_v f = sal_root_value(p, todo, x, false);
    const sal_m inside = todo & sal_gt(f, sal_set(0));
    a = sal_sel(inside, x, a);
    fa = sal_sel(inside, f, fa);
    todo &= ~inside;
    b = sal_sel(todo, x, b);
    fb = sal_sel(todo, f, fb);
  }
  *nothing = todo;
  return p->find(p, lanes & ~todo, a, fa, b, fb, sal_set(NAN), false, NULL);
}

/* The gap may dip below 0 and come back.  Tangents at the ends bound a convex dip from below, which
 * decides most cases without the dense output. */
static sal_m may_dip(const sal_step_state *s, sal_v a, sal_v da, sal_v b, sal_v db)
{
  const sal_v meet = (b - db * s->h - a) / (da - db);

  return sal_lt(da, sal_set(0)) & sal_gt(db, sal_set(0)) & sal_le(a + da * meet, sal_set(0));
}

/* The earliest crossing of contact k known so far. */
static void note_crossing(const sal_contacts *at, int k, sal_m lanes, sal_v theta)
{
  at->when[k] = sal_sel(lanes, sal_min(theta, at->when[k]), at->when[k]);
}

/* The first step after a contact's own event, and dips: rare, so one contact at a time. */
static void examine_alone(const sal_root_probe *p, int k, sal_m hop, sal_m dips, sal_crossing *out)
{
  const sal_contacts *at = p->at;
  const sal_v side = at->side[k], zero = sal_set(0), one = sal_set(1);

  sal_root_choose(at, hop | dips, k);
  sal_dense_make(p->d, hop | dips);
  if (sal_any(hop)) {
    sal_m nothing;
    const sal_v theta = root_after_hop(p, hop, side * at->gapn[k], &nothing);
    note_crossing(at, k, hop & ~nothing, theta);
    out->refuse |= nothing;
  }
  if (sal_any(dips)) {
    const sal_v bottom = p->find(p, dips, zero, side * at->rate[k], one, side * at->raten[k],
                                 sal_set(NAN), true, NULL);
    const sal_v lowest = sal_root_value(p, dips, bottom, false);
    const sal_m below = dips & sal_lt(lowest, zero);
    note_crossing(
        at, k, below,
        p->find(p, below, zero, side * at->gap[k], bottom, lowest, sal_set(NAN), false, NULL));
  }
}

/* Classifies contact k by gap and rate at the ends of the step; returns the lanes in which it is a
 * suspect: it may cross once, from the right side to the wrong one. */
static sal_m classify_contact(const sal_root_probe *p, int k, sal_m lanes, sal_crossing *out)
{
  const sal_step_state *s = p->d->step;
  const sal_contacts *at = p->at;
  const sal_v zero = sal_set(0), side = at->side[k];
  const sal_v gap = side * at->gap[k], da = side * at->rate[k];
  /* no longer, when a jump has put it farther inside its phase than time can resolve */
  const sal_m touch =
      at->starts_closed[k] & ~sal_gt(gap, 128.0 * sal_lane_spacing(s->t) * sal_abs(da));
  const sal_v a = sal_sel(touch, zero, gap);
  const sal_v b = side * at->gapn[k], db = side * at->raten[k];

  const sal_m undone = lanes & touch & sal_lt(da, zero);
  const sal_m still = sal_eq(a, zero); /* on the surface: by an event, or by chance */
  const sal_m late = lanes & ~touch & (sal_lt(a, zero) | (still & sal_lt(da, zero)));
  const sal_m eases = touch & at->opening[k] & sal_gt(db, zero);
  const sal_m hop = lanes & still & ~undone & ~late & ~eases & sal_lt(b, zero);
  const sal_m ends = lanes & ~still & ~late & sal_le(b, zero);
  const sal_m dips = lanes & ~still & ~late & ~ends & may_dip(s, a, da, b, db);

  if (sal_any(undone | late)) note_crossing(at, k, undone | late, zero);
  out->graze |= undone;
  if (sal_any(hop | dips)) examine_alone(p, k, hop, dips, out);
  at->late[k] = b;
  return ends;
}

/* Chooses in each lane the suspect whose chord over [0, end] is 0 first. */
static sal_m choose_first_suspect(const sal_contacts *at, sal_v *fa, sal_v *fb)
{
  sal_v best = sal_set(INFINITY);
  sal_m some = sal_none(), which = sal_none();

  for (int k = 0; k < at->n; ++k) {
    const sal_v a = at->side[k] * at->gap[k], chord = a / (a - at->late[k]);
    const sal_m first = at->suspect[k] & sal_lt(chord, best);
    best = sal_sel(first, chord, best);
    *fa = sal_sel(first, a, *fa);
    *fb = sal_sel(first, at->late[k], *fb);
    which = sal_pick(first, (sal_m){0} + k, which);
    some |= first;
  }
  for (int k = 0; k < at->n; ++k)
    at->chosen[k] = sal_pick(some, SAL_MASK(which == k), at->chosen[k]);
  return some;
}

/* Lanes in which some suspect is left besides the chosen one. */
static sal_m other_suspects(const sal_contacts *at)
{
  sal_m some = sal_none();

  for (int k = 0; k < at->n; ++k) some |= at->suspect[k] & ~at->chosen[k];
  return some;
}

/* Where the chosen suspects cross, from a cubic through what is known at both ends of the step. */
static sal_v guess_root(const sal_step_state *s, const sal_contacts *at, sal_v fa, sal_v fb)
{
  sal_v da = sal_set(0), db = sal_set(0);

  for (int k = 0; k < at->n; ++k) {
    da = sal_sel(at->chosen[k], at->side[k] * at->rate[k], da);
    db = sal_sel(at->chosen[k], at->side[k] * at->raten[k], db);
  }
  return sal_root_of_cubic(fa, s->h * da, fb, s->h * db);
}

/* Contacts that end on the wrong side and reach it within the resolution of time after `end` cross
 * at `end`, too. */
static void note_coincident(const sal_root_probe *p, sal_m lanes, sal_v end)
{
  const sal_contacts *at = p->at;

  sal_root_value(p, lanes, end + sal_root_resolution(p->d->step), false);
  for (int k = 0; k < at->n; ++k)
    note_crossing(at, k,
                  lanes & ~at->starts_closed[k] & sal_le(at->side[k] * at->gapn[k], sal_set(0)) &
                      sal_le(at->side[k] * at->ga[k], sal_set(0)),
                  end);
}

/* The earliest plain crossing: the root of the suspect with the earliest chord shortens the step in
 * question, the gaps there clear the suspects still inside their phase, and so on.  Contacts that
 * have crossed within the resolution of time after the earliest one cross with it. */
static void solve_suspects(const sal_root_probe *p, sal_m any, sal_m *leap)
{
  const sal_step_state *s = p->d->step;
  const sal_contacts *at = p->at;
  const sal_v zero = sal_set(0);
  sal_v end = sal_set(1), fa = zero, fb = zero;
  sal_m crowd = sal_none(), todo = choose_first_suspect(at, &fa, &fb);
  sal_v guess = guess_root(s, at, fa, fb);

  sal_dense_make(p->d, any);
  for (; sal_any(todo); todo = choose_first_suspect(at, &fa, &fb), guess = sal_set(NAN)) {
    end = sal_sel(todo, p->find(p, todo, zero, fa, end, fb, guess, false, leap), end);
    for (int k = 0; k < at->n; ++k) note_crossing(at, k, todo & at->chosen[k], end);
    if (!sal_any(todo & other_suspects(at))) break;
    crowd |= todo & other_suspects(at);
    sal_root_value(p, todo & other_suspects(at), end, false);
    for (int k = 0; k < at->n; ++k) {
      at->late[k] = sal_sel(todo, at->side[k] * at->ga[k], at->late[k]);
      at->suspect[k] &= ~at->chosen[k] & sal_le(at->late[k], zero);
    }
  }
  if (sal_any(crowd)) note_coincident(p, crowd, end);
}

/* The earliest contact ends the step; others that cross within the resolution of time fire with
 * it. */
static void gather_crossings(const sal_step_state *s, const sal_contacts *at, sal_m lanes,
                             sal_crossing *out)
{
  const sal_v none = sal_set(2);
  sal_v first = none;

  for (int k = 0; k < at->n; ++k) first = sal_min(at->when[k], first);
  const sal_v together = first + sal_root_resolution(s);
  for (int k = 0; k < at->n; ++k) { /* the resolution may be more than a step of some spacings */
    const sal_m fires = sal_lt(at->when[k], none) & sal_le(at->when[k], together);
    out->fired[k] = sal_pick(lanes, fires, out->fired[k]);
  }
  out->hit = lanes & sal_lt(first, none);
  out->theta = sal_sel(out->hit, first, sal_set(1));
}

/* In a row, the contacts after the first one that are on its new side within the resolution of
 * time change with it: from candidate j onward as far as that side reaches then. */
static void follow_row(sal_dense *d, const sal_contacts *at, sal_crossing *out)
{
  sal_step_state *s = d->step;
  const sal_phase *p = &s->phase;
  const sal_v then = out->theta + sal_root_resolution(s), one = sal_set(1);
  sal_row r;
  sal_v from, to;

  sal_dense_make(d, out->hit);
  sal_dense_state(d, then, at->ya);
  sal_count(&s->n_gap, out->hit, 1);
  s->flow->row(p, s->t + then * s->h, at->ya, at->ya, &r);
  sal_row_closed(&r, p->count, &from, &to);
  const sal_m none = sal_eq(from, to);
  for (int j = 0; j < at->n; ++j) {
    const sal_v k = at->rank[j];
    const sal_m closes = sal_gt(at->side[j], sal_set(0)), up = sal_gt(at->onward[j], sal_set(0));
    const sal_v closing = sal_sel(up, sal_sel(sal_le(from, k), to - k, one),
                                  sal_sel(sal_gt(to, k), k - from + one, one));
    const sal_v opening =
        sal_sel(up, sal_sel(none, p->to, from) - k, k - sal_sel(none, p->from, to) + one);
    out->many[j] = sal_max(sal_sel(closes, closing, opening), one);
  }
}

/* Lanes in which some contact may cross or dip; in most steps there is none, and nothing else is
 * computed. */
static sal_m needs_look(const sal_contacts *at, sal_m lanes)
{
  sal_m any = sal_none();

  for (int k = 0; k < at->n; ++k)
    any |= lanes & sal_contacts_may_cross(at->side[k], at->gap[k], at->rate[k], at->gapn[k],
                                          at->raten[k], at->starts_closed[k]);
  return any;
}

void sal_locate_first(sal_dense *d, const sal_contacts *at, sal_m lanes, sal_root_finder *root,
                      sal_crossing *out)
{
  const sal_root_probe p = {d, at, sal_set(0), root};
  sal_step_state *s = d->step;
  sal_m any = sal_none();

  out->hit = out->refuse = out->graze = out->leap = sal_none();
  sal_contacts_look(s, at, lanes, s->tn, s->yn, s->fn, at->gapn, at->raten);
  if (!sal_any(needs_look(at, lanes))) return;
  for (int k = 0; k < at->n; ++k) out->lost |= lanes & ~sal_eq(at->gapn[k], at->gapn[k]);
  for (int k = 0; k < at->n; ++k) at->when[k] = sal_set(2);
  for (int k = 0; k < at->n; ++k) {
    at->suspect[k] = classify_contact(&p, k, lanes, out);
    any |= at->suspect[k];
  }
  if (sal_any(any)) solve_suspects(&p, any, &out->leap);
  gather_crossings(s, at, lanes, out);
  if (at->in_row && sal_any(out->hit)) follow_row(d, at, out);
  out->hit &= ~(out->refuse & sal_gt(out->theta, sal_set(0))); /* the hop inside comes first */
  out->refuse &= ~out->hit;
  out->graze &= sal_le(out->theta, sal_set(0));
}
