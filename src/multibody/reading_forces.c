/** Springs, tires and the road. */
#include "base.h"
#include "reading.h"
#include "value.h"

static const char *const axis_words[] = {"x", "y", "z", NULL};
static const char *const spring_types[] = {"line", "axis", "angle", NULL};
static const char *const spring_keys[] = {"name",   "type", "bodies", "P_i",   "P_j",
                                          "k",      "c",    "l0",     "angle", "axis",
                                          "closed", "only", "closes", "opens", NULL};
static const char *const sides[] = {"both", "push", "pull", NULL};
static const char *const closed_keys[] = {"contact", "k", "c", "l0", NULL};
static const char *const tire_keys[] = {"name", "body", "P", "k", "c", "radius", NULL};

/* Numbers k, c, l0 that stand in a row. */
static sal_err read_law(sal_reading *r, int mapping, const char *what, const char *last,
                        double preset, int *at)
{
  int c, l;

  SAL_TRY(sal_reading_entry(r, mapping, what, "k", 0, at));
  SAL_TRY(sal_reading_entry(r, mapping, what, "c", 0, &c));
  return sal_reading_entry(r, mapping, what, last, preset, &l);
}

/* A contact of the list, which all have been read. */
static sal_err find_contact(const sal_reading *r, int mapping, const char *what, int *contact)
{
  const sal_system *s = r->system;
  const int n = sal_document_count(r->document, sal_document_find(r->document, "contacts"));
  int node;

  SAL_TRY(sal_value_need(r->document, mapping, what, "contact", &node));
  SAL_OWN const char **names = sal_alloc((size_t)n + 1, sizeof *names);
  if (!names) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document->path);
  for (int k = 0; k < n; ++k) names[k] = s->ground[k].name;
  return sal_value_rank(r->document, node, "", "contact", names, contact);
}

/* Another law while a contact is closed; what it does not say is as before. */
static sal_err read_closed(sal_reading *r, int mapping, sal_force *f)
{
  const int node = sal_document_child(r->document, mapping, "closed");
  double open[3];
  int c, l;

  f->contact = f->closed = -1;
  if (!node) return SAL_OK;
  memcpy(open, r->system->value + f->k, sizeof open);
  SAL_TRY(sal_value_keys(r->document, node, "closed", closed_keys));
  SAL_TRY(find_contact(r, node, "closed", &f->contact));
  SAL_TRY(sal_reading_entry(r, node, f->name, "k", open[0], &f->closed));
  SAL_TRY(sal_reading_entry(r, node, f->name, "c", open[1], &c));
  SAL_TRY(sal_reading_entry(r, node, f->name, "l0", open[2], &l));
  /* what is left out follows the parameters of the open law */
  static const char *const keys[] = {"k", "c", "l0"};
  sal_system *s = r->system;
  const int n = s->n_binding;
  for (int i = 0; i < 3; ++i)
    for (int b = 0; b < n && !sal_document_child(r->document, node, keys[i]); ++b)
      if (s->binding[b].at == f->k + i)
        SAL_TRY(sal_reading_follow(r, f->closed + i, s->binding[b].param, s->binding[b].factor));
  return SAL_OK;
}

/* A force that acts on one side of its free length: a contact marks the side. */
static sal_err read_side(sal_reading *r, int mapping, sal_force *f)
{
  sal_system *s = r->system;
  const int node = sal_document_child(r->document, mapping, "only");
  int side = 0;

  if (node)
    SAL_TRY(sal_value_rank(r->document, node, "", "only: side of a spring", sides + 1, &side));
  if (!node) return sal_reading_no_labels(r, mapping, f->name, "only");
  if (f->closed >= 0)
    return sal_document_fail(r->document, node,
                             "%s: 'only' and 'closed' exclude each other: each has a contact "
                             "of its own that switches the spring",
                             f->name);
  f->side = (sal_side)(side + 1);
  f->own = s->n_ground;
  sal_ground *g = &s->ground[s->n_ground++];
  *g = (sal_ground){.kind = SAL_GROUND_SOFT, .which = (int)(f - s->force), .partner = -1};
  snprintf(g->name, sizeof g->name, "%s", f->name);
  const char *flaw = sal_contact_law_check(s, g, s->value);
  if (flaw) return sal_document_fail(r->document, mapping, "%s: %s", f->name, flaw);
  return sal_reading_labels(r, mapping, "engage", "disengage", g);
}

static sal_err read_spring(sal_reading *r, int mapping, sal_force *f)
{
  int i, j, kind = 0;
  int node = sal_document_child(r->document, mapping, "type");

  SAL_TRY(sal_value_keys(r->document, mapping, "a spring", spring_keys));
  SAL_TRY(sal_reading_name(r, mapping, "a spring", false, f->name));
  if (node) SAL_TRY(sal_value_rank(r->document, node, "", "type of spring", spring_types, &kind));
  f->kind = (sal_force_kind)kind;
  f->exponent = -1;
  SAL_TRY(sal_reading_pair(r, mapping, f->name, &i, &j));
  sal_system_columns(r->system, i, j, f->column);
  SAL_TRY(sal_reading_arm(r, mapping, f->name, "P_i", i, true, &f->i));
  SAL_TRY(sal_reading_arm(r, mapping, f->name, "P_j", j, true, &f->j));
  f->axis = 2;
  node = sal_document_child(r->document, mapping, "axis");
  if (node) SAL_TRY(sal_value_rank(r->document, node, "", "axis", axis_words, &f->axis));
  for (int side = 0; side < 2 && f->kind == SAL_FORCE_ANGLE; ++side) {
    const int body = side ? j : i;
    if (body >= 0 && r->system->body[body].kind != SAL_BODY_PLANAR)
      return sal_document_fail(r->document, mapping,
                               "%s: an angle is one between planar bodies, and %s is none", f->name,
                               r->system->body[body].name);
  }
  SAL_TRY(read_law(r, mapping, f->name, f->kind == SAL_FORCE_ANGLE ? "angle" : "l0", 0, &f->k));
  SAL_TRY(read_closed(r, mapping, f));
  return read_side(r, mapping, f);
}

static sal_err read_tire(sal_reading *r, int mapping, sal_force *f)
{
  sal_system *s = r->system;
  int node;

  SAL_TRY(sal_value_keys(r->document, mapping, "a tire", tire_keys));
  SAL_TRY(sal_reading_name(r, mapping, "a tire", false, f->name));
  f->kind = SAL_FORCE_TIRE;
  SAL_TRY(sal_value_need(r->document, mapping, f->name, "body", &node));
  SAL_TRY(sal_reading_body(r, node, f->name, &f->j.body));
  if (f->j.body < 0 || s->body[f->j.body].kind != SAL_BODY_SPATIAL)
    return sal_document_fail(r->document, node, "%s: a tire belongs to a spatial body", f->name);
  sal_system_columns(s, -1, f->j.body, f->column);
  SAL_TRY(sal_reading_arm(r, mapping, f->name, "P", f->j.body, true, &f->j));
  f->i = (sal_arm){.body = -1, .s = s->gravity};
  SAL_TRY(read_law(r, mapping, f->name, "radius", NAN, &f->k));
  if (!(s->value[f->k] > 0))
    return sal_document_fail(r->document, mapping, "%s: k = %g; allowed: greater than 0", f->name,
                             s->value[f->k]);
  f->closed = -1;
  f->contact = s->n_ground;
  f->exponent = -1;
  sal_ground *g = &s->ground[s->n_ground++];
  *g = (sal_ground){.closes = "landing",
                    .opens = "liftoff",
                    .kind = SAL_GROUND_TIRE,
                    .which = (int)(f - s->force)};
  snprintf(g->name, sizeof g->name, "%s", f->name);
  return SAL_OK;
}

sal_err sal_reading_forces(sal_reading *r)
{
  sal_system *s = r->system;
  const int contacts = sal_document_find(r->document, "contacts");
  const int springs = sal_document_find(r->document, "springs");
  const int tires = sal_document_find(r->document, "tires");
  const int n_contact = sal_document_count(r->document, contacts);
  const int n_spring = sal_document_count(r->document, springs);
  const int n_tire = sal_document_count(r->document, tires);
  const size_t most = (size_t)n_contact + (size_t)n_spring + (size_t)n_tire;

  if (2 * most > SAL_MAX_GUARD)
    return sal_document_fail(r->document,
                             contacts  ? contacts
                             : springs ? springs
                                       : tires,
                             "%d contacts, springs and tires; allowed: 0 to %d", (int)most,
                             SAL_MAX_GUARD / 2);
  s->ground = sal_alloc(2 * most, sizeof *s->ground); /* friction has one, too */
  s->force = sal_alloc(most, sizeof *s->force);
  if (!s->ground || !s->force)
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document->path);
  SAL_TRY(sal_reading_contacts(r, contacts));
  for (int k = 0; k < n_spring; ++k)
    SAL_TRY(read_spring(r, sal_document_item(r->document, springs, k), &s->force[s->n_force++]));
  for (int k = 0; k < n_tire; ++k)
    SAL_TRY(read_tire(r, sal_document_item(r->document, tires, k), &s->force[s->n_force++]));
  return SAL_OK;
}

static sal_err read_cylinder(sal_reading *r, int mapping)
{
  static const char *const keys[] = {"type", "radius", "disc", "x", NULL};
  sal_road *road = &r->system->road;
  int disc, x;

  SAL_TRY(sal_value_keys(r->document, mapping, "a road with a cylinder", keys));
  SAL_TRY(sal_reading_entry(r, mapping, "road", "radius", NAN, &road->at));
  SAL_TRY(sal_reading_entry(r, mapping, "road", "disc", NAN, &disc));
  SAL_TRY(sal_reading_entry(r, mapping, "road", "x", NAN, &x));
  const double *v = r->system->value + road->at;
  if (v[0] >= 0 && v[1] > 0) return SAL_OK;
  return sal_document_fail(r->document, mapping,
                           "road: radius = %g, disc = %g; allowed: from 0, greater than 0", v[0],
                           v[1]);
}

static sal_err read_points(sal_reading *r, int mapping)
{
  static const char *const keys[] = {"type", "points", NULL};
  sal_road *road = &r->system->road;
  int list, at;

  SAL_TRY(sal_value_keys(r->document, mapping, "a road through points", keys));
  SAL_TRY(sal_value_need(r->document, mapping, "road", "points", &list));
  road->n_point = sal_document_count(r->document, list);
  if (road->n_point < 2)
    return sal_document_fail(r->document, list, "road: points: at least two are expected, [x, z]");
  road->at = r->system->n_value;
  for (int k = 0; k < road->n_point; ++k) {
    const int item = sal_document_item(r->document, list, k);
    SAL_TRY(sal_reading_vector(r, item, "a point of the road", 2, 2, &at));
    const double *p = r->system->value + at;
    if (k > 0 && !(p[0] > p[-2]))
      return sal_document_fail(r->document, item,
                               "road: x = %g does not lie after the point before, at %g", p[0],
                               p[-2]);
  }
  return SAL_OK;
}

static sal_err read_flat(sal_reading *r, int mapping)
{
  static const char *const keys[] = {"type", NULL};

  return sal_value_keys(r->document, mapping, "a flat road", keys);
}

sal_err sal_reading_road(sal_reading *r)
{
  static const char *const types[] = {"flat", "cylinder", "points", NULL};
  static sal_err (*const read[])(sal_reading *, int) = {read_flat, read_cylinder, read_points};
  const int mapping = sal_document_find(r->document, "road");
  int node, kind;

  if (!mapping) return SAL_OK;
  SAL_TRY(sal_value_need(r->document, mapping, "road", "type", &node));
  SAL_TRY(sal_value_rank(r->document, node, "", "type of road", types, &kind));
  r->system->road.kind = (sal_road_kind)kind;
  return read[kind](r, mapping);
}
