/** States and modes after a change of a contact, or of its friction.
 *
 *  An impact changes the velocities by impulses, M dv = G' L, so that the contact's rate becomes -e times its value before
 *  (Newton's law) and the others that are closed keep theirs, where that does not need an impulse that pulls; friction
 *  gives as much as it needs to stick, or slides with mu times the normal impulse.  Contacts stay closed afterwards where the forces
 *  hold them; this is evaluated once, for all together.
 */
#include "energy_outcome.h"

/* A speed below which only rounding is left. */
static int blur_of(const sal_energy_jump *j, const sal_energy_terms *s, int c)
{
  int sum = size_of(j, s->law[c].along.drift);

  for (int i = 0; i < j->e->n; ++i)
    sum = plus(j, sum, size_of(j, times(j, s->law[c].along.row[i], s->v[i])));
  return times(j, number(j, 1e-6), sum);
}

/* Contacts without a law are on the side on which the states are now. */
static void look_at_marks(const sal_energy_jump *j, sal_energy_outcome *o)
{
  int from[SAL_ENERGY_OUTCOME_MOST], to[SAL_ENERGY_OUTCOME_MOST], gap[SAL_PROGRAM_CONTACTS];
  const int n = sal_energy_outcome_map(j, o, from, to);

  sal_algebra_replace(j->g, n, from, to, j->e->n_mark, j->e->mark_gap, gap);
  for (int m = 0; m < j->e->n_mark; ++m) {
    const int below = op(j, SAL_PROGRAM_lt, gap[m], number(j, 0));
    const int not_above = op(j, SAL_PROGRAM_le, gap[m], number(j, 0));
    if (gap[m] == j->e->mark_gap[m]) continue;
    o->marked[m] = sal_algebra_or(j->g, below, both(j, j->e->marked[m], not_above));
  }
}

/* Contacts that the forces do not hold open, or slide; `own`: also the friction that jumps, which by its event
 * breaks where it opens. */
static sal_energy_forces ask_forces(const sal_energy_jump *j, sal_energy_outcome *o, bool own)
{
  sal_energy_terms s;
  sal_energy_forces force = {0};
  sal_energy_modes modes;
  int acceleration[SAL_ALGEBRA_MOST];

  sal_energy_outcome_terms(j, o, &s);
  sal_energy_current(j->g, j->e, &s, &modes);
  sal_energy_accelerate(j->g, j->e, &s, &modes, &force, acceleration);
  for (int c = 0; c < j->e->n_contact; ++c) {
    const sal_energy_law *law = &s.law[c];
    const int pushed = op(j, SAL_PROGRAM_ge, force.normal[c], number(j, 0));
    if (j->e->contact[c].rigid) o->closed[c] = both(j, o->closed[c], pushed);
    const bool jumps = c == j->c && j->friction;
    if (!j->e->contact[c].stick || (jumps && !own)) continue;
    const int most = times(j, law->hold, op(j, SAL_PROGRAM_max, force.normal[c], number(j, 0)));
    const int held = jumps && !j->closes ? sal_algebra_false(j->g)
                                         : op(j, SAL_PROGRAM_le, size_of(j, force.along[c]), most);
    const int breaks = both(j, o->sticks[c], sal_algebra_not(j->g, held));
    o->sense[c] = pick(j, breaks, sal_algebra_neg(j->g, sign_of(j, force.along[c])), o->sense[c]);
    o->sticks[c] = both(j, both(j, o->sticks[c], held), o->closed[c]);
  }
  return force;
}

/* Sliding contacts have the senses of their speeds. */
static void face_motion(const sal_energy_jump *j, sal_energy_outcome *o)
{
  sal_energy_terms s;

  sal_energy_outcome_terms(j, o, &s);
  for (int c = 0; c < j->e->n_contact; ++c) {
    if (!j->e->contact[c].stick) continue;
    const int speed = sal_energy_outcome_slides(j, &s, c);
    if (!j->e->contact[c].rigid)
      o->sticks[c] =
          both(j, o->sticks[c], op(j, SAL_PROGRAM_le, size_of(j, speed), blur_of(j, &s, c)));
    o->sense[c] = pick(j, o->sticks[c], o->sense[c], sign_of(j, speed));
  }
}

static sal_energy_outcome change_rigid(const sal_energy_jump *j)
{
  sal_energy_outcome o = sal_energy_outcome_begin(j);
  sal_energy_modes modes;
  const int c = j->c, none = sal_algebra_false(j->g);

  sal_energy_outcome_land(j, &o);
  const int before = sal_energy_rate(j->g, j->e, &j->e->terms, &j->e->terms.law[c].normal);
  sal_energy_outcome_impact(j, &o, &modes);
  for (int i = 0; i < j->e->n_contact; ++i)
    if (j->e->contact[i].rigid) {
      o.closed[i] = modes.normal[i];
      o.sticks[i] = modes.along[i];
    }
  if (j->closes) {
    const int e = pick(j, j->rests, number(j, 0), j->e->terms.law[c].restitution);
    o.closed[c] = op(j, SAL_PROGRAM_eq, times(j, e, before), number(j, 0));
    o.sticks[c] = both(j, o.closed[c], o.sticks[c]);
  } else
    o.closed[c] = o.sticks[c] = none;
  face_motion(j, &o);
  look_at_marks(j, &o);
  ask_forces(j, &o, true);
  sal_energy_outcome_land(j, &o);
  return o;
}

/* A soft contact begins and ends without a force: its friction does not hold then, unless nothing slips. */
static sal_energy_outcome change_soft(const sal_energy_jump *j)
{
  sal_energy_outcome o = sal_energy_outcome_begin(j);
  const int speed = sal_energy_outcome_slides(j, &j->e->terms, j->c);

  o.sticks[j->c] = j->closes ? op(j, SAL_PROGRAM_eq, speed, number(j, 0)) : sal_algebra_false(j->g);
  o.sense[j->c] = sign_of(j, speed);
  return o;
}

/* The speed along its surface that the largest friction gives contact j->c in some roundings of time, and change [n] of all rates for a
 * speed of 1. */
static int speed_of_roundings(const sal_energy_jump *j, const sal_energy_terms *s,
                              const sal_energy_modes *modes, int most, double roundings,
                              int change[])
{
  const int some = op(j, SAL_PROGRAM_spacing, sal_graph_quantity(j->g, SAL_GRAPH_TIME, 0), 0);
  sal_energy_forces target = {0}, unit = {0};

  for (int c = 0; c < j->e->n_contact; ++c) target.normal[c] = target.along[c] = number(j, 0);
  target.along[j->c] = number(j, 1);
  sal_energy_respond(j->g, j->e, s, modes, &target, &unit, change);
  const int none = op(j, SAL_PROGRAM_eq, unit.along[j->c], number(j, 0)); /* it is open */
  return sal_algebra_div(j->g, times(j, times(j, number(j, roundings), some), most),
                         pick(j, none, number(j, 1), unit.along[j->c]));
}

/* A hold that breaks does so where the forces just balance: by what they gain in some roundings of time it slides on,
 * lest rounding turn it back. */
static void let_go(const sal_energy_jump *j, const sal_energy_terms *s,
                   const sal_energy_modes *modes, int most, sal_energy_outcome *o)
{
  int change[SAL_ALGEBRA_MOST];
  const int gain = speed_of_roundings(j, s, modes, most, 8, change);

  for (int i = 0; i < j->e->n; ++i)
    o->v[i] = plus(j, o->v[i], times(j, times(j, o->sense[j->c], gain), change[i]));
}

/* Does the speed contradict the sense by more than forces give it in the resolution of time, within which an event is found? */
static int is_turned(const sal_energy_jump *j, const sal_energy_terms *s,
                     const sal_energy_modes *modes, int most)
{
  enum { ROUNDINGS = 512 }; /* of these the resolution has 128 */
  const int speed = times(j, s->law[j->c].sense, sal_energy_outcome_slides(j, s, j->c));
  int change[SAL_ALGEBRA_MOST];
  const int gain = speed_of_roundings(j, s, modes, most, ROUNDINGS, change);

  return op(j, SAL_PROGRAM_lt, plus(j, speed, plus(j, gain, blur_of(j, s, j->c))), number(j, 0));
}

/* Sliding that comes to an end, or a hold that breaks.  A sense that the speed contradicts is that of an initial state. */
static sal_energy_outcome change_friction(const sal_energy_jump *j)
{
  const int c = j->c;
  sal_energy_terms landed, *s = &landed; /* on the surfaces, off which errors of steps have led */
  sal_energy_outcome o = sal_energy_outcome_begin(j);
  sal_energy_forces target = {0}, impulse = {0};
  sal_energy_modes modes;
  int change[SAL_ALGEBRA_MOST];

  sal_energy_outcome_land(j, &o);
  sal_energy_outcome_terms(j, &o, s);
  sal_energy_current(j->g, j->e, s, &modes);
  modes.along[c] = s->law[c].closed;
  modes.slides[c] = sal_algebra_false(j->g);
  sal_energy_outcome_stop(j, s, &target);
  sal_energy_respond(j->g, j->e, s, &modes, &target, &impulse, change);
  sal_energy_outcome held = o;
  for (int i = 0; i < j->e->n; ++i) held.v[i] = plus(j, s->v[i], change[i]);
  look_at_marks(j, &held);
  held.sticks[c] = s->law[c].closed;
  const sal_energy_forces force = ask_forces(j, &held, true);
  const int most = times(j, s->law[c].hold, force.normal[c]);
  const int turned = j->closes ? is_turned(j, s, &modes, most) : sal_algebra_false(j->g);
  for (int i = 0; i < j->e->n; ++i) o.v[i] = pick(j, turned, s->v[i], held.v[i]);
  look_at_marks(j, &o);
  o.sense[c] = pick(j, turned, sal_algebra_neg(j->g, s->law[c].sense), held.sense[c]);
  o.sticks[c] =
      j->closes ? both(j, held.sticks[c], sal_algebra_not(j->g, turned)) : sal_algebra_false(j->g);
  if (!j->closes) let_go(j, s, &modes, most, &o);
  ask_forces(j, &o, false);
  sal_energy_outcome_land(j, &o);
  return o;
}

/* Outcome for a contact without a law: the text gives its jump, the forces decide which of the others stay closed. */
static sal_energy_outcome change_mark(const sal_energy_jump *j, sal_equation_contact *c, int m)
{
  sal_energy_outcome o = sal_energy_outcome_begin(j);
  bool any = false;

  for (int i = 0; i < j->e->n; ++i) {
    const int q = c->value[j->closes][i], v = c->value[j->closes][j->e->n + i];
    if (q >= 0) o.q[i] = q;
    if (v >= 0) o.v[i] = v;
    any |= q >= 0 || v >= 0;
  }
  o.marked[m] = j->closes ? sal_algebra_true(j->g) : sal_algebra_false(j->g);
  ask_forces(j, &o, true);
  if (!any) sal_energy_outcome_land(j, &o);
  return o;
}

/* A state's value, where it is another one than it was. */
static void put_value(sal_equation_reading *r, int guard, int event, int state, int was, int is)
{
  if (is != was) r->contact[guard].value[event][state] = is;
}

/* Modes after both events; that of the guard itself is `stays`. */
static void put_mode(sal_equation_reading *r, int guard, int of, int was, int opened, int closed)
{
  sal_equation_contact *c = &r->contact[guard];
  const int closing = sal_graph_make(&r->graph, SAL_PROGRAM_closing, 0, 0, 0);

  if (guard == of) {
    c->stays[0] = opened == sal_algebra_false(&r->graph) ? SAL_EQUATION_NONE : opened;
    c->stays[1] = closed == sal_algebra_true(&r->graph) ? SAL_EQUATION_NONE : closed;
  } else if ((opened != was || closed != was) && c->sets[of] < 0)
    c->sets[of] = sal_algebra_pick_mask(&r->graph, closing, closed, opened);
}

static void put(sal_equation_reading *r, int guard, const sal_energy_outcome after[2])
{
  const sal_energy *e = r->energy;
  const int first = r->model->n_state - r->model->n_discrete;

  for (int event = 0; event < 2; ++event) {
    const sal_energy_outcome *o = &after[event];
    for (int i = 0; i < e->n; ++i) {
      put_value(r, guard, event, i, e->terms.q[i], o->q[i]);
      put_value(r, guard, event, e->n + i, e->terms.v[i], o->v[i]);
    }
    for (int c = 0; c < e->n_contact; ++c)
      if (e->contact[c].stick)
        put_value(r, guard, event, first + e->contact[c].sense, e->terms.law[c].sense, o->sense[c]);
  }
  for (int c = 0; c < e->n_contact; ++c) {
    const sal_energy_law *law = &e->terms.law[c];
    put_mode(r, guard, e->contact[c].guard, law->closed, after[0].closed[c], after[1].closed[c]);
    if (e->contact[c].stick)
      put_mode(r, guard, e->contact[c].stick, law->sticks, after[0].sticks[c], after[1].sticks[c]);
  }
  for (int m = 0; m < e->n_mark; ++m)
    if (e->mark[m] != guard)
      put_mode(r, guard, e->mark[m], e->marked[m], after[0].marked[m], after[1].marked[m]);
}

static void put_marks(sal_equation_reading *r, sal_energy_jump *j)
{
  j->c = -1;
  j->friction = false;
  for (int m = 0; m < j->e->n_mark; ++m) {
    sal_energy_outcome after[2];
    for (int event = 0; event < 2; ++event) {
      j->closes = event == 1;
      after[event] = change_mark(j, &r->contact[j->e->mark[m]], m);
    }
    put(r, j->e->mark[m], after);
  }
}

void sal_energy_jumps(sal_equation_reading *r)
{
  sal_energy *e = r->energy;
  sal_energy_jump j = {
      .g = &r->graph, .e = e, .rests = sal_graph_make(&r->graph, SAL_PROGRAM_rests, 0, 0, 0)};

  for (int c = 0; c < e->n_contact; ++c) {
    sal_energy_outcome after[2];
    j.c = c;
    j.friction = false;
    for (int event = 0; event < 2; ++event) {
      j.closes = event == 1;
      if (e->contact[c].rigid)
        after[event] = change_rigid(&j);
      else if (e->contact[c].stick)
        after[event] = change_soft(&j);
    }
    if (e->contact[c].rigid || e->contact[c].stick) put(r, e->contact[c].guard, after);
    if (!e->contact[c].stick) continue;
    j.friction = true;
    for (int event = 0; event < 2; ++event) {
      j.closes = event == 1;
      after[event] = change_friction(&j);
    }
    put(r, e->contact[c].stick, after);
  }
  put_marks(r, &j);
}
