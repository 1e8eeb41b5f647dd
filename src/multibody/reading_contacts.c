/** Contacts: points that land and stay, and pairs of points, or a point and a plane, with a law. */
#include "base.h"
#include "reading.h"
#include "scalar_math.h"
#include "value.h"

static const char *const landing_keys[] = {"name", "body", "P", "closes", "opens", NULL};
static const char *const law_keys[] = {"name",   "bodies", "P_i",    "P_j",   "normal",
                                       "length", "law",    "closes", "opens", "friction",
                                       "extent", "radius", NULL};
static const char *const laws[] = {"rigid", "compliant", NULL};

/* A word of the key; `preset` where there is none. */
static sal_err read_label(const sal_reading *r, int node, const char *key, const char *preset,
                          char label[SAL_LABEL])
{
  if (node && !sal_document_text(r->document, node))
    return sal_value_wrong_kind(r->document, node, key, "a word");
  snprintf(label, SAL_LABEL, "%s", node ? sal_document_line(r->document, node) : preset);
  return SAL_OK;
}

sal_err sal_reading_labels(const sal_reading *r, int mapping, const char *closes, const char *opens,
                           sal_ground *g)
{
  SAL_TRY(read_label(r, sal_document_child(r->document, mapping, "closes"), "closes", closes,
                     g->closes));
  return read_label(r, sal_document_child(r->document, mapping, "opens"), "opens", opens, g->opens);
}

sal_err sal_reading_no_labels(const sal_reading *r, int mapping, const char *what, const char *key)
{
  static const char *const keys[] = {"closes", "opens"};

  for (int i = 0; i < 2; ++i) {
    const int node = sal_document_child(r->document, mapping, keys[i]);
    if (node)
      return sal_document_fail(r->document, node,
                               "%s: '%s' names an event, of which there is none "
                               "without '%s'",
                               what, keys[i], key);
  }
  return SAL_OK;
}

/* A point that keeps its height once it has landed: z of a spatial body or a particle, y of a planar
 * one. */
static sal_err read_landing(sal_reading *r, int mapping, sal_constraint *c, sal_ground *g)
{
  sal_system *s = r->system;
  int node, body, zero;

  SAL_TRY(sal_value_keys(r->document, mapping, "a contact without a law", landing_keys));
  SAL_TRY(sal_value_need(r->document, mapping, g->name, "body", &node));
  SAL_TRY(sal_reading_body(r, node, g->name, &body));
  if (body < 0)
    return sal_document_fail(r->document, node, "%s: the ground cannot land on itself", g->name);
  *c = (sal_constraint){.kind = SAL_CONSTRAINT_POINT, .joint = -1};
  c->axis = s->body[body].kind == SAL_BODY_PLANAR ? 1 : 2;
  SAL_TRY(sal_reading_vector(r, 0, "P_i", 0, 3, &zero));
  c->i = (sal_arm){.body = -1, .s = zero, .placed = true};
  SAL_TRY(sal_reading_arm(r, mapping, g->name, "P", body, true, &c->j));
  sal_system_columns(s, -1, body, c->column);
  g->kind = SAL_GROUND_LOCK;
  g->which = s->n_constraint + s->n_lock++;
  ++s->n_load;
  return SAL_OK;
}

/* A direction in the frame of a body, made of length 1. */
static sal_err read_normal(sal_reading *r, int node, const char *name, int body, sal_arm *normal)
{
  sal_system *s = r->system;
  const int bindings = s->n_binding;

  *normal = (sal_arm){.body = body};
  SAL_TRY(sal_reading_vector(r, node, "normal", 2, 3, &normal->s));
  if (s->n_binding > bindings)
    return sal_document_fail(r->document, node,
                             "%s: normal: numbers are expected, and no parameters", name);
  double *n = s->value + normal->s;
  const double length = sal_scalar_hypot(sal_scalar_hypot(n[0], n[1]), n[2]);
  if (!(length > 0 && isfinite(length)))
    return sal_document_fail(r->document, node, "%s: normal [%g, %g, %g] has no direction", name,
                             n[0], n[1], n[2]);
  const bool planar = body >= 0 && s->body[body].kind == SAL_BODY_PLANAR;
  if (planar && n[2] != 0)
    return sal_document_fail(r->document, node,
                             "%s: normal: a planar body has no direction z; [x, y] is expected",
                             name);
  for (int i = 0; i < 3; ++i) n[i] /= length;
  return SAL_OK;
}

/* Where a contact is: its arms, and which kind of distance. */
typedef struct {
  sal_arm normal, i, j;
  int bodies[2], length; /* value; -1: a plane */
} place;

static sal_err read_place(sal_reading *r, int mapping, const char *name, place *at)
{
  const int normal = sal_document_child(r->document, mapping, "normal");
  const int length = sal_document_child(r->document, mapping, "length");

  SAL_TRY(sal_reading_pair(r, mapping, name, &at->bodies[0], &at->bodies[1]));
  SAL_TRY(sal_reading_arm(r, mapping, name, "P_i", at->bodies[0], true, &at->i));
  SAL_TRY(sal_reading_arm(r, mapping, name, "P_j", at->bodies[1], true, &at->j));
  if ((normal != 0) == (length != 0))
    return sal_document_fail(r->document, mapping,
                             "%s: one of the keys 'normal' (of a plane through P_i, which P_j "
                             "hits) and 'length' (the least distance of P_i and P_j) is expected",
                             name);
  at->length = -1;
  if (normal) return read_normal(r, normal, name, at->bodies[0], &at->normal);
  SAL_TRY(sal_reading_number(r, length, "length", &at->length));
  if (r->system->value[at->length] > 0) return SAL_OK;
  return sal_document_fail(r->document, length, "%s: length = %g; allowed: greater than 0", name,
                           r->system->value[at->length]);
}

static sal_err read_rigid(sal_reading *r, int law, const place *at, sal_constraint *c,
                          sal_ground *g)
{
  static const char *const keys[] = {"restitution", "law", NULL};
  static const char *const impact_laws[] = {"newton", "poisson", NULL};

  SAL_TRY(sal_value_keys(r->document, law, "the law rigid", keys));
  SAL_TRY(sal_value_choice(r->document, law, "law", impact_laws, &g->poisson));
  SAL_TRY(sal_reading_entry(r, law, g->name, "restitution", 0, &g->restitution));
  *c = (sal_constraint){.kind = at->length < 0 ? SAL_CONSTRAINT_DOT2 : SAL_CONSTRAINT_DISTANCE,
                        .a = at->normal,
                        .i = at->i,
                        .j = at->j,
                        .length = at->length,
                        .joint = -1};
  sal_system_columns(r->system, at->bodies[0], at->bodies[1], c->column);
  g->kind = SAL_GROUND_RIGID;
  g->which = r->system->n_constraint + r->system->n_lock++;
  return SAL_OK;
}

/* Makes value `to` what value `from` is, parameter and all. */
static sal_err repeat(sal_reading *r, int from, int to)
{
  sal_system *s = r->system;
  const int n = s->n_binding;

  s->value[to] = s->value[from];
  for (int b = 0; b < n; ++b)
    if (s->binding[b].at == from)
      SAL_TRY(sal_reading_follow(r, to, s->binding[b].param, s->binding[b].factor));
  return SAL_OK;
}

static sal_err read_compliant(sal_reading *r, int law, const place *at, sal_ground *g)
{
  static const char *const keys[] = {"k", "c", "exponent", NULL};
  sal_system *s = r->system;
  sal_force *f = &s->force[s->n_force++];
  int c, l0;

  *f = (sal_force){.kind = at->length < 0 ? SAL_FORCE_PLANE : SAL_FORCE_LINE,
                   .a = at->normal,
                   .i = at->i,
                   .j = at->j,
                   .side = SAL_SIDE_PUSH,
                   .own = (int)(g - s->ground),
                   .contact = -1,
                   .closed = -1};
  snprintf(f->name, sizeof f->name, "%s", g->name);
  sal_system_columns(s, at->bodies[0], at->bodies[1], f->column);
  SAL_TRY(sal_value_keys(r->document, law, "the law compliant", keys));
  SAL_TRY(sal_reading_entry(r, law, g->name, "k", NAN, &f->k));
  SAL_TRY(sal_reading_entry(r, law, g->name, "c", 0, &c));
  SAL_TRY(sal_reading_entry(r, 0, g->name, "l0", 0, &l0));
  if (at->length >= 0) SAL_TRY(repeat(r, at->length, l0));
  SAL_TRY(sal_reading_entry(r, law, g->name, "exponent", 1, &f->exponent));
  g->kind = SAL_GROUND_SOFT;
  g->which = (int)(f - s->force);
  return SAL_OK;
}

/* [STICKS, SLIDES], the events of friction. */
static sal_err read_names(const sal_reading *r, int list, sal_ground *grip)
{
  if (list && sal_document_count(r->document, list) != 2)
    return sal_document_fail(r->document, list, "names: two names are expected, [STICKS, SLIDES]");
  SAL_TRY(read_label(r, list ? sal_document_item(r->document, list, 0) : 0, "names", "stick",
                     grip->closes));
  return read_label(r, list ? sal_document_item(r->document, list, 1) : 0, "names", "slip",
                    grip->opens);
}

/* The equation of no motion along the plane, after those that there are; *which: its number; roll: value of a radius, 0: none. */
static sal_err add_along(sal_reading *r, const place *at, int roll, int *which)
{
  sal_system *s = r->system;
  const double n[2] = {s->value[at->normal.s], s->value[at->normal.s + 1]};
  sal_arm tangent = {.body = at->bodies[0]};

  *which = s->n_constraint + s->n_lock++;
  SAL_TRY(sal_reading_vector(r, 0, "tangent", 2, 3, &tangent.s));
  s->value[tangent.s] = n[1];
  s->value[tangent.s + 1] = -n[0];
  s->constraint[*which] = (sal_constraint){
      .kind = SAL_CONSTRAINT_DOT2, .a = tangent, .i = at->i, .j = at->j, .joint = -1, .roll = roll};
  sal_system_columns(s, at->bodies[0], at->bodies[1], s->constraint[*which].column);
  return SAL_OK;
}

/* Friction along the plane: a contact after the one of the force. */
static sal_err add_grip(sal_reading *r, int node, const place *at, const sal_ground *g)
{
  static const char *const keys[] = {"mu", "static", "names", NULL};
  sal_system *s = r->system;
  sal_ground *grip = &s->ground[s->n_ground++];

  *grip =
      (sal_ground){.kind = SAL_GROUND_GRIP, .partner = (int)(g - s->ground), .number = s->n_grip++};
  snprintf(grip->name, sizeof grip->name, "%.50s_sticks", g->name);
  SAL_TRY(sal_value_keys(r->document, node, "friction", keys));
  SAL_TRY(sal_reading_entry(r, node, g->name, "mu", NAN, &grip->mu));
  grip->still = grip->mu;
  if (sal_document_child(r->document, node, "static"))
    SAL_TRY(sal_reading_entry(r, node, g->name, "static", NAN, &grip->still));
  SAL_TRY(add_along(r, at, g->radius, &grip->which));
  return read_names(r, sal_document_child(r->document, node, "names"), grip);
}

/* A key that needs a point and a line of planar bodies. */
static sal_err check_planar(const sal_reading *r, int node, const place *at, const char *name,
                            const char *key)
{
  for (int i = 0; i < 2; ++i)
    if (at->length >= 0 ||
        (at->bodies[i] >= 0 && r->system->body[at->bodies[i]].kind != SAL_BODY_PLANAR))
      return sal_document_fail(
          r->document, node, "%s: %s is one of a point and a line, with 'normal', of planar bodies",
          name, key);
  return SAL_OK;
}

/* Ends of the line, from P_i on, [lo, hi]: beyond them nothing touches. */
static sal_err read_extent(sal_reading *r, int mapping, const place *at, sal_ground *g)
{
  const int node = sal_document_child(r->document, mapping, "extent");

  if (!node) return SAL_OK;
  SAL_TRY(check_planar(r, node, at, g->name, "extent"));
  SAL_TRY(sal_reading_vector(r, node, "extent", 2, 2, &g->ends));
  const double *ends = r->system->value + g->ends;
  if (g->kind != SAL_GROUND_RIGID)
    return sal_document_fail(r->document, node, "%s: extent: the law has to be rigid", g->name);
  if (!(ends[0] < ends[1]))
    return sal_document_fail(r->document, node, "%s: extent: [%g, %g]; allowed: [lo, hi], lo < hi",
                             g->name, ends[0], ends[1]);
  return add_along(r, at, 0, &g->reach);
}

/* A sphere around P_j touches in place of the point: the plane is as far nearer. */
static sal_err read_radius(sal_reading *r, int mapping, place *at, sal_ground *g)
{
  const int node = sal_document_child(r->document, mapping, "radius");
  sal_system *s = r->system;
  int moved;

  if (!node) return SAL_OK;
  if (at->length >= 0)
    return sal_document_fail(r->document, node, "%s: radius goes with 'normal' alone", g->name);
  const int n = s->n_binding;
  SAL_TRY(sal_reading_number(r, node, "radius", &g->radius));
  const double R = s->value[g->radius];
  if (s->n_binding > n || !(R > 0))
    return sal_document_fail(r->document, node,
                             "%s: radius: %g; a number above 0 is expected, and no parameter",
                             g->name, R);
  for (int b = 0; b < s->n_binding; ++b)
    if (s->binding[b].at >= at->i.s && s->binding[b].at < at->i.s + 3)
      return sal_document_fail(r->document, node,
                               "%s: radius: P_i has to be of numbers, and no parameters", g->name);
  SAL_TRY(sal_reading_vector(r, 0, "P_i", 0, 3, &moved));
  for (int i = 0; i < 3; ++i)
    s->value[moved + i] = s->value[at->i.s + i] + R * s->value[at->normal.s + i];
  at->i.s = moved;
  at->i.placed = true;
  return sal_reading_vector(r, 0, "point", 0, 3, &g->point);
}

/* Two directions along the plane, normal to one another. */
static sal_err read_tangents(sal_reading *r, const place *at, int tangent[2])
{
  for (int i = 0; i < 2; ++i) SAL_TRY(sal_reading_vector(r, 0, "tangent", 3, 3, &tangent[i]));
  const double *n = r->system->value + at->normal.s;
  double *a = r->system->value + tangent[0], *b = r->system->value + tangent[1];
  const int least = fabs(n[0]) <= fabs(n[1]) ? (fabs(n[0]) <= fabs(n[2]) ? 0 : 2)
                                             : (fabs(n[1]) <= fabs(n[2]) ? 1 : 2);
  const int second = (least + 1) % 3, third = (least + 2) % 3;
  const double length = sal_scalar_hypot(n[second], n[third]);

  a[least] = 0; /* n x (the axis that n has least of) */
  a[second] = n[third] / length;
  a[third] = -n[second] / length;
  for (int i = 0; i < 3; ++i)
    b[i] = n[(i + 1) % 3] * a[(i + 2) % 3] - n[(i + 2) % 3] * a[(i + 1) % 3];
  return SAL_OK;
}

/* Friction of a rigid contact of bodies in space. */
static sal_err read_cone(sal_reading *r, int node, const place *at, sal_ground *g)
{
  static const char *const keys[] = {"mu", NULL};
  sal_system *s = r->system;
  int tangent[2];

  if (g->kind != SAL_GROUND_RIGID || at->length >= 0)
    return sal_document_fail(r->document, node,
                             "%s: friction of bodies in space is one of a rigid contact with "
                             "'normal'",
                             g->name);
  SAL_TRY(sal_value_keys(r->document, node, "friction of bodies in space", keys));
  SAL_TRY(sal_reading_entry(r, node, g->name, "mu", NAN, &g->mu));
  if (!(s->value[g->mu] >= 0))
    return sal_document_fail(r->document, node, "%s: mu of friction is at least 0", g->name);
  SAL_TRY(read_tangents(r, at, tangent));
  g->cone = s->n_constraint + s->n_lock;
  for (int i = 0; i < 2; ++i) {
    sal_constraint *c = &s->constraint[s->n_constraint + s->n_lock++];
    *c = (sal_constraint){.kind = SAL_CONSTRAINT_DOT2,
                          .a = {.body = at->bodies[0], .s = tangent[i]},
                          .i = at->i,
                          .j = at->j,
                          .joint = -1};
    if (g->point > 0) c->j.s = g->point;
    sal_system_columns(s, at->bodies[0], at->bodies[1], c->column);
  }
  return SAL_OK;
}

static bool is_in_space(const sal_system *s, const place *at)
{
  for (int i = 0; i < 2; ++i)
    if (at->bodies[i] >= 0 && s->body[at->bodies[i]].kind == SAL_BODY_SPATIAL) return true;
  return false;
}

static sal_err read_friction(sal_reading *r, int mapping, const place *at, sal_ground *g)
{
  sal_system *s = r->system;
  const int node = sal_document_child(r->document, mapping, "friction");

  g->partner = -1;
  if (!node) return SAL_OK;
  if (is_in_space(s, at)) return read_cone(r, node, at, g);
  SAL_TRY(check_planar(r, node, at, g->name, "friction"));
  g->partner = s->n_ground;
  SAL_TRY(add_grip(r, node, at, g));
  const char *flaw = sal_contact_law_check(s, &s->ground[g->partner], s->value);
  return flaw ? sal_document_fail(r->document, node, "%s: %s", g->name, flaw) : SAL_OK;
}

static sal_err read_with_law(sal_reading *r, int mapping, sal_constraint *c, sal_ground *g)
{
  const int law = sal_document_child(r->document, mapping, "law");
  char name[2 * SAL_LABEL];
  int rank, numbers;
  place at = {.length = -1};

  SAL_TRY(sal_value_keys(r->document, mapping, "a contact", law_keys));
  snprintf(name, sizeof name, "law of %s", g->name);
  SAL_TRY(sal_value_one(r->document, law, name, laws,
                        "{rigid: {restitution, law}} and {compliant: {k, c, exponent}}", &rank,
                        &numbers));
  SAL_TRY(read_place(r, mapping, g->name, &at));
  SAL_TRY(read_radius(r, mapping, &at, g));
  if (rank == 0)
    SAL_TRY(read_rigid(r, numbers, &at, c, g));
  else
    SAL_TRY(read_compliant(r, numbers, &at, g));
  r->system->poisson |= g->poisson;
  const char *flaw = sal_contact_law_check(r->system, g, r->system->value);
  if (flaw) return sal_document_fail(r->document, numbers, "%s: %s", g->name, flaw);
  SAL_TRY(read_extent(r, mapping, &at, g));
  return read_friction(r, mapping, &at, g);
}

static sal_err read_contact(sal_reading *r, int mapping, bool law)
{
  sal_system *s = r->system;
  sal_constraint *c = &s->constraint[s->n_constraint + s->n_lock];
  sal_ground *g = &s->ground[s->n_ground++];

  SAL_TRY(sal_reading_name(r, mapping, "a contact", false, g->name));
  if (law)
    SAL_TRY(read_with_law(r, mapping, c, g));
  else
    SAL_TRY(read_landing(r, mapping, c, g));
  return sal_reading_labels(r, mapping, "touchdown", "liftoff", g);
}

sal_err sal_reading_contacts(sal_reading *r, int list)
{
  static const char *const orders[] = {"together", "in-sequence", NULL};
  const int n = sal_document_count(r->document, list);

  SAL_TRY(sal_value_choice(r->document, 1, "impacts", orders, &r->system->in_sequence));
  for (int law = 0; law < 2; ++law)
    for (int k = 0; k < n; ++k) {
      const int item = sal_document_item(r->document, list, k);
      const bool has = sal_document_child(r->document, item, "law") != 0;
      if (has == (law == 1)) SAL_TRY(read_contact(r, item, has));
    }
  return SAL_OK;
}
