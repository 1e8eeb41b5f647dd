/** Candidates of both kinds: every contact, or the border of a row. */
#include "contacts.h"
#include "row.h"
#include "together.h"

/* ---- every contact -------------------------------------------------------------------------- */

static void sides_of_all(const sal_phase *p, const sal_contacts *at)
{
  for (int k = 0; k < at->n; ++k) {
    at->rank[k] = sal_set(k);
    at->side[k] = sal_sel(p->closed[k], sal_set(-1), sal_set(1));
  }
}

/* A contact on its surface touches, unless its gap is another one in the mode entered. */
static void enter_all(sal_step_state *s, const sal_contacts *at, sal_m lanes)
{
  for (int k = 0; k < at->n; ++k) {
    const sal_m on = sal_eq(at->ga[k], sal_set(0));
    const sal_m closed = sal_lt(at->ga[k], sal_set(0)) | (on & sal_le(at->ra[k], sal_set(0)));
    s->phase.closed[k] = sal_pick(lanes, closed, s->phase.closed[k]);
    at->starts_closed[k] = sal_pick(lanes, on, at->starts_closed[k]);
  }
  sides_of_all(&s->phase, at);
  if (at->n > 0) s->flow->guard(&s->phase, s->t, s->y, s->fn, at->ga, at->ra);
  for (int k = 0; k < at->n; ++k) at->starts_closed[k] &= ~lanes | sal_eq(at->ga[k], sal_set(0));
}

/* All that fires in a lane changes sides at once, where the model has one jump for it, else one by one. */
static void change_all(sal_step_state *s, const sal_contacts *at, sal_m hit, sal_m idle,
                       const sal_crossing *x, const sal_m rests[])
{
  sal_m own[SAL_MAX_GUARD];

  sal_together_jump(s, at->n, hit, x->fired, at->side, rests, own);
  for (int k = 0; k < at->n; ++k) {
    const sal_m touches = hit & x->fired[k], fired = own[k];
    at->starts_closed[k] = sal_pick(hit & ~idle, touches, at->starts_closed[k] | touches);
    if (!sal_any(fired)) continue;
    /* not to and fro where the jump of another one has brought it there */
    s->phase.closed[k] = sal_pick(fired, sal_gt(at->side[k], sal_set(0)), s->phase.closed[k]);
    s->phase.rests = rests[k];
    if (s->flow->jump) s->flow->jump(&s->phase, k, fired, s->t, s->y);
    s->phase.closed[k] |= rests[k] & fired;
  }
  sides_of_all(&s->phase, at);
}

/* ---- a row ---------------------------------------------------------------------------------- */

/** Where a row stands: no contact closed, all of them, or the first few. */
typedef struct {
  sal_m none, all, whole, first;
} row_sides;

SAL_INLINE row_sides sides_of(const sal_phase *p)
{
  row_sides is = {.none = sal_eq(p->from, p->to), .all = sal_eq(p->to - p->from, p->count)};

  is.whole = is.none | is.all;
  is.first = ~is.whole & sal_eq(p->from, sal_set(0));
  return is;
}

/* Candidate 0 is the closed contact at the border and candidate 1 the open one beside it; where all
 * contacts are alike they are the first and the last one.  A single contact is candidate 0. */
static void set_border(const sal_phase *p, const sal_contacts *at)
{
  const row_sides is = sides_of(p);
  const sal_v one = sal_set(1), minus = sal_set(-1), zero = sal_set(0);
  const sal_m single = sal_eq(p->count, one);

  at->rank[0] = sal_sel(is.whole, zero, sal_sel(is.first, p->to - one, p->from));
  at->rank[1] = sal_sel(is.whole, sal_sel(single, minus, p->count - one),
                        sal_sel(is.first, p->to, p->from - one));
  at->side[0] = sal_sel(is.none, one, minus);
  at->side[1] = sal_sel(is.all & ~single, minus, one);
  at->onward[0] = sal_sel(is.first, minus, one);
  at->onward[1] = sal_sel(is.first, one, minus);
  for (int j = 0; j < SAL_ROW_CANDIDATES; ++j)
    at->starts_closed[j] =
        sal_ge(at->rank[j], at->touched_from) & sal_lt(at->rank[j], at->touched_to);
}

static void look_at_border(const sal_step_state *s, const sal_contacts *at, sal_v t,
                           const sal_v y[], const sal_v dy[], sal_v gap[], sal_v rate[])
{
  sal_row r;

  s->flow->row(&s->phase, t, y, dy, &r);
  for (int j = 0; j < SAL_ROW_CANDIDATES; ++j) {
    const sal_m there = sal_ge(at->rank[j], sal_set(0));
    gap[j] = sal_sel(there, sal_row_gap(&r, at->rank[j]), sal_set(1));
    rate[j] = sal_sel(there, sal_row_rate(&r, at->rank[j]), sal_set(0));
  }
}

/* One contact after the other: exact ties are decided by their own rates. */
static void enter_row(sal_step_state *s, sal_contacts *at, sal_m lanes)
{
  sal_row r;
  sal_v closed = sal_set(0), on = sal_set(0), first_on = sal_set(0);
  sal_m first_closed = sal_none();
  const sal_v one = sal_set(1);

  s->flow->row(&s->phase, s->t, s->y, s->fn, &r);
  for (int k = s->phase.n_guard - 1; k >= 0; --k) {
    const sal_v gap = sal_row_gap(&r, sal_set(k)), rate = sal_row_rate(&r, sal_set(k));
    const sal_m there = sal_lt(sal_set(k), s->phase.count), zero = there & sal_eq(gap, sal_set(0));
    first_closed = there & (sal_lt(gap, sal_set(0)) | (zero & sal_le(rate, sal_set(0))));
    closed = sal_sel(first_closed, closed + one, closed);
    on = sal_sel(zero, on + one, on);
    first_on = sal_sel(zero, sal_set(k), first_on);
  }
  const sal_m front = first_closed | sal_eq(closed, sal_set(0));
  s->phase.from =
      sal_sel(lanes, sal_sel(front, sal_set(0), s->phase.count - closed), s->phase.from);
  s->phase.to = sal_sel(lanes, sal_sel(front, closed, s->phase.count), s->phase.to);
  at->touched_from = sal_sel(lanes, first_on, at->touched_from);
  at->touched_to = sal_sel(lanes, first_on + on, at->touched_to);
  set_border(&s->phase, at);
}

/* touched_from, touched_to: the hull of the contacts that change now and, where no time has passed,
 * of those that changed before. */
static void touch_hull(sal_contacts *at, sal_m hit, sal_m idle, const sal_crossing *x)
{
  const sal_v far = sal_set(SAL_MAX_GUARD);
  const sal_m keep = ~hit | (idle & sal_lt(at->touched_from, at->touched_to));
  sal_v from = sal_sel(keep, at->touched_from, far);
  sal_v to = sal_sel(keep, at->touched_to, sal_set(0));

  for (int j = 0; j < SAL_ROW_CANDIDATES; ++j) {
    const sal_m fired = hit & x->fired[j];
    const sal_v a = at->rank[j], b = a + at->onward[j] * (x->many[j] - 1.0);
    from = sal_sel(fired, sal_min(sal_min(a, b), from), from);
    to = sal_sel(fired, sal_max(sal_max(a, b) + 1.0, to), to);
  }
  at->touched_from = from;
  at->touched_to = to;
}

static void change_row(sal_step_state *s, sal_contacts *at, sal_m hit, sal_m idle,
                       const sal_crossing *x)
{
  sal_phase *p = &s->phase;
  const row_sides is = sides_of(p);
  const sal_v zero = sal_set(0), from = p->from, to = p->to;
  const sal_m a = hit & x->fired[0], b = hit & x->fired[1], both = a & b & ~is.whole;
  const sal_m a_only = a & ~both, b_only = b & ~both, middle = ~is.whole;
  const sal_v ma = x->many[0], mb = x->many[1];

  touch_hull(at, hit, idle, x);
  /* the set becomes its complement */
  p->from = sal_sel(both, sal_sel(is.first, to, zero), p->from);
  p->to = sal_sel(both, sal_sel(is.first, p->count, from), p->to);
  /* the first contacts close or open */
  p->to = sal_sel(a_only & is.none, ma, p->to);
  p->from = sal_sel(a_only & is.all, ma, p->from);
  /* the last ones */
  p->from = sal_sel(b_only & is.none, p->count - mb, p->from);
  p->to = sal_sel(b_only & is.none, p->count, p->to);
  p->to = sal_sel(b_only & is.all, p->count - mb, p->to);
  /* those at the border */
  p->to = sal_sel(a_only & middle & is.first, to - ma, p->to);
  p->to = sal_sel(b_only & middle & is.first, to + mb, p->to);
  p->from = sal_sel(a_only & middle & ~is.first, from + ma, p->from);
  p->from = sal_sel(b_only & middle & ~is.first, from - mb, p->from);

  const sal_m empty = sal_ge(p->from, p->to);
  p->from = sal_sel(empty, zero, p->from);
  p->to = sal_sel(empty, zero, p->to);
  set_border(p, at);
}

/* ---- either --------------------------------------------------------------------------------- */

void sal_contacts_look(sal_step_state *s, const sal_contacts *at, sal_m lanes, sal_v t,
                       const sal_v y[], const sal_v dy[], sal_v gap[], sal_v rate[])
{
  if (at->n == 0) return;
  sal_count(&s->n_gap, lanes, 1);
  if (at->in_row)
    look_at_border(s, at, t, y, dy, gap, rate);
  else
    s->flow->guard(&s->phase, t, y, dy, gap, rate);
}

void sal_contacts_enter(sal_step_state *s, sal_contacts *at, sal_m lanes)
{
  const sal_m held = s->phase.held;

  s->phase.held = sal_none();
  s->flow->rhs(&s->phase, s->t, s->y, s->fn);
  sal_count(&s->n_gap, lanes, 1);
  if (!at->in_row && at->n > 0) s->flow->guard(&s->phase, s->t, s->y, s->fn, at->ga, at->ra);
  s->phase.held = held;
  if (at->in_row)
    enter_row(s, at, lanes);
  else
    enter_all(s, at, lanes);
}

void sal_contacts_adopt(sal_step_state *s, const sal_contacts *at, sal_m lanes)
{
  const sal_v zero = sal_set(0);

  sides_of_all(&s->phase, at);
  s->flow->rhs(&s->phase, s->t, s->y, s->fn);
  if (at->n > 0) s->flow->guard(&s->phase, s->t, s->y, s->fn, at->ga, at->ra);
  for (int k = 0; k < at->n; ++k) {
    const sal_m on = sal_eq(at->ga[k], zero);
    const sal_m slow = on & sal_gt(at->side[k], zero) & sal_eq(at->ra[k], zero);
    at->starts_closed[k] = sal_pick(lanes, on, at->starts_closed[k]);
    at->opening[k] = sal_pick(lanes, slow, at->opening[k]);
  }
}

void sal_contacts_complete(const sal_step_state *s, const sal_contacts *at, sal_m hit,
                           sal_crossing *x)
{
  if (!at->in_row) return;
  const row_sides is = sides_of(&s->phase);
  const sal_v closed = s->phase.to - s->phase.from;
  const sal_m both = hit & x->fired[0] & x->fired[1];
  x->many[0] = sal_sel(both, sal_sel(is.whole, s->phase.count, closed), x->many[0]);
  x->many[1] = sal_sel(both, s->phase.count - closed, x->many[1]);
  x->fired[1] &= ~(both & is.whole);
}

void sal_contacts_change(sal_step_state *s, sal_contacts *at, sal_m hit, sal_m idle,
                         const sal_crossing *x, const sal_m rests[])
{
  if (at->in_row)
    change_row(s, at, hit, idle, x);
  else
    change_all(s, at, hit, idle, x, rests);
}

void sal_contacts_leave(sal_contacts *at, sal_m lanes)
{
  sal_contacts_pass(at, lanes);
  at->touched_from = sal_sel(lanes, sal_set(0), at->touched_from);
  at->touched_to = sal_sel(lanes, sal_set(0), at->touched_to);
}

bool sal_contacts_closed(const sal_phase *phase, int k, int lane)
{
  if (phase->closed) return SAL_AT(phase->closed[k], lane) != 0;
  return SAL_AT(phase->from, lane) <= k && k < SAL_AT(phase->to, lane);
}
