/** The units that the expressions of a text must have. */
#include "base.h"
#include "equation_units.h"
#include "value.h"

typedef sal_equation_units units;

/* The expression at a node of the document has the unit `wanted`. */
static void check_value(units *u, int text, const char *key, const char *what, sal_si_unit wanted)
{
  const sal_scope_span *span = sal_equation_inquiry_at(u->q, text);
  char is[SAL_SI_UNIT_TEXT], should[SAL_SI_UNIT_TEXT];

  if (!span) return;
  ++u->n_checked;
  if (sal_si_unit_fits(u->of[span->value], wanted)) return;
  sal_equation_inquiry_put(
      u->q, sal_equation_units_is_number(u, span->value) ? SAL_EQUATION_NOTE : SAL_EQUATION_WRONG,
      text, "%s: %s has the unit %s, and here stands %s%s", key, what,
      sal_equation_units_print(u, wanted, should),
      sal_equation_units_is_number(u, span->value) ? "a number, " : "",
      sal_equation_units_print(u, u->of[span->value], is));
}

/* STATE: EXPRESSION, in units of the states, over that of time for a flow. */
static void check_states(units *u, int mapping, const char *key, bool rates)
{
  const sal_equation_reading *r = u->q->r;
  char head[SAL_MAX_NAME + 32];
  int n;

  if (sal_value_pairs(&r->document, mapping, key, &n) != SAL_OK) return;
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    const int s = sal_equation_state(r, sal_document_text(&r->document, pair->key));
    if (s < 0) continue;
    snprintf(head, sizeof head, "%s: %.60s", key, r->model->state[s].name);
    check_value(u, pair->value, head, rates ? "the rate" : "the state",
                rates ? sal_si_unit_product(u->state[s], u->time, -1) : u->state[s]);
  }
}

static void check_jumps(units *u)
{
  static const char *const events[] = {"closes", "opens"};
  const sal_equation_reading *r = u->q->r;
  const int contacts = sal_document_find(&r->document, "contacts");
  char key[SAL_MAX_NAME + 16];
  int n;

  if (sal_value_pairs(&r->document, contacts, "contacts", &n) != SAL_OK) return;
  for (int k = 0; k < n; ++k)
    for (int e = 0; e < 2; ++e) {
      const yaml_node_pair_t *pair = sal_document_pair(&r->document, contacts, k);
      const int jump = sal_document_child(&r->document, pair->value, events[e]);
      snprintf(key, sizeof key, "%.40s: %s", sal_document_text(&r->document, pair->key), events[e]);
      if (jump) check_states(u, jump, key, false);
    }
}

/* Numbers of a law, and what slides along a contact, which is a displacement as its gap. */
static void check_law(units *u, int contact, const char *name)
{
  static const char *const numbers[][2] = {{"rigid", "restitution"},
                                           {"compliant", "exponent"},
                                           {"friction", "mu"},
                                           {"friction", "static"}};
  const sal_document *d = &u->q->r->document;
  const int law = sal_document_child(d, contact, "law");
  const int friction = sal_document_child(d, contact, "friction");
  const sal_scope_span *gap = sal_equation_inquiry_at(u->q, sal_document_child(d, contact, "gap"));
  char key[SAL_MAX_NAME + 32];

  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    const int of = i < 2 ? sal_document_child(d, law, numbers[i][0]) : friction;
    snprintf(key, sizeof key, "%.40s: %s", name, numbers[i][1]);
    if (of) check_value(u, sal_document_child(d, of, numbers[i][1]), key, "it", sal_si_unit_one);
  }
  snprintf(key, sizeof key, "%.40s: along", name);
  if (friction && gap)
    check_value(u, sal_document_child(d, friction, "along"), key,
                "the sliding coordinate, as the gap,", u->of[gap->value]);
}

static void check_laws(units *u)
{
  const sal_equation_reading *r = u->q->r;
  const int contacts = sal_document_find(&r->document, "contacts");
  int n;

  if (!r->energy || sal_value_pairs(&r->document, contacts, "contacts", &n) != SAL_OK) return;
  for (int k = 0; k < n; ++k) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, contacts, k);
    check_law(u, pair->value, sal_document_text(&r->document, pair->key));
  }
}

/* Generalised forces are energies over coordinates. */
static void check_energies(units *u)
{
  const sal_equation_reading *r = u->q->r;
  const int forces = sal_document_find(&r->document, "forces");
  const sal_scope_span *kinetic =
      sal_equation_inquiry_at(u->q, sal_document_find(&r->document, "kinetic"));
  char head[SAL_MAX_NAME + 16];
  int n;

  if (!r->energy || !kinetic) return;
  const sal_si_unit energy = u->of[kinetic->value];
  check_value(u, sal_document_find(&r->document, "potential"), "potential", "it, as kinetic,",
              energy);
  if (sal_value_pairs(&r->document, forces, "forces", &n) != SAL_OK) return;
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, forces, i);
    const int s = sal_equation_state(r, sal_document_text(&r->document, pair->key));
    snprintf(head, sizeof head, "forces: %.60s", r->model->state[s].name);
    check_value(u, pair->value, head, "that force", sal_si_unit_product(energy, u->state[s], -1));
  }
}

static void check_roots(units *u)
{
  const sal_document *d = &u->q->r->document;
  const int section = sal_document_find(d, "section");

  check_states(u, sal_document_find(d, "flow"), "flow", true);
  check_jumps(u);
  check_states(u, sal_document_find(d, "equilibrium"), "equilibrium", false);
  check_states(u, sal_document_find(d, "equilibrium_published"), "equilibrium_published", false);
  check_value(u, sal_document_find(d, "longest_step"), "longest_step", "it", u->time);
  if (section)
    check_value(u, sal_document_child(d, section, "period"), "section: period", "it", u->time);
  check_energies(u);
  check_laws(u);
}

/* Required unit of a key of `physical`: s for second, m for metre, its own for a parameter. */
static sal_si_unit wanted_of(const units *model, const char *key)
{
  const sal_model *m = model->q->r->model;

  if (strcmp(key, "second") == 0) return sal_si_unit_read("s");
  if (strcmp(key, "metre") == 0) return sal_si_unit_read("m");
  for (int p = 0; p < m->n_param; ++p)
    if (strcmp(m->param[p].name, key) == 0) return model->param[p];
  return (sal_si_unit){0};
}

/* The nodes of one key, from *at on, which its expression was made of. */
static void check_physical(units *u, const units *model, const yaml_node_pair_t *pair, int root,
                           int *at)
{
  const sal_equation_reading *r = u->q->r;
  const char *key = sal_document_text(&r->document, pair->key);
  char is[SAL_SI_UNIT_TEXT], should[SAL_SI_UNIT_TEXT];
  const sal_si_unit wanted = wanted_of(model, key);

  u->here = (sal_scope_span){.text = pair->value, .value = root};
  snprintf(u->here.key, sizeof u->here.key, "physical: %.40s", key);
  for (; *at <= root; ++*at) u->of[*at] = sal_equation_units_node(u, *at);
  ++u->n_checked;
  if (sal_si_unit_fits(u->of[root], wanted)) return;
  sal_equation_inquiry_put(u->q, SAL_EQUATION_WRONG, pair->value,
                           "%s: it has the unit %s, and here stands %s", u->here.key,
                           sal_equation_units_print(u, wanted, should),
                           sal_equation_units_print(u, u->of[root], is));
}

/* Below `physical` the node that a key stands for; below 0: it is none of the parameters. */
static int root_of(const sal_equation_reading *r, const char *key)
{
  if (strcmp(key, "second") == 0) return r->physical_of[SAL_MAX_PARAM];
  if (strcmp(key, "metre") == 0) return r->physical_of[SAL_MAX_PARAM + 1];
  for (int p = 0; p < r->model->n_param; ++p)
    if (strcmp(r->model->param[p].name, key) == 0) return r->physical_of[p];
  return -1;
}

static sal_err check_physicals(const units *model)
{
  const sal_equation_reading *r = model->q->r;
  const int mapping = sal_document_find(&r->document, "physical");
  const size_t room = (size_t)r->quantities.n + 1;
  SAL_OWN_BY(sal_equation_units_drop)
  units u = {.q = model->q, .graph = &r->quantities, .n_word = r->conversion.n_quantity};
  int n, at = 0;

  if (!mapping || sal_value_pairs(&r->document, mapping, "physical", &n) != SAL_OK) return SAL_OK;
  u.of = sal_alloc(room, sizeof *u.of);
  u.factor = sal_alloc(room, sizeof *u.factor);
  if (!u.of || !u.factor) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  for (int i = 0; i < u.n_word && i < SAL_MAX_PHYSICAL; ++i)
    u.param[i] = sal_equation_units_read(&u, r->conversion.quantity[i].name,
                                         r->conversion.quantity[i].unit[0].name);
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    const int root = root_of(r, sal_document_text(&r->document, pair->key));
    if (root >= 0) check_physical(&u, model, pair, root, &at);
  }
  return SAL_OK;
}

sal_err sal_equation_inquiry_units(sal_equation_inquiry *q)
{
  SAL_OWN_BY(sal_equation_units_drop)
  units u = {.q = q,
             .graph = &q->r->graph,
             .n_word = q->r->model->n_param,
             .of = sal_alloc((size_t)q->r->graph.n, sizeof *u.of),
             .factor = sal_alloc((size_t)q->r->graph.n, sizeof *u.factor)};

  if (!u.of || !u.factor) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", q->r->document.path);
  sal_equation_units_all(&u);
  SAL_TRY(check_physicals(&u));
  if (u.n_stated == 0) {
    if (q->n > 0) return SAL_OK;
    sal_equation_inquiry_put(q, SAL_EQUATION_FINE, 0, "no units stated");
    return SAL_OK;
  }
  for (int i = 0; i < q->r->graph.n; ++i) u.of[i] = sal_equation_units_node(&u, i);
  check_roots(&u);
  if (q->n == 0)
    sal_equation_inquiry_put(
        q, SAL_EQUATION_FINE, 0, "%d sums, comparisons and functions agree%s%.200s", u.n_checked,
        u.missing.length ? "; unknown, so that it fits any, is the unit of " : "",
        u.missing.length ? u.missing.string : "");
  return SAL_OK;
}
