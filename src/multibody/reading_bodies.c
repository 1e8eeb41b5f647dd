/** Bodies with their initial state, and the equations of their Euler parameters. */
#include "base.h"
#include "reading.h"
#include "value.h"

static const char *const kinds[] = {"spatial", "planar", "particle", NULL};
static const char *const body_keys[] = {"name",     "kind",       "mass",     "inertia",
                                        "position", "euler",      "velocity", "euler_rate",
                                        "angle",    "angle_rate", NULL};

/* Plain numbers into q; 0 where the key is absent. */
static sal_err read_state(const sal_reading *r, int mapping, const char *key, int n, double out[])
{
  const int node = sal_document_child(r->document, mapping, key);

  if (!node) return SAL_OK;
  if (n == 1 && sal_document_text(r->document, node))
    return sal_value_number(r->document, node, key, out);
  return sal_value_numbers(r->document, node, key, n, out);
}

/* Reads velocities, and stores those that the file gives. */
static sal_err read_velocity(const sal_reading *r, int mapping, const char *key, int n, int first)
{
  SAL_TRY(read_state(r, mapping, key, n, r->system->qd0 + first));
  for (int i = first; i < first + n; ++i)
    r->system->given[i] = sal_document_child(r->document, mapping, key) ? r->system->qd0[i] : NAN;
  return SAL_OK;
}

static sal_err check_mass(const sal_reading *r, int node, double value, const char *what)
{
  if (value > 0) return SAL_OK;
  return sal_document_fail(r->document, node, "%s = %g; allowed: greater than 0", what, value);
}

static sal_err read_inertia(sal_reading *r, int mapping, const sal_body *b)
{
  const sal_system *s = r->system;
  int node, at;

  if (b->kind == SAL_BODY_PARTICLE) return SAL_OK;
  SAL_TRY(sal_value_need(r->document, mapping, b->name, "inertia", &node));
  if (b->kind == SAL_BODY_PLANAR) {
    SAL_TRY(sal_reading_number(r, node, "inertia", &at));
    return check_mass(r, node, s->value[at], "inertia");
  }
  SAL_TRY(sal_reading_vector(r, node, "inertia", 3, 6, &at));
  const double *I = s->value + at;
  const double det2 = I[0] * I[1] - I[3] * I[3];
  const double det3 =
      det2 * I[2] - I[0] * I[5] * I[5] - I[1] * I[4] * I[4] + 2 * I[3] * I[4] * I[5];
  if (I[0] > 0 && det2 > 0 && det3 > 0) return SAL_OK;
  return sal_document_fail(
      r->document, node,
      "inertia of %s: the matrix of Ixx, Iyy, Izz, Ixy, Ixz, Iyz is not positive definite",
      b->name);
}

static sal_err read_euler(const sal_reading *r, int mapping, const sal_body *b)
{
  double *e = r->system->q0 + b->first + 3;
  int node = sal_document_child(r->document, mapping, "euler");

  e[0] = 1;
  SAL_TRY(read_state(r, mapping, "euler", 4, e));
  const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
  if (fabs(square - 1) > 1e-6)
    return sal_document_fail(r->document, node,
                             "euler parameters of %s: their squares add up to %.9g, not to 1",
                             b->name, square);
  return read_velocity(r, mapping, "euler_rate", 4, b->first + 3);
}

static sal_err read_pose(const sal_reading *r, int mapping, const sal_body *b)
{
  double *q = r->system->q0 + b->first;
  const int n = b->kind == SAL_BODY_SPATIAL ? 3 : b->kind == SAL_BODY_PLANAR ? 2 : 1;

  SAL_TRY(read_state(r, mapping, "position", n, q));
  SAL_TRY(read_velocity(r, mapping, "velocity", n, b->first));
  if (b->kind == SAL_BODY_SPATIAL) return read_euler(r, mapping, b);
  if (b->kind == SAL_BODY_PARTICLE) return SAL_OK;
  SAL_TRY(read_state(r, mapping, "angle", 1, q + 2));
  return read_velocity(r, mapping, "angle_rate", 1, b->first + 2);
}

/* e . e = 1 */
static void add_norm(sal_system *s, int body)
{
  sal_constraint *c = &s->constraint[s->n_constraint++];

  *c = (sal_constraint){.kind = SAL_CONSTRAINT_NORM, .joint = -1};
  sal_system_columns(s, body, -1, c->column);
}

static sal_err read_body(sal_reading *r, int mapping, sal_body *b)
{
  sal_system *s = r->system;
  const int kind = sal_document_child(r->document, mapping, "kind");
  int rank = SAL_BODY_SPATIAL, mass;

  SAL_TRY(sal_value_keys(r->document, mapping, "a body", body_keys));
  SAL_TRY(sal_reading_name(r, mapping, "a body", true, b->name));
  for (const sal_body *other = s->body; other < b; ++other)
    if (strcmp(other->name, b->name) == 0)
      return sal_document_fail(r->document, mapping, "a second body is called %s", b->name);
  if (strcmp(b->name, "ground") == 0)
    return sal_document_fail(r->document, mapping, "ground is what does not move, and no body");
  if (kind) SAL_TRY(sal_value_rank(r->document, kind, "", "kind of body", kinds, &rank));
  b->kind = (sal_body_kind)rank;
  b->first = s->n_q;
  s->n_q += sal_system_coordinates(b->kind);
  SAL_TRY(sal_value_need(r->document, mapping, b->name, "mass", &mass));
  SAL_TRY(sal_reading_number(r, mass, "mass", &b->mass));
  SAL_TRY(check_mass(r, mass, s->value[b->mass], "mass"));
  SAL_TRY(read_inertia(r, mapping, b));
  return read_pose(r, mapping, b);
}

sal_err sal_reading_bodies(sal_reading *r)
{
  sal_system *s = r->system;
  int list;

  SAL_TRY(sal_value_need(r->document, 1, "the model", "bodies", &list));
  const int n = sal_document_count(r->document, list);
  if (n == 0) return sal_value_wrong_kind(r->document, list, "bodies", "a list of bodies");
  const int joints = sal_document_count(r->document, sal_document_find(r->document, "joints"));
  const int locks = sal_document_count(r->document, sal_document_find(r->document, "contacts"));
  const size_t bodies = (size_t)n,
               equations = 5 * (size_t)joints + bodies + 3 * (size_t)locks; /* friction, extent */
  s->body = sal_alloc(bodies, sizeof *s->body);
  s->q0 = sal_alloc(SAL_ARM * bodies, sizeof *s->q0);
  s->qd0 = sal_alloc(SAL_ARM * bodies, sizeof *s->qd0);
  s->given = sal_alloc(SAL_ARM * bodies, sizeof *s->given);
  s->constraint = sal_alloc(equations, sizeof *s->constraint);
  if (!s->body || !s->q0 || !s->qd0 || !s->given || !s->constraint)
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document->path);
  for (int i = 0; i < n; ++i) {
    SAL_TRY(read_body(r, sal_document_item(r->document, list, i), &s->body[i]));
    ++s->n_body;
  }
  return SAL_OK;
}

/* After those of the joints, as the first tables have it. */
void sal_reading_norms(sal_reading *r)
{
  for (int i = 0; i < r->system->n_body; ++i)
    if (r->system->body[i].kind == SAL_BODY_SPATIAL) add_norm(r->system, i);
}
