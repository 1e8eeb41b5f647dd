/** Bounds of contact laws and masses; energy of springs that change where a contact closes. */
#include "arm.h"
#include "base.h"
#include "constraint.h"
#include "force.h"
#include "reading.h"
#include "state_space.h"

static bool is_within(double x, double least, double most) { return x >= least && x <= most; }

const char *sal_contact_law_check(const sal_system *s, const sal_ground *g, const double value[])
{
  if (g->kind == SAL_GROUND_RIGID)
    return is_within(value[g->restitution], 0, 1)
               ? NULL
               : "the restitution of a rigid contact lies from 0 to 1";
  if (g->kind == SAL_GROUND_GRIP)
    return is_within(value[g->mu], 0, INFINITY) &&
                   is_within(value[g->still], value[g->mu], INFINITY)
               ? NULL
               : "mu of friction is at least 0, and static at least mu";
  if (g->kind != SAL_GROUND_SOFT) return NULL;
  const sal_force *f = &s->force[g->which];
  const double *n = value + f->k;
  if (!(is_within(n[0], 0, INFINITY) && is_within(n[1], 0, INFINITY)))
    return "k and c of a contact, or of a spring that acts on one side, are at least 0";
  if (f->exponent >= 0 && !(n[0] > 0)) return "k of a compliant contact is above 0";
  if (f->exponent >= 0 && !is_within(value[f->exponent], 1, 10))
    return "the exponent of a compliant contact lies from 1 to 10";
  return f->kind != SAL_FORCE_LINE || f->side == SAL_SIDE_PULL || n[2] > 0
             ? NULL
             : "the free length of a line that only pushes is above 0";
}

/* Without mass a coordinate has no acceleration; Ixx, Iyy and Izz alone of spatial bodies. */
static const char *check_body(const sal_body *b, const double value[])
{
  const double *I = value + b->mass + 1;
  const int n = b->kind == SAL_BODY_PARTICLE ? 0 : b->kind == SAL_BODY_PLANAR ? 1 : 3;

  if (!(value[b->mass] > 0)) return "the mass of a body is above 0";
  for (int i = 0; i < n; ++i)
    if (!(I[i] > 0)) return "the inertia of a body is above 0";
  return NULL;
}

const char *sal_contact_law_flaw(const void *functions, const double param[])
{
  const sal_scalar_functions *of = functions;
  const sal_system *s = ((const sal_state_space *)of->inner)->system;
  SAL_OWN double *value = sal_alloc((size_t)s->n_value, sizeof *value);
  const char *flaw = NULL;

  if (!value) return "out of memory";
  memcpy(value, s->value, (size_t)s->n_value * sizeof *value);
  for (int i = 0; i < s->n_binding; ++i)
    value[s->binding[i].at] = s->binding[i].factor * param[s->binding[i].param];
  for (int b = 0; b < s->n_body && !flaw; ++b) flaw = check_body(&s->body[b], value);
  for (int k = 0; k < s->n_ground && !flaw; ++k)
    flaw = sal_contact_law_check(s, &s->ground[k], value);
  return flaw;
}

/* Is the spring's length where its contact closes the same at every landing, and which?  It is that of a
 * spring along the normal of the contact between its two bodies; *l: from the initial state. */
static bool length_is_known(const sal_system *s, const sal_force *f, double *l)
{
  const sal_force_place at = {.system = s, .value = s->value, .q = s->q0, .qd = s->qd0};
  const sal_ground *g = &s->ground[f->contact];
  sal_constraint_row row;
  sal_force_state state;
  double gauge[SAL_ARM];

  if (g->kind == SAL_GROUND_TIRE || g->kind == SAL_GROUND_SOFT || f->kind != SAL_FORCE_AXIS)
    return false;
  const sal_constraint *c = &s->constraint[g->which];
  const bool along = c->kind == SAL_CONSTRAINT_POINT && c->axis == f->axis && f->i.body < 0;
  if (!along || f->j.body != c->j.body) return false;
  for (int i = 0; i < 3; ++i) gauge[i] = s->value[f->j.s + i] - s->value[c->j.s + i];
  if (gauge[0] != 0 || gauge[1] != 0 || gauge[2] != 0)
    return false; /* else it turns with the body */
  sal_constraint_slope(s, s->value, s->q0, c, row);
  bool *none = sal_alloc((size_t)s->n_ground, sizeof *none);
  if (!none) return false;
  sal_force_place with = at;
  with.closed = none;
  sal_force_at(&with, f, &state);
  sal_free(none);
  *l = state.l - sal_constraint_value(s, s->value, s->q0, c);
  return true;
}

/* May closing its contact add to the energy that the spring stores? */
static bool brings_energy(const sal_system *s, const sal_force *f)
{
  const double *open = s->value + f->k, *closed = s->value + f->closed;
  double l;

  if (open[0] == closed[0] && (open[2] == closed[2] || open[0] == 0)) return false;
  if (length_is_known(s, f, &l)) {
    const double a = l - closed[2], b = l - open[2], scale = 1 + fabs(l) + fabs(closed[2]);
    return closed[0] * a * a - open[0] * b * b > 1e-12 * closed[0] * scale * scale;
  }
  return closed[0] > open[0] || (closed[0] > 0 && closed[2] != open[2]);
}

char *sal_contact_law_note(const sal_system *s, const char *path)
{
  sal_text out = {0};
  int n = 0;

  for (int i = 0; i < s->n_force; ++i) {
    const sal_force *f = &s->force[i];
    if (f->closed < 0 || f->contact < 0 || !brings_energy(s, f)) continue;
    const double *open = s->value + f->k, *closed = s->value + f->closed;
    sal_text_add(
        &out,
        "%s%s: spring '%s' brings energy where contact '%s' closes and its length is not its "
        "free one: k = %g, l0 = %g become k = %g, l0 = %g; a spring that only pushes is "
        "'only: push', a contact that gives 'law: {compliant: ..}'",
        n++ > 0 ? "\n" : "", path, f->name, s->ground[f->contact].name, open[0], open[2], closed[0],
        closed[2]);
  }
  return n > 0 ? sal_text_take(&out) : NULL;
}
