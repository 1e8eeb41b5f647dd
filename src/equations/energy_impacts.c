/** Positions and velocities after a jump. */
#include "energy_outcome.h"

int sal_energy_outcome_slides(const sal_energy_jump *j, const sal_energy_terms *s, int c)
{
  return sal_energy_rate(j->g, j->e, s, &s->law[c].along);
}

/* The modes as they are, with the friction of soft contacts on its own. */
sal_energy_outcome sal_energy_outcome_begin(const sal_energy_jump *j)
{
  const sal_energy_terms *s = &j->e->terms;
  sal_energy_outcome o;

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
int sal_energy_outcome_map(const sal_energy_jump *j, const sal_energy_outcome *o, int from[],
                           int to[])
{
  int n = 0;

  for (int i = 0; i < j->e->n; ++i) {
    from[n] = j->e->terms.q[i], to[n++] = o->q[i];
    from[n] = j->e->terms.v[i], to[n++] = o->v[i];
  }
  return n;
}

/* The terms at an outcome. */
void sal_energy_outcome_terms(const sal_energy_jump *j, const sal_energy_outcome *o,
                              sal_energy_terms *out)
{
  const sal_energy_terms *s = &j->e->terms;
  int from[SAL_ENERGY_OUTCOME_MOST], to[SAL_ENERGY_OUTCOME_MOST],
      n = sal_energy_outcome_map(j, o, from, to);

  for (int c = 0; c < j->e->n_contact; ++c) {
    from[n] = s->law[c].closed, to[n++] = o->closed[c];
    if (!j->e->contact[c].stick) continue;
    from[n] = s->law[c].sticks, to[n++] = o->sticks[c];
    from[n] = s->law[c].sense, to[n++] = o->sense[c];
  }
  for (int m = 0; m < j->e->n_mark; ++m) from[n] = j->e->marked[m], to[n++] = o->marked[m];
  sal_algebra_replace(j->g, n, from, to, (int)(sizeof *s / sizeof(int)), (const int *)s,
                      (int *)out);
}

/* The rates that a jump begins with, and those that it changes them by: to 0. */
void sal_energy_outcome_stop(const sal_energy_jump *j, const sal_energy_terms *s,
                             sal_energy_forces *target)
{
  for (int c = 0; c < j->e->n_contact; ++c) {
    target->normal[c] = sal_algebra_neg(j->g, sal_energy_rate(j->g, j->e, s, &s->law[c].normal));
    target->along[c] = sal_algebra_neg(j->g, sal_energy_outcome_slides(j, s, c));
  }
}

/* Some roundings of a gap. */
static int grain_of(const sal_energy_jump *j, const sal_energy_law *law)
{
  int sum = number(j, 0);

  for (int i = 0; i < j->e->n; ++i)
    sum = plus(j, sum, size_of(j, times(j, law->normal.row[i], j->e->terms.q[i])));
  return times(j, number(j, 8), op(j, SAL_PROGRAM_spacing, sum, 0));
}

/* Puts the gaps of what was closed, or changes, to 0, as near as one step of Newton's iteration does, and by some
 * roundings to the side of the mode they are in now.  Where a contact without a law has changed, whose own gap must
 * stay where it is, that is done with what opens alone. */
void sal_energy_outcome_land(const sal_energy_jump *j, sal_energy_outcome *o)
{
  const sal_energy_terms *s = &j->e->terms;
  sal_energy_forces target = {0}, force = {0};
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

/* Rounding of momenta. */
static int momentum_grain(const sal_energy_jump *j, const sal_energy_terms *s)
{
  int sum = number(j, 0);

  for (int i = 0; i < j->e->n; ++i)
    for (int k = 0; k < j->e->n; ++k)
      sum = plus(j, sum, size_of(j, times(j, s->mass[i][k], s->v[k])));
  return times(j, number(j, 1e-14), sum);
}

/* Which of the others take part in an impact: those that it does not have to pull.  Impulses of the size of
 * rounding are none. */
static void leave_out(const sal_energy_jump *j, const sal_energy_terms *s,
                      const sal_energy_forces *impulse, sal_energy_modes *modes)
{
  const int some = plus(j, times(j, number(j, 1e-9), impulse->normal[j->c]), momentum_grain(j, s));

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
static int speed_of_release(const sal_energy_jump *j, const sal_energy_terms *s)
{
  const int some = op(j, SAL_PROGRAM_spacing, sal_graph_quantity(j->g, SAL_GRAPH_TIME, 0), 0);
  sal_energy_forces force = {0};
  sal_energy_modes modes;
  int acceleration[SAL_ALGEBRA_MOST], sum = number(j, 0);

  sal_energy_current(j->g, j->e, s, &modes);
  modes.normal[j->c] = sal_algebra_true(j->g);
  sal_energy_accelerate(j->g, j->e, s, &modes, &force, acceleration);
  for (int i = 0; i < j->e->n; ++i)
    sum = plus(j, sum, size_of(j, times(j, s->law[j->c].normal.row[i], acceleration[i])));
  return times(j, times(j, number(j, 8), some), sum);
}

/* Does it arrive with a speed?  A contact at rest on its surface, within rounding, at the start of a run has no impact, which
 * would include friction. */
static int strikes(const sal_energy_jump *j, const sal_energy_terms *s)
{
  const sal_energy_bound *gap = &s->law[j->c].normal;
  const int speed = sal_energy_rate(j->g, j->e, s, gap);
  int sum = size_of(j, gap->drift);

  for (int i = 0; i < j->e->n; ++i) sum = plus(j, sum, size_of(j, times(j, gap->row[i], s->v[i])));
  const int blur = times(j, number(j, 1e-12), plus(j, number(j, 1), sum));
  return sal_algebra_or(j->g, sal_algebra_not(j->g, j->rests),
                        op(j, SAL_PROGRAM_lt, blur, size_of(j, speed)));
}

/* The velocities after an impact or a release, and which contacts took part.  A contact that does not come to rest slides afterwards
 * against the impulse that would have stopped it, so that friction takes energy. */
void sal_energy_outcome_impact(const sal_energy_jump *j, sal_energy_outcome *o,
                               sal_energy_modes *modes)
{
  sal_energy_terms s;
  sal_energy_forces target = {0}, impulse = {0};
  int change[SAL_ALGEBRA_MOST];
  const int c = j->c;

  sal_energy_outcome_terms(j, o, &s);
  sal_energy_current(j->g, j->e, &s, modes);
  for (int i = 0; i < j->e->n_contact; ++i)
    if (!j->e->contact[i].rigid) modes->along[i] = modes->slides[i] = sal_algebra_false(j->g);
  modes->normal[c] = sal_algebra_true(j->g);
  modes->slides[c] = sal_algebra_false(j->g);
  modes->along[c] = j->closes && j->e->contact[c].stick ? strikes(j, &s) : sal_algebra_false(j->g);
  sal_energy_outcome_stop(j, &s, &target);
  if (j->closes) {
    const int e = pick(j, j->rests, number(j, 0), s.law[c].restitution);
    target.normal[c] = plus(j, target.normal[c], times(j, e, target.normal[c]));
    sal_energy_respond(j->g, j->e, &s, modes, &target, &impulse, change);
    if (j->e->contact[c].stick)
      s.law[c].sense = sal_algebra_neg(j->g, sign_of(j, impulse.along[c]));
    leave_out(j, &s, &impulse, modes);
    if (!j->e->contact[c].stick) modes->slides[c] = sal_algebra_false(j->g);
  } else
    target.normal[c] = plus(j, target.normal[c], speed_of_release(j, &j->e->terms));
  sal_energy_respond(j->g, j->e, &s, modes, &target, &impulse, change);
  for (int i = 0; i < j->e->n; ++i) o->v[i] = plus(j, s.v[i], change[i]);
}
