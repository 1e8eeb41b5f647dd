/** Friction of soft contacts where it begins, ends, sticks and slides; rigid ones have the problem of all contacts for it
 *  (kernels/contact_jump.h).
 *
 *  A soft contact begins and ends without a force.  Friction gives as much as it needs to stick, and slides where that is
 *  more than the push allows; what is closed otherwise keeps its rates.
 */
#include "energy.h"

/** Friction of contact c while its change is made, by whether that begins to stick. */
typedef struct {
  sal_graph *g;
  const sal_energy *e;
  int c;
  bool closes;
  const sal_energy_law *law;
} change;

/** After it. */
typedef struct {
  int v[SAL_ALGEBRA_MOST], sticks, sense;
} outcome;

/* Nodes by short names. */
static int op(const change *j, sal_program_op code, int a, int b)
{
  return sal_graph_make(j->g, code, a, b, 0);
}
static int number(const change *j, double value) { return sal_graph_constant(j->g, value); }
static int size_of(const change *j, int a) { return op(j, SAL_PROGRAM_abs, a, 0); }
static int times(const change *j, int a, int b) { return sal_algebra_mul(j->g, a, b); }
static int plus(const change *j, int a, int b) { return sal_algebra_add(j->g, a, b); }
static int pick(const change *j, int mask, int a, int b)
{
  return sal_algebra_pick(j->g, mask, a, b);
}
static int sign_of(const change *j, int a)
{
  return pick(j, op(j, SAL_PROGRAM_lt, a, number(j, 0)), number(j, -1), number(j, 1));
}

static int speed_of(const change *j)
{
  return sal_energy_rate(j->g, j->e, &j->e->terms, &j->law->along);
}

/* The contact begins, or ends: its friction does not hold then, unless nothing slips. */
static outcome change_contact(const change *j)
{
  const int speed = speed_of(j), none = sal_algebra_false(j->g);
  outcome o = {.sticks = j->closes ? op(j, SAL_PROGRAM_eq, speed, number(j, 0)) : none,
               .sense = sign_of(j, speed)};

  for (int i = 0; i < j->e->n; ++i) o.v[i] = j->e->terms.v[i];
  return o;
}

/* The changes by [n] of the rates that stop the contact, or give it the speed 1, and leave what else is bound: the impulse. */
static int respond(const change *j, bool stop, int by[])
{
  sal_energy_modes modes;
  sal_energy_forces target = {0}, impulse = {0};

  sal_energy_current(j->g, j->e, &j->e->terms, &modes);
  modes.along[j->c] = j->law->closed;
  modes.slides[j->c] = sal_algebra_false(j->g);
  for (int c = 0; c < j->e->n_contact; ++c) target.normal[c] = target.along[c] = number(j, 0);
  target.along[j->c] = stop ? sal_algebra_neg(j->g, speed_of(j)) : number(j, 1);
  sal_energy_respond(j->g, j->e, &j->e->terms, &modes, &target, &impulse, by);
  return impulse.along[j->c];
}

/* The speed that the largest friction gives in some roundings of time; one: the impulse for a speed of 1, 0 where it is open. */
static int speed_in(const change *j, int most, double roundings, int one)
{
  const int some = op(j, SAL_PROGRAM_spacing, sal_graph_quantity(j->g, SAL_GRAPH_TIME, 0), 0);
  const int open = op(j, SAL_PROGRAM_eq, one, number(j, 0));

  return sal_algebra_div(j->g, times(j, times(j, number(j, roundings), some), most),
                         pick(j, open, number(j, 1), one));
}

/* Does the speed contradict the sense, which is that of an initial state then?  By more than forces give it in the resolution of
 * time, within which an event is found, and than is left of it by rounding. */
static int is_turned(const change *j, int most, int one)
{
  enum { ROUNDINGS = 512 }; /* of these the resolution has 128 */
  int sum = size_of(j, j->law->along.drift);

  for (int i = 0; i < j->e->n; ++i)
    sum = plus(j, sum, size_of(j, times(j, j->law->along.row[i], j->e->terms.v[i])));
  const int gain = speed_in(j, most, ROUNDINGS, one);
  const int speed = plus(j, times(j, j->law->sense, speed_of(j)), gain);
  return op(j, SAL_PROGRAM_lt, plus(j, speed, times(j, number(j, 1e-6), sum)), number(j, 0));
}

/* The force that would hold it at rates v, and the most that friction gives. */
static int hold_at(const change *j, const int v[], int *most)
{
  const sal_energy_terms *s = &j->e->terms;
  sal_energy_terms held;
  sal_energy_modes modes;
  sal_energy_forces force = {0};
  int from[SAL_ALGEBRA_MOST + 1], to[SAL_ALGEBRA_MOST + 1], acceleration[SAL_ALGEBRA_MOST], n = 0;

  for (; n < j->e->n; ++n) from[n] = s->v[n], to[n] = v[n];
  from[n] = j->law->sticks, to[n++] = j->law->closed;
  sal_algebra_replace(j->g, n, from, to, (int)(sizeof *s / sizeof(int)), (const int *)s,
                      (int *)&held);
  sal_energy_current(j->g, j->e, &held, &modes);
  sal_energy_accelerate(j->g, j->e, &held, &modes, &force, acceleration);
  *most = times(j, held.law[j->c].hold, op(j, SAL_PROGRAM_max, force.normal[j->c], number(j, 0)));
  return force.along[j->c];
}

/* Sliding that comes to an end, or a hold that breaks.  The latter does so where the forces just balance: by what they gain in some
 * roundings of time it slides on, lest rounding turn it back. */
static outcome change_friction(const change *j)
{
  const int none = sal_algebra_false(j->g);
  int stop[SAL_ALGEBRA_MOST], unit[SAL_ALGEBRA_MOST], held[SAL_ALGEBRA_MOST], most;
  outcome o;

  (void)respond(j, true, stop);
  const int one = respond(j, false, unit);
  for (int i = 0; i < j->e->n; ++i) held[i] = plus(j, j->e->terms.v[i], stop[i]);
  const int force = hold_at(j, held, &most), against = sal_algebra_neg(j->g, sign_of(j, force));
  if (j->closes) {
    const int holds = op(j, SAL_PROGRAM_le, size_of(j, force), most);
    const int turned = is_turned(j, most, one);
    const int stays = sal_algebra_and(j->g, j->law->closed, holds);
    o.sticks = sal_algebra_and(j->g, stays, sal_algebra_not(j->g, turned));
    o.sense = pick(j, turned, sal_algebra_neg(j->g, j->law->sense),
                   pick(j, stays, j->law->sense, against));
    for (int i = 0; i < j->e->n; ++i) o.v[i] = pick(j, turned, j->e->terms.v[i], held[i]);
    return o;
  }
  o.sticks = none;
  o.sense = against;
  const int gain = times(j, against, speed_in(j, most, 8, one));
  for (int i = 0; i < j->e->n; ++i) o.v[i] = plus(j, held[i], times(j, gain, unit[i]));
  return o;
}

/* The mode of contact k after both events of a guard, unless the text has given it. */
static void put_mode(sal_equation_reading *r, int guard, int k, int opened, int closed)
{
  sal_equation_contact *c = &r->contact[guard];
  const int closing = sal_graph_make(&r->graph, SAL_PROGRAM_closing, 0, 0, 0);

  if (guard == k)
    c->stays[1] = closed;
  else if (c->sets[k] < 0)
    c->sets[k] = sal_algebra_pick_mask(&r->graph, closing, closed, opened);
}

/* Contacts without a law are on the side on which the rates are then. */
static void put_marks(sal_equation_reading *r, int guard, const outcome after[2])
{
  const sal_energy *e = r->energy;
  sal_graph *g = &r->graph;
  const int zero = sal_graph_constant(g, 0);

  for (int m = 0; m < e->n_mark; ++m) {
    int side[2], gap = 0;
    for (int event = 0; event < 2; ++event) {
      sal_algebra_replace(g, e->n, e->terms.v, after[event].v, 1, &e->mark_gap[m], &gap);
      const int below = sal_graph_make(g, SAL_PROGRAM_lt, gap, zero, 0);
      const int not_above = sal_graph_make(g, SAL_PROGRAM_le, gap, zero, 0);
      side[event] = sal_algebra_or(g, below, sal_algebra_and(g, e->marked[m], not_above));
      if (gap == e->mark_gap[m]) side[event] = e->marked[m];
    }
    if (side[0] != e->marked[m] || side[1] != e->marked[m])
      put_mode(r, guard, e->mark[m], side[0], side[1]);
  }
}

static void put(sal_equation_reading *r, int guard, int c, const outcome after[2])
{
  const sal_energy *e = r->energy;
  const int sense = r->model->n_state - r->model->n_discrete + e->contact[c].sense;

  for (int event = 0; event < 2; ++event) {
    int *value = r->contact[guard].value[event];
    for (int i = 0; i < e->n; ++i)
      if (after[event].v[i] != e->terms.v[i]) value[e->n + i] = after[event].v[i];
    value[sense] = after[event].sense;
  }
  put_mode(r, guard, e->contact[c].stick, after[0].sticks, after[1].sticks);
  put_marks(r, guard, after);
}

void sal_energy_jumps(sal_equation_reading *r)
{
  const sal_energy *e = r->energy;

  for (int c = 0; c < e->n_contact; ++c) {
    outcome after[2];
    change j = {.g = &r->graph, .e = e, .c = c, .law = &e->terms.law[c]};
    if (e->contact[c].rigid || !e->contact[c].stick) continue;
    for (int event = 0; event < 2; ++event) {
      j.closes = event == 1;
      after[event] = change_contact(&j);
    }
    put(r, e->contact[c].guard, c, after);
    for (int event = 0; event < 2; ++event) {
      j.closes = event == 1;
      after[event] = change_friction(&j);
    }
    put(r, e->contact[c].stick, c, after);
  }
}
