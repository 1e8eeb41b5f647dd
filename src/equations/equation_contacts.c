/** Contacts: their names and gaps, what holds them, and their jumps. */
#include "algebra.h"
#include "base.h"
#include "equation_reading.h"
#include "value.h"

static const char *const contact_keys[] = {"names",  "gap",   "release",     "while",
                                           "closes", "opens", "stays",       "sets",
                                           "ends",   "kind",  "restitution", NULL};
static const char *const kinds[] = {"rigid", "compliant", "friction", "surface", NULL};
static const char *const events[] = {"opens", "closes", NULL};
enum { MODES = SAL_EQUATION_STATES | SAL_EQUATION_TIME | SAL_EQUATION_MODES };
enum { JUMPS = MODES | SAL_EQUATION_JUMPS };

/* The names of its two events. */
sal_err sal_equation_contact_names(sal_equation_reading *r, int mapping, const char *key,
                                   sal_contact *c)
{
  const char **name[] = {&c->closes, &c->opens};
  int list;

  SAL_TRY(sal_value_need(&r->document, mapping, key, "names", &list));
  SAL_TRY(sal_value_list(&r->document, list, "names", 2, 2));
  for (int i = 0; i < 2; ++i) {
    const int item = sal_document_item(&r->document, list, i);
    *name[i] = sal_document_line(&r->document, item);
    if (!*name[i] || !**name[i])
      return sal_value_wrong_kind(&r->document, item, "names", "its name when it closes");
  }
  return SAL_OK;
}

sal_err sal_equation_contact_read(sal_equation_reading *r, int k, const yaml_node_pair_t *pair)
{
  sal_contact *c = &r->model->contact[k];
  const char *name = sal_document_text(&r->document, pair->key);
  const int kind = sal_document_child(&r->document, pair->value, "kind");
  char key[SAL_MAX_NAME];
  int rank = 0, gap;

  snprintf(key, sizeof key, "contact %.40s", name);
  SAL_TRY(sal_value_keys(&r->document, pair->value, key, contact_keys));
  SAL_TRY(sal_equation_contact_names(r, pair->value, key, c));
  SAL_TRY(sal_value_flag(&r->document, pair->value, "ends", &c->ends));
  if (kind) SAL_TRY(sal_value_word(&r->document, kind, "kind", kinds, &rank));
  c->kind = (sal_contact_kind)rank;
  SAL_TRY(sal_value_need(&r->document, pair->value, key, "gap", &gap));
  r->model->n_guard = k + 1;
  return sal_scope_add(
      &r->scope,
      (sal_scope_name){
          .name = name, .kind = SAL_SCOPE_CONTACT, .what = "contact", .number = k, .text = gap});
}

sal_err sal_equation_contacts(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "contacts");
  int n;

  SAL_TRY(sal_value_pairs(&r->document, mapping, "contacts", &n));
  if (n > SAL_MAX_CONTACT)
    return sal_document_fail(&r->document,
                             sal_document_pair(&r->document, mapping, SAL_MAX_CONTACT)->key,
                             "contacts: more than %d", SAL_MAX_CONTACT);
  for (int k = 0; k < n; ++k)
    SAL_TRY(sal_equation_contact_read(r, k, sal_document_pair(&r->document, mapping, k)));
  return SAL_OK;
}

/* stays: CONDITION of its closing, or {closes: CONDITION, opens: CONDITION}. */
static sal_err read_stays(sal_equation_reading *r, int node, const char *key, int stays[2])
{
  static const char *const keys[] = {"closes", "opens", NULL};

  if (!node) return SAL_OK;
  if (sal_document_text(&r->document, node))
    return sal_equation_expression(r, node, key, SAL_SCOPE_MASK, JUMPS, &stays[1]);
  SAL_TRY(sal_value_keys(&r->document, node, key, keys));
  for (int e = 0; e < 2; ++e) {
    const int child = sal_document_child(&r->document, node, events[e]);
    if (child) SAL_TRY(sal_equation_expression(r, child, key, SAL_SCOPE_MASK, JUMPS, &stays[e]));
  }
  return SAL_OK;
}

static sal_err read_sets(sal_equation_reading *r, int k, int mapping, const char *key)
{
  int n;

  SAL_TRY(sal_value_pairs(&r->document, mapping, key, &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    const char *name = sal_document_text(&r->document, pair->key);
    const sal_scope_name *other = sal_scope_find(&r->scope, name);
    if (!other || other->kind != SAL_SCOPE_CONTACT || other->number == k)
      return sal_document_fail(&r->document, pair->key,
                               "%s: '%s' is not another contact; a contact itself has 'stays'", key,
                               name);
    SAL_TRY(sal_equation_expression(r, pair->value, key, SAL_SCOPE_MASK, JUMPS,
                                    &r->contact[k].sets[other->number]));
  }
  return SAL_OK;
}

/* A contact by every(T) opens again where it fires. */
static sal_err read_timed(sal_equation_reading *r, int k, const yaml_node_pair_t *pair)
{
  static const char *const other[] = {"release", "while", "opens", "stays"};
  sal_contact *c = &r->model->contact[k];

  c->timed = sal_scope_find(&r->scope, sal_document_text(&r->document, pair->key))->timed;
  if (!c->timed) return SAL_OK;
  for (size_t i = 0; i < sizeof other / sizeof *other; ++i) {
    const int node = sal_document_child(&r->document, pair->value, other[i]);
    if (node)
      return sal_document_fail(&r->document, node,
                               "%s: a contact whose gap is every(T) only fires; it has names, gap, "
                               "closes, sets and ends",
                               other[i]);
  }
  c->kind = SAL_CONTACT_SURFACE;
  r->contact[k].stays[1] = sal_algebra_false(&r->graph);
  return SAL_OK;
}

sal_err sal_equation_law_read(sal_equation_reading *r, int k, const yaml_node_pair_t *pair)
{
  sal_equation_contact *c = &r->contact[k];
  const int release = sal_document_child(&r->document, pair->value, "release"),
            during = sal_document_child(&r->document, pair->value, "while"),
            bounces = sal_document_child(&r->document, pair->value, "restitution");
  char key[2][SAL_MAX_NAME];

  memset(c, 0xff, sizeof *c); /* SAL_EQUATION_NONE */
  for (int i = 0; i < 2; ++i)
    snprintf(key[i], sizeof key[i], "%.40s: %s", sal_document_text(&r->document, pair->key),
             events[i]);
  SAL_TRY(sal_equation_expression(r, sal_document_child(&r->document, pair->value, "gap"), "gap",
                                  SAL_SCOPE_NUMBER, MODES, &c->gap));
  if (release)
    SAL_TRY(sal_equation_expression(r, release, "release", SAL_SCOPE_NUMBER, MODES, &c->release));
  if (during)
    SAL_TRY(sal_equation_expression(r, during, "while", SAL_SCOPE_MASK, MODES, &c->during));
  if (bounces)
    SAL_TRY(
        sal_equation_expression(r, bounces, "restitution", SAL_SCOPE_NUMBER, 0, &c->restitution));
  for (int e = 0; e < 2; ++e) /* the states after a jump, by the values before it */
    SAL_TRY(sal_equation_by_state(r, sal_document_child(&r->document, pair->value, events[e]),
                                  key[e], JUMPS, 0, r->model->n_state, NULL, c->value[e]));
  SAL_TRY(read_stays(r, sal_document_child(&r->document, pair->value, "stays"), "stays", c->stays));
  SAL_TRY(read_timed(r, k, pair));
  return read_sets(r, k, sal_document_child(&r->document, pair->value, "sets"), "sets");
}

sal_err sal_equation_contact_laws(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "contacts");

  for (int k = 0; k < r->model->n_guard; ++k)
    SAL_TRY(sal_equation_law_read(r, k, sal_document_pair(&r->document, mapping, k)));
  return SAL_OK;
}
