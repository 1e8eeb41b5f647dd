/** @file src/equations/energy_jumps.c
 *  What the states and modes are after a contact, or its friction, has changed.
 *
 *  An impact changes the velocities by impulses, M dv = G' L, so that the contact's rate becomes -e times what it was
 *  (Newton's law) and the others that are closed keep theirs, where that does not need an impulse that pulls; friction
 *  gives as much as it needs to stick, or slides with mu times the normal impulse.  What stays closed afterwards is what the forces
 *  hold; that is asked once, all at a time.
 */
#include "energy.h"

/** After a jump. */
typedef struct {
  int q[SAL_ALGEBRA_MOST], v[SAL_ALGEBRA_MOST];
  int closed[SAL_MAX_CONTACT], sticks[SAL_MAX_CONTACT], sense[SAL_MAX_CONTACT];
  int marked[SAL_MAX_CONTACT];
} outcome;

enum { MOST = 2 * SAL_ALGEBRA_MOST + 4 * SAL_MAX_CONTACT };

/** One jump while it is made: of contact c or of its friction; -1: of one without a law. */
typedef struct {
  sal_graph *g;
  sal_energy *e;
  int c;
  bool friction, closes;
  int rests;
} jump;

static int op(const jump *j, sal_program_op code, int a, int b)
{
  return sal_graph_make(j->g, code, a, b, 0);
}
static int number(const jump *j, double value) { return sal_graph_constant(j->g, value); }
static int size_of(const jump *j, int a) { return op(j, SAL_PROGRAM_abs, a, 0); }
static int times(const jump *j, int a, int b) { return sal_algebra_mul(j->g, a, b); }
static int plus(const jump *j, int a, int b) { return sal_algebra_add(j->g, a, b); }
static int both(const jump *j, int a, int b) { return sal_algebra_and(j->g, a, b); }
static int pick(const jump *j, int mask, int a, int b)
{
  return sal_algebra_pick(j->g, mask, a, b);
}
static int sign_of(const jump *j, int a)
{
  return pick(j, op(j, SAL_PROGRAM_lt, a, number(j, 0)), number(j, -1), number(j, 1));
}

static int slides_at(const jump *j, const sal_energy_terms *s, int c)
{
  return sal_energy_rate(j->g, j->e, s, &s->law[c].along);
}

/* A speed below which rounding is all there is. */
static int blur_of(const jump *j, const sal_energy_terms *s, int c)
{
  int sum = size_of(j, s->law[c].along.drift);

  for (int i = 0; i < j->e->n; ++i)
    sum = plus(j, sum, size_of(j, times(j, s->law[c].along.row[i], s->v[i])));
  return times(j, number(j, 1e-6), sum);
}

/* The modes as they are, with the friction of soft contacts on its own. */
static outcome begin(const jump *j)
{
  const sal_energy_terms *s = &j->e->terms;
  outcome o;

  for (int i = 0; i < j->e->n; ++i) {
    o.q[i] = s->q[i];
    o.v[i] = s->v[i];
  }
  for (int c = 0; c < j->e->n_contact; ++c) {
    o.closed[c] = s->law[c].closed;
    o.sticks[c] = s->law[c].sticks;
    o.sense[c] = s->law[c].sense;
  }
  for (int m = 0; m < j->e->n_mark; ++m) o.marked[m] = j->e->marked[m];
  return o;
}

/* The coordinates and rates of a run, and what they become. */
static int map_states(const jump *j, const outcome *o, int from[], int to[])
{
  int n = 0;

  for (int i = 0; i < j->e->n; ++i) {
    from[n] = j->e->terms.q[i], to[n++] = o->q[i];
    from[n] = j->e->terms.v[i], to[n++] = o->v[i];
  }
  return n;
}

/* The terms at an outcome. */
static void terms_at(const jump *j, const outcome *o, sal_energy_terms *out)
{
  const sal_energy_terms *s = &j->e->terms;
  int from[MOST], to[MOST], n = map_states(j, o, from, to);

  for (int c = 0; c < j->e->n_contact; ++c) {
    from[n] = s->law[c].closed, to[n++] = o->closed[c];
    if (!j->e->contact[c].stick) continue;
    from[n] = s->law[c].sticks, to[n++] = o->sticks[c];
    from[n] = s->law[c].sense, to[n++] = o->sense[c];
  }
  for (int m = 0; m < j->e->n_mark; ++m) from[n] = j->e->marked[m], to[n++] = o->marked[m];
  sal_energy_terms_at(j->g, s, n, from, to, out);
}

/* Contacts without a law are on the side on which the states are now. */
static void look_at_marks(const jump *j, outcome *o)
{
  int from[MOST], to[MOST], gap[SAL_MAX_CONTACT];
  const int n = map_states(j, o, from, to);

  sal_algebra_replace(j->g, n, from, to, j->e->n_mark, j->e->mark_gap, gap);
  for (int m = 0; m < j->e->n_mark; ++m) {
    const int below = op(j, SAL_PROGRAM_lt, gap[m], number(j, 0));
    const int not_above = op(j, SAL_PROGRAM_le, gap[m], number(j, 0));
    if (gap[m] == j->e->mark_gap[m]) continue;
    o->marked[m] = sal_algebra_or(j->g, below, both(j, j->e->marked[m], not_above));
  }
}

/* The rates that a jump begins with, and those that it changes them by: to 0. */
static void stop_all(const jump *j, const sal_energy_terms *s, sal_energy_forces *target)
{
  for (int c = 0; c < j->e->n_contact; ++c) {
    target->normal[c] = sal_algebra_neg(j->g, sal_energy_rate(j->g, j->e, s, &s->law[c].normal));
    target->along[c] = sal_algebra_neg(j->g, slides_at(j, s, c));
  }
}

/* Some roundings of a gap. */
static int grain_of(const jump *j, const sal_energy_law *law)
{
  int sum = number(j, 0);

  for (int i = 0; i < j->e->n; ++i)
    sum = plus(j, sum, size_of(j, times(j, law->normal.row[i], j->e->terms.q[i])));
  return times(j, number(j, 8), op(j, SAL_PROGRAM_spacing, sum, 0));
}

/* Some roundings of a gap. */
static int grain_of(const jump *j, const sal_energy_law *law)
{
  int sum = number(j, 0);

  for (int i = 0; i < j->e->n; ++i)
    sum = plus(j, sum, size_of(j, times(j, law->normal.row[i], j->e->terms.q[i])));
  return times(j, number(j, 8), op(j, SAL_PROGRAM_spacing, sum, 0));
}

/* Puts the gaps of what was closed, or changes, to 0, as near as one step of Newton's iteration does, and by some
 * roundings to the side of the mode they are in now.  Where a contact without a law has changed, whose own gap must
 * stay where it is, that is done with what opens alone. */
static void land(const jump *j, outcome *o)
{
  const sal_energy_terms *s = &j->e->terms;
  sal_energy_forces target, force;
  sal_energy_modes modes;
  int change[SAL_ALGEBRA_MOST];

  sal_energy_current(j->g, j->e, s, &modes);
  if (j->c >= 0 && !j->friction) modes.normal[j->c] = sal_algebra_true(j->g);
  for (int c = 0; c < j->e->n_contact; ++c) {
    const int grain = grain_of(j, &s->law[c]);
    const int side = pick(j, o->closed[c], sal_algebra_neg(j->g, grain), grain);
    if (j->c < 0) modes.normal[c] = both(j, modes.normal[c], sal_algebra_not(j->g, o->closed[c]));
    modes.along[c] = modes.slides[c] = sal_algebra_false(j->g);
    target.normal[c] = sal_algebra_sub(j->g, side, s->law[c].gap);
    target.along[c] = number(j, 0);
  }
  sal_energy_respond(j->g, j->e, s, &modes, &target, &force, change);
  for (int i = 0; i < j->e->n; ++i) o->q[i] = plus(j, s->q[i], change[i]);
}

/* Which of the others take part in an impact: those that it does not have to pull.  Impulses of the size of
 * rounding are none. */
static void leave_out(const jump *j, const sal_energy_terms *s, const sal_energy_forces *impulse,
                      sal_energy_modes *modes)
{
  const int some = times(j, number(j, 1e-9), impulse->normal[j->c]);

  for (int c = 0; c < j->e->n_contact; ++c) {
    const sal_energy_law *law = &s->law[c];
    const int pushed = op(j, SAL_PROGRAM_ge, plus(j, impulse->normal[c], some), number(j, 0));
    const int most = plus(j, times(j, law->hold, impulse->normal[c]), some);
    const int held = op(j, SAL_PROGRAM_le, size_of(j, impulse->along[c]), most);
    const int normal = c == j->c ? modes->normal[c] : both(j, modes->normal[c], pushed);
    const int slid = both(j, modes->slides[c], normal);
    modes->along[c] = both(j, both(j, modes->along[c], normal), held);
    modes->slides[c] = c == j->c ? both(j, normal, sal_algebra_not(j->g, modes->along[c])) : slid;
    modes->normal[c] = normal;
  }
}

/* The speed that comes of the accelerations in some roundings of time.  Forces just balance where a contact is
 * released, and with it rounding does not turn it back. */
static int speed_of_release(const jump *j, const sal_energy_terms *s)
{
  const int some = op(j, SAL_PROGRAM_spacing, sal_graph_quantity(j->g, SAL_GRAPH_TIME, 0), 0);
  sal_energy_forces force;
  sal_energy_modes modes;
  int acceleration[SAL_ALGEBRA_MOST], sum = number(j, 0);

  sal_energy_current(j->g, j->e, s, &modes);
  modes.normal[j->c] = sal_algebra_true(j->g);
  sal_energy_accelerate(j->g, j->e, s, &modes, &force, acceleration);
  for (int i = 0; i < j->e->n; ++i)
    sum = plus(j, sum, size_of(j, times(j, s->law[j->c].normal.row[i], acceleration[i])));
  return times(j, times(j, number(j, 8), some), sum);
}

/* The velocities after an impact or a release, and which contacts took part. */
static void impact(const jump *j, outcome *o, sal_energy_modes *modes)
{
  sal_energy_terms s;
  sal_energy_forces target, impulse;
  int change[SAL_ALGEBRA_MOST];
  const int c = j->c;

  terms_at(j, o, &s);
  sal_energy_current(j->g, j->e, &s, modes);
  for (int i = 0; i < j->e->n_contact; ++i)
    if (!j->e->contact[i].rigid) modes->along[i] = modes->slides[i] = sal_algebra_false(j->g);
  modes->normal[c] = sal_algebra_true(j->g);
  modes->slides[c] = sal_algebra_false(j->g);
  modes->along[c] =
      j->closes && j->e->contact[c].stick ? sal_algebra_true(j->g) : sal_algebra_false(j->g);
  stop_all(j, &s, &target);
  if (j->closes) {
    const int e = pick(j, j->rests, number(j, 0), s.law[c].restitution);
    target.normal[c] = plus(j, target.normal[c], times(j, e, target.normal[c]));
    sal_energy_respond(j->g, j->e, &s, modes, &target, &impulse, change);
    if (j->e->contact[c].stick) s.law[c].sense = sign_of(j, slides_at(j, &s, c));
    leave_out(j, &s, &impulse, modes);
    if (!j->e->contact[c].stick) modes->slides[c] = sal_algebra_false(j->g);
  } else
    target.normal[c] = plus(j, target.normal[c], speed_of_release(j, &j->e->terms));
  sal_energy_respond(j->g, j->e, &s, modes, &target, &impulse, change);
  for (int i = 0; i < j->e->n; ++i) o->v[i] = plus(j, s.v[i], change[i]);
}

/* What the forces do not hold opens, or slides; `own`: also the friction that jumps, of which an event has
 * said that it breaks where it opens. */
static sal_energy_forces ask_forces(const jump *j, outcome *o, bool own)
{
  sal_energy_terms s;
  sal_energy_forces force;
  sal_energy_modes modes;
  int acceleration[SAL_ALGEBRA_MOST];

  terms_at(j, o, &s);
  sal_energy_current(j->g, j->e, &s, &modes);
  sal_energy_accelerate(j->g, j->e, &s, &modes, &force, acceleration);
  for (int c = 0; c < j->e->n_contact; ++c) {
    const sal_energy_law *law = &s.law[c];
    const int pushed = op(j, SAL_PROGRAM_ge, force.normal[c], number(j, 0));
    if (j->e->contact[c].rigid) o->closed[c] = both(j, o->closed[c], pushed);
    const bool jumps = c == j->c && j->friction;
    if (!j->e->contact[c].stick || (jumps && !own)) continue;
    const int most = times(j, law->hold, force.normal[c]);
    const int held = jumps && !j->closes ? sal_algebra_false(j->g)
                                         : op(j, SAL_PROGRAM_le, size_of(j, force.along[c]), most);
    const int breaks = both(j, o->sticks[c], sal_algebra_not(j->g, held));
    o->sense[c] = pick(j, breaks, sal_algebra_neg(j->g, sign_of(j, force.along[c])), o->sense[c]);
    o->sticks[c] = both(j, both(j, o->sticks[c], held), o->closed[c]);
  }
  return force;
}

/* Senses of what slides are those of the speeds. */
static void face_motion(const jump *j, outcome *o)
{
  sal_energy_terms s;

  terms_at(j, o, &s);
  for (int c = 0; c < j->e->n_contact; ++c) {
    if (!j->e->contact[c].stick) continue;
    const int speed = slides_at(j, &s, c);
    if (!j->e->contact[c].rigid)
      o->sticks[c] =
          both(j, o->sticks[c], op(j, SAL_PROGRAM_le, size_of(j, speed), blur_of(j, &s, c)));
    o->sense[c] = pick(j, o->sticks[c], o->sense[c], sign_of(j, speed));
  }
}

static outcome change_rigid(const jump *j)
{
  outcome o = begin(j);
  sal_energy_modes modes;
  const int c = j->c, none = sal_algebra_false(j->g);

  land(j, &o);
  const int before = sal_energy_rate(j->g, j->e, &j->e->terms, &j->e->terms.law[c].normal);
  impact(j, &o, &modes);
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
  land(j, &o);
  return o;
}

/* A soft contact begins and ends without a force: its friction does not hold then. */
static outcome change_soft(const jump *j)
{
  outcome o = begin(j);

  o.sticks[j->c] = sal_algebra_false(j->g);
  o.sense[j->c] = sign_of(j, slides_at(j, &j->e->terms, j->c));
  return o;
}

/* A hold that breaks does so where the forces just balance: by what they gain in some roundings of time it slides on,
 * lest rounding turn it back. */
static void let_go(const jump *j, const sal_energy_modes *modes, int most, outcome *o)
{
  const int some = op(j, SAL_PROGRAM_spacing, sal_graph_quantity(j->g, SAL_GRAPH_TIME, 0), 0);
  sal_energy_forces target, unit;
  int change[SAL_ALGEBRA_MOST];

  for (int c = 0; c < j->e->n_contact; ++c) target.normal[c] = target.along[c] = number(j, 0);
  target.along[j->c] = number(j, 1);
  sal_energy_respond(j->g, j->e, &j->e->terms, modes, &target, &unit, change);
  const int gain =
      sal_algebra_div(j->g, times(j, times(j, number(j, 8), some), most), unit.along[j->c]);
  for (int i = 0; i < j->e->n; ++i)
    o->v[i] = plus(j, o->v[i], times(j, times(j, o->sense[j->c], gain), change[i]));
}

/* Sliding that comes to an end, or a hold that breaks.  A sense that the speed contradicts is that of an initial state. */
static outcome change_friction(const jump *j)
{
  const sal_energy_terms *s = &j->e->terms;
  const int c = j->c;
  outcome o = begin(j);
  sal_energy_forces target, impulse;
  sal_energy_modes modes;
  int change[SAL_ALGEBRA_MOST];

  land(j, &o);
  const int turned = j->closes
                         ? op(j, SAL_PROGRAM_lt, times(j, s->law[c].sense, slides_at(j, s, c)),
                              sal_algebra_neg(j->g, blur_of(j, s, c)))
                         : sal_algebra_false(j->g);

  sal_energy_current(j->g, j->e, s, &modes);
  modes.along[c] = s->law[c].closed;
  modes.slides[c] = sal_algebra_false(j->g);
  stop_all(j, s, &target);
  sal_energy_respond(j->g, j->e, s, &modes, &target, &impulse, change);
  for (int i = 0; i < j->e->n; ++i) o.v[i] = pick(j, turned, s->v[i], plus(j, s->v[i], change[i]));
  look_at_marks(j, &o);
  outcome held = o;
  held.sticks[c] = s->law[c].closed;
  const sal_energy_forces force = ask_forces(j, &held, true);
  o.sense[c] = pick(j, turned, sal_algebra_neg(j->g, s->law[c].sense), held.sense[c]);
  o.sticks[c] =
      j->closes ? both(j, held.sticks[c], sal_algebra_not(j->g, turned)) : sal_algebra_false(j->g);
  if (!j->closes) let_go(j, &modes, times(j, s->law[c].hold, force.normal[c]), &o);
  ask_forces(j, &o, false);
  land(j, &o);
  return o;
}

/* Of a contact without a law: the text says what it does, the forces which of the others stay closed. */
static outcome change_mark(const jump *j, sal_equation_contact *c, int m)
{
  outcome o = begin(j);
  bool any = false;

  for (int i = 0; i < j->e->n; ++i) {
    const int q = c->value[j->closes][i], v = c->value[j->closes][j->e->n + i];
    if (q >= 0) o.q[i] = q;
    if (v >= 0) o.v[i] = v;
    any |= q >= 0 || v >= 0;
  }
  o.marked[m] = j->closes ? sal_algebra_true(j->g) : sal_algebra_false(j->g);
  ask_forces(j, &o, true);
  if (!any) land(j, &o);
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

static void put(sal_equation_reading *r, int guard, const outcome after[2])
{
  const sal_energy *e = r->energy;
  const int first = r->model->n_state - r->model->n_discrete;

  for (int event = 0; event < 2; ++event) {
    const outcome *o = &after[event];
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

static void put_marks(sal_equation_reading *r, jump *j)
{
  j->c = -1;
  j->friction = false;
  for (int m = 0; m < j->e->n_mark; ++m) {
    outcome after[2];
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
  jump j = {.g = &r->graph, .e = e, .rests = sal_graph_make(&r->graph, SAL_PROGRAM_rests, 0, 0, 0)};

  for (int c = 0; c < e->n_contact; ++c) {
    outcome after[2];
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
