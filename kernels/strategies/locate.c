/** Suspects and flights; which of them crosses first.
 *
 *  `side` is +1 for an open contact and -1 for a closed one: side * gap > 0 inside the phase.
 */
#include "isolate.h"
#include "row.h"
#include "stages.h"

enum { HALVINGS = 12 };

/* The gap is 0 where the step begins, and on the wrong side at b, after which it does not come back ahead of the
 * crossing: the first crossing after the flight; *nothing: lanes in which no point of the dense output is on the right
 * side. */
static sal_v root_after_flight(const sal_root_probe *p, sal_m lanes, sal_v b, sal_v fb,
                               sal_m *nothing)
{
  sal_v a = sal_set(0), fa = sal_set(0);
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

/* The earliest crossing of contact k known so far. */
static void note_crossing(const sal_contacts *at, int k, sal_m lanes, sal_v theta)
{
  at->when[k] = sal_sel(lanes, sal_min(theta, at->when[k]), at->when[k]);
}

/* The first step after a contact's own event is rare, so one contact at a time. */
static void examine_flight(const sal_root_probe *p, int k, sal_m flight, sal_crossing *out)
{
  const sal_contacts *at = p->at;
  sal_m nothing;

  sal_root_choose(at, flight, k);
  sal_dense_make(p->d, flight);
  const sal_v theta = root_after_flight(p, flight, at->until[k], at->late[k], &nothing);
  note_crossing(at, k, flight & ~nothing, theta);
  out->refuse |= nothing;
}

/* Just after an event methods of variable order take steps of their lowest one: lanes in which a dip no deeper than
 * the tolerance may be an error of such a step, which is repeated. */
static sal_m may_be_error(const sal_root_probe *p, int k, sal_m dips, sal_v lowest)
{
  const sal_step_state *s = p->d->step;
  const sal_contacts *at = p->at;
  sal_m begins = sal_none();

  if (at->degree == 0) return sal_none();
  for (int j = 0; j < at->n; ++j) begins |= at->starts_closed[j];
  return dips & begins & sal_ge(lowest, -at->gap_tolerance[k]) & sal_gt(0.25 * s->h, s->hmin);
}

/* Lanes in which such a step, of order 1, bends a flight that is little higher than the tolerance: an error of the step
 * would be one of the flight.  It is repeated until the flight begins straight, and the next ones are of order 2. */
static sal_m bends_low_flight(const sal_root_probe *p, int k)
{
  enum { STRAIGHT = 128, LOW = 4096, SHORT = 1 << 16, ROUNDINGS = 1 << 18 };
  const sal_step_state *s = p->d->step;
  const sal_contacts *at = p->at;
  const sal_m flies = at->starts_closed[k] & ~at->opening[k] & sal_gt(at->side[k], sal_set(0));
  const sal_v rise = at->side[k] * s->h * at->rate[k];
  const sal_v bend = sal_abs(rise - at->side[k] * at->gapn[k]);

  if (!at->bends || sal_model_contact(s->model, k)->kind != SAL_CONTACT_RIGID) return sal_none();
  /* as a parabola the flight is rise^2 / (4 bend) high; a contact that was released without a speed has none */
  return at->maybe[k] & flies & sal_gt((double)STRAIGHT * bend, rise) &
         sal_le(rise * rise, (double)LOW * at->gap_tolerance[k] * bend) &
         sal_gt(rise * rise, (double)ROUNDINGS * at->gap_noise[k] * bend) &
         sal_gt(s->h, (double)SHORT * s->hmin);
}

/* Contact k, of which the ends show that it crosses in the lanes of `seen`: the part of the step in which it first
 * does.  Returns the other lanes in which it crosses. */
static sal_m isolate_contact(const sal_root_probe *p, int k, sal_m still, sal_m seen,
                             sal_crossing *out)
{
  const sal_contacts *at = p->at;
  sal_v lowest;
  const sal_bernstein_first f = sal_isolate_first(p, k, still, &lowest);
  const sal_m partly = f.found & (~seen | f.again);
  const sal_m error = may_be_error(p, k, f.found & ~seen, lowest) | bends_low_flight(p, k);

  at->isolated[k] = partly & ~error;
  out->refuse |= error;
  out->undecided |= f.undecided & ~seen;
  at->from[k] = sal_sel(partly, f.lo, at->from[k]);
  at->at_from[k] = sal_sel(partly, f.at_lo, at->at_from[k]);
  at->until[k] = sal_sel(partly, f.hi, at->until[k]);
  at->late[k] = sal_sel(partly, f.at_hi, at->late[k]);
  return f.found & ~seen & ~error;
}

/* Classifies contact k by gap and rate at the ends of the step; returns the lanes in which it is a
 * suspect: it crosses from the right side to the wrong one between at->from and at->until. */
static sal_m classify_contact(const sal_root_probe *p, int k, sal_m lanes, sal_crossing *out)
{
  const sal_step_state *s = p->d->step;
  const sal_contacts *at = p->at;
  const sal_v zero = sal_set(0), side = at->side[k];
  const sal_v gap = side * at->gap[k], da = side * at->rate[k];
  /* no longer, when a jump has put it farther inside its phase than time and roundings can resolve */
  const sal_v resolved =
      sal_max(128.0 * sal_lane_spacing(s->t) * sal_abs(da), 32.0 * at->rounding[k]);
  const sal_m touch = at->starts_closed[k] & (at->opening[k] | ~sal_gt(gap, resolved));
  const sal_v a = sal_sel(touch, zero, gap);
  const sal_v b = side * at->gapn[k], db = side * at->raten[k];

  /* released, it has never risen: the errors of the steps were larger than the flight, which is over */
  const sal_m sunk =
      at->opening[k] & sal_lt(gap, zero) & sal_lt(db, zero) & sal_le(0.25 * s->h, s->hmin);
  const sal_m undone = lanes & touch & (sal_lt(da, zero) | sunk);
  const sal_m still = sal_eq(a, zero); /* on the surface: by an event, or by chance */
  const sal_m late = lanes & ~touch & (sal_lt(a, zero) | (still & sal_lt(da, zero)));
  const sal_m eases = touch & at->opening[k] & sal_gt(db, zero);
  const sal_m rest = lanes & ~undone & ~late & ~eases;
  sal_m flight = rest & still & sal_lt(b, zero), ends = rest & ~still & sal_le(b, zero);

  if (sal_any(undone | late)) note_crossing(at, k, undone | late, zero);
  out->graze |= undone;
  at->from[k] = zero;
  at->at_from[k] = a;
  at->until[k] = sal_set(1);
  at->late[k] = b;
  at->isolated[k] = sal_none();
  at->maybe[k] &= rest;
  if (sal_any(at->maybe[k])) {
    const sal_m found = isolate_contact(p, k, still, flight | ends, out);
    flight |= found & still;
    ends |= found & ~still;
  }
  if (sal_any(flight)) examine_flight(p, k, flight, out);
  return ends;
}

/* Chooses in each lane the suspect whose chord over its part of the step is 0 first. */
static sal_m choose_first_suspect(const sal_contacts *at, sal_v *lo, sal_v *fa, sal_v *hi,
                                  sal_v *fb)
{
  sal_v best = sal_set(INFINITY);
  sal_m some = sal_none(), which = sal_none();

  for (int k = 0; k < at->n; ++k) {
    const sal_v a = at->at_from[k], share = a / (a - at->late[k]);
    const sal_v chord = at->from[k] + (at->until[k] - at->from[k]) * share;
    const sal_m first = at->suspect[k] & sal_lt(chord, best);
    best = sal_sel(first, chord, best);
    *lo = sal_sel(first, at->from[k], *lo);
    *fa = sal_sel(first, a, *fa);
    *hi = sal_sel(first, at->until[k], *hi);
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

/* Where the chosen suspects cross that do so once, from a cubic through what is known at both ends of the step. */
static sal_v guess_root(const sal_step_state *s, const sal_contacts *at, sal_v fa, sal_v fb)
{
  sal_v da = sal_set(0), db = sal_set(0);

  for (int k = 0; k < at->n; ++k) {
    const sal_m once = at->chosen[k] & ~at->isolated[k];
    da = sal_sel(once, at->side[k] * at->rate[k], da);
    db = sal_sel(once, at->side[k] * at->raten[k], db);
    fb = sal_sel(at->chosen[k] & at->isolated[k], sal_set(NAN), fb);
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

/* The suspects that cross no later than `end`, where at->ga are the gaps, in the lanes of todo: one whose part of the
 * step is over by then does. */
static void clear_suspects(const sal_contacts *at, sal_m todo, sal_v end)
{
  const sal_v zero = sal_set(0);

  for (int k = 0; k < at->n; ++k) {
    const sal_m cut = todo & sal_gt(at->until[k], end);
    at->late[k] = sal_sel(cut, at->side[k] * at->ga[k], at->late[k]);
    at->until[k] = sal_sel(cut, end, at->until[k]);
    at->suspect[k] &= ~at->chosen[k] & sal_le(at->late[k], zero) & sal_lt(at->from[k], end);
  }
}

/* The earliest plain crossing: the root of the suspect with the earliest chord shortens the step in
 * question, the gaps there clear the suspects still inside their phase, and so on.  Contacts that
 * have crossed within the resolution of time after the earliest one cross with it. */
static void solve_suspects(const sal_root_probe *p, sal_m any, sal_m *leap)
{
  const sal_step_state *s = p->d->step;
  const sal_contacts *at = p->at;
  const sal_v zero = sal_set(0);
  sal_v end = sal_set(1), lo = zero, hi = end, fa = zero, fb = zero;
  sal_m crowd = sal_none(), todo = choose_first_suspect(at, &lo, &fa, &hi, &fb);
  sal_v guess = guess_root(s, at, fa, fb);

  sal_dense_make(p->d, any);
  for (; sal_any(todo); todo = choose_first_suspect(at, &lo, &fa, &hi, &fb), guess = sal_set(NAN)) {
    end = sal_sel(todo, p->find(p, todo, lo, fa, hi, fb, guess, false, leap), end);
    for (int k = 0; k < at->n; ++k) note_crossing(at, k, todo & at->chosen[k], end);
    if (!sal_any(todo & other_suspects(at))) break;
    crowd |= todo & other_suspects(at);
    sal_root_value(p, todo & other_suspects(at), end, false);
    clear_suspects(at, todo, end);
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
    out->isolated |= lanes & fires & at->isolated[k];
  }
  out->hit = lanes & sal_lt(first, none);
  out->theta = sal_sel(out->hit, first, sal_set(1));
}

/* Lanes of `hit` in which contact k is rigid and lands. */
static sal_m lands(const sal_step_state *s, const sal_contacts *at, int k, const sal_crossing *x)
{
  const bool rigid = sal_model_contact(s->model, k)->kind == SAL_CONTACT_RIGID;

  return rigid ? x->hit & x->fired[k] & sal_gt(at->side[k], sal_set(0)) : sal_none();
}

/* After an event positions have errors of steps of order 1, which velocities do not share: a contact that comes to its surface
 * there while its velocity leads off is not back yet.  Such a step is repeated. */
static void refuse_false_landings(sal_dense *d, const sal_contacts *at, sal_crossing *x)
{
  sal_step_state *s = d->step;
  const sal_v t = s->t + x->theta * s->h;
  sal_m any = sal_none();

  for (int k = 0; k < at->n; ++k) any |= lands(s, at, k, x);
  any &= sal_gt(0.25 * s->h, s->hmin);
  if (!sal_any(any)) return;
  sal_dense_make(d, any);
  sal_dense_state(d, x->theta, at->ya);
  sal_dense_slope(d, x->theta, at->yb);
  for (int i = 0; i < s->n; ++i)
    if (s->model->velocity[i]) at->yb[i] = at->ya[s->model->velocity[i] - 1];
  sal_contacts_look(s, at, any, t, at->ya, at->yb, at->ga, at->ra);
  sal_m wrong = sal_none();
  for (int k = 0; k < at->n; ++k) wrong |= any & lands(s, at, k, x) & sal_gt(at->ra[k], sal_set(0));
  x->refuse |= wrong;
  x->hit &= ~wrong;
}

/* The dense output of ode113 does not begin at the state: after an event a contact that this alone makes cross at once, far from
 * where its rate leads in that time, or against it, has not come back, either. */
static void refuse_leaps(const sal_step_state *s, const sal_contacts *at, sal_crossing *x)
{
  enum { FAR = 1 << 17 };
  const sal_v soon = sal_root_resolution(s), most = (double)FAR * soon * s->h;
  sal_m begins = sal_none(), inside = sal_none();

  for (int k = 0; k < at->n; ++k) {
    const sal_v gap = at->side[k] * at->gap[k], rate = at->side[k] * at->rate[k];
    const sal_m leaves = sal_gt(gap, sal_set(0)) & sal_gt(rate, sal_set(0));
    begins |= at->starts_closed[k];
    inside |= x->fired[k] & (leaves | sal_gt(gap, most * sal_abs(rate)));
  }
  const sal_m wrong =
      x->hit & begins & inside & sal_le(x->theta, soon) & sal_gt(0.25 * s->h, s->hmin);
  x->refuse |= wrong;
  x->hit &= ~wrong;
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

/* Gaps at the end of the step and at->maybe, at->bulge of the step of a pair: the same as where its steps are compiled
 * with f, which may have left them. */
static void look_inside(sal_step_state *s, const sal_contacts *at, const sal_tableau *tab,
                        sal_m lanes)
{
  const bool sums = tab && !at->in_row && at->n > 0;

  if (at->looked) {
    sal_count(&s->n_gap, lanes, 1);
    return;
  }
  sal_contacts_look(s, at, lanes, s->tn, s->yn, s->fn, at->gapn, at->raten);
  for (int k = 0; k < at->n; ++k) at->bulge[k] = sal_set(0);
  if (sums && tab->degree == 0)
    sal_stages_sum(s->n, sal_tableau_terms(tab), tab->e, s->mem, at->ya);
  for (int m = 0; sums && m < sal_contacts_n_slope(tab); ++m) {
    for (int i = 0; i < s->n; ++i)
      at->yb[i] = sal_contacts_slope(tab, m, s->n, s->mem + i, at->ya[i]);
    s->flow->guard(&s->phase, s->tn, s->yn, at->yb, at->ga, at->ra);
    sal_contacts_add_bulge(at, tab, m, s->h);
  }
  for (int k = 0; k < at->n; ++k) at->maybe[k] = sal_contacts_may_cross(at, k, s->h, tab);
}

/* Lanes in which contact k does not begin inside its phase, or in which its affine gap may dip where the dense output differs
 * from the cubic of the ends by no more than so many times the bend: with slopes of its own there; or with the state at the
 * end alone, as that of ode113 has it. */
static sal_m is_near(const sal_root_probe *p, int k)
{
  enum { MARGIN = 64, OF_STEPS = 16 };
  const sal_contacts *at = p->at;
  const sal_contacts_shape c = sal_contacts_shape_of(at, k, p->d->step->h);
  const sal_v level = (double)(at->exact ? MARGIN : OF_STEPS) * c.bend;
  const sal_m above = sal_gt(c.early, level) & sal_gt(c.middle, level) & sal_gt(c.late, level);
  const sal_m inside = at->starts_closed[k] | sal_gt(at->side[k] * at->gap[k], sal_set(0));

  return ~inside | (~above & sal_isolate_has_form(p, k, SAL_FORM_AFFINE));
}

/* at->maybe: lanes in which a contact may cross; in most steps there is none, and nothing else is computed. */
static sal_m needs_look(const sal_root_probe *p, sal_m lanes)
{
  sal_step_state *s = p->d->step;
  const sal_contacts *at = p->at;
  const sal_tableau *tab = s->method->pair ? sal_tableaus[s->method->pair - 1] : NULL;
  sal_m any = sal_none();

  look_inside(s, at, tab, lanes);
  for (int k = 0; k < at->n; ++k) {
    at->maybe[k] &= lanes;
    if (at->exact || at->degree > 0) at->maybe[k] |= lanes & is_near(p, k);
    if (at->bends) at->maybe[k] |= lanes & at->starts_closed[k];
    any |= at->maybe[k];
  }
  return at->always ? lanes : any;
}

void sal_locate_first(sal_dense *d, const sal_contacts *at, sal_m lanes, sal_root_finder *root,
                      sal_crossing *out)
{
  const sal_root_probe p = {d, at, sal_set(0), root};
  sal_step_state *s = d->step;
  sal_m any = sal_none();

  out->hit = out->refuse = out->graze = out->leap = out->isolated = out->undecided = sal_none();
  lanes = needs_look(&p, lanes); /* others are not looked at alone, either */
  if (!sal_any(lanes)) return;
  for (int k = 0; k < at->n; ++k) out->lost |= lanes & ~sal_eq(at->gapn[k], at->gapn[k]);
  sal_isolate_begin(&p, lanes);
  for (int k = 0; k < at->n; ++k) at->when[k] = sal_set(2);
  for (int k = 0; k < at->n; ++k) {
    at->suspect[k] = classify_contact(&p, k, lanes, out);
    any |= at->suspect[k];
  }
  if (sal_any(any)) solve_suspects(&p, any, &out->leap);
  gather_crossings(s, at, lanes, out);
  if (at->degree > 0 && !at->bends) refuse_leaps(s, at, out);
  if (at->bends && sal_isolate_together(s->model)) refuse_false_landings(d, at, out);
  if (at->in_row && sal_any(out->hit)) follow_row(d, at, out);
  out->hit &= ~(out->refuse & sal_gt(out->theta, sal_set(0))); /* the flight inside comes first */
  out->refuse &= ~out->hit;
  out->graze &= sal_le(out->theta, sal_set(0));
  out->isolated &= out->hit;
}
