/** The keys of contacts with laws; what they make of the flow, of the gaps and of the energies. */
#include "base.h"
#include "derivative.h"
#include "energy.h"
#include "value.h"

static const char *const contact_keys[] = {"names", "gap", "law", "friction", NULL};
static const char *const friction_keys[] = {"names", "mu", "static", "along", NULL};
static const char *const laws[] = {"rigid", "compliant", NULL};
static const char *const rigid_keys[] = {"restitution", "law", NULL};
static const char *const impact_laws[] = {"newton", "poisson", NULL};
static const char *const impact_orders[] = {"together", "in-sequence", NULL};
static const char *const soft_keys[] = {"k", "c", "exponent", NULL};

static int friction_of(const sal_equation_reading *r, int contact)
{
  return sal_document_child(&r->document, contact, "friction");
}

static bool has_law(const sal_equation_reading *r, const yaml_node_pair_t *contact)
{
  return sal_document_child(&r->document, contact->value, "law") != 0;
}

/* NAME_word; of a member of a family NAME_word(NUMBER). */
static const char *write_derived(const sal_equation_reading *r, int key, const char *word,
                                 char text[SAL_MAX_NAME])
{
  const char *name = sal_document_text(&r->document, key);
  const int n = (int)strcspn(name, "(");

  snprintf(text, SAL_MAX_NAME, "%.*s_%s%.10s", n < 40 ? n : 40, name, word, name + n);
  return text;
}

/* It lives as long as the model. */
static const char *derived_name(sal_equation_reading *r, int key, const char *word)
{
  char text[SAL_MAX_NAME];

  return sal_equation_keep(r, write_derived(r, key, word, text));
}

sal_err sal_energy_senses(sal_equation_reading *r)
{
  static const double senses[] = {-1, 1};
  const int mapping = sal_document_find(&r->document, "contacts");
  int n;

  SAL_TRY(sal_value_pairs(&r->document, mapping, "contacts", &n));
  for (int k = 0; k < n && r->energy; ++k) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, k);
    if (!friction_of(r, pair->value)) continue;
    const int number = r->model->n_state - r->n_continuous;
    if (r->model->n_state == SAL_MAX_STATE)
      return sal_document_fail(&r->document, pair->key, "more than %d states", SAL_MAX_STATE);
    sal_field *f = &r->model->state[r->model->n_state++];
    *f = (sal_field){.name = derived_name(r, pair->key, "sense"),
                     .unit = "1",
                     .what = "sense of sliding, 1 or -1",
                     .preset = 1,
                     .lo = 1,
                     .hi = 1,
                     .least = -1,
                     .most = 1,
                     .whole = true,
                     .n_listed = 2,
                     .listed = senses};
    SAL_TRY(sal_equation_field_add(r, f, pair->key, "sense of a contact with friction",
                                   SAL_GRAPH_DISCRETE, number));
  }
  return SAL_OK;
}

/* The sense that was added for the contact of this key. */
static int sense_of(const sal_equation_reading *r, int key)
{
  char name[SAL_MAX_NAME];

  return sal_equation_state(r, write_derived(r, key, "sense", name)) - r->n_continuous;
}

static sal_err read_friction(sal_equation_reading *r, const yaml_node_pair_t *pair,
                             sal_energy_contact *c)
{
  const int node = friction_of(r, pair->value);
  sal_contact *guard = &r->model->contact[r->model->n_guard];

  if (!node) return SAL_OK;
  if (r->model->n_guard == SAL_MAX_CONTACT)
    return sal_document_fail(&r->document, node,
                             "contacts: more than %d; friction counts as one, as sliding begins "
                             "and ends",
                             SAL_MAX_CONTACT);
  SAL_TRY(sal_value_keys(&r->document, node, "friction", friction_keys));
  SAL_TRY(sal_value_need(&r->document, node, "friction", "along", &c->along));
  SAL_TRY(sal_equation_contact_names(r, node, "friction", guard));
  guard->kind = SAL_CONTACT_FRICTION;
  c->sense = sense_of(r, pair->key);
  c->stick = r->model->n_guard++;
  return SAL_OK;
}

static sal_err read_contact(sal_equation_reading *r, const yaml_node_pair_t *pair)
{
  sal_energy_contact *c = &r->energy->contact[r->energy->n_contact];
  const int k = r->model->n_guard;
  char key[SAL_MAX_NAME];
  int law, gap, coefficients, rank;

  snprintf(key, sizeof key, "contact %.40s", sal_document_text(&r->document, pair->key));
  SAL_TRY(sal_value_keys(&r->document, pair->value, key, contact_keys));
  SAL_TRY(sal_equation_contact_names(r, pair->value, key, &r->model->contact[k]));
  SAL_TRY(sal_value_need(&r->document, pair->value, key, "gap", &gap));
  law = sal_document_child(&r->document, pair->value, "law");
  SAL_TRY(sal_value_one(&r->document, law, "law", laws,
                        "{rigid: {restitution, law}} and {compliant: {k, c, exponent}}", &rank,
                        &coefficients));
  c->rigid = rank == 0;
  c->guard = k;
  r->model->contact[k].kind = c->rigid ? SAL_CONTACT_RIGID : SAL_CONTACT_COMPLIANT;
  r->model->n_guard = k + 1;
  ++r->energy->n_contact;
  SAL_TRY(
      sal_scope_add(&r->scope, (sal_scope_name){.name = sal_document_text(&r->document, pair->key),
                                                .kind = SAL_SCOPE_CONTACT,
                                                .what = "contact",
                                                .number = k,
                                                .text = gap}));
  return read_friction(r, pair, c);
}

sal_err sal_energy_contacts(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "contacts");
  int n;

  SAL_TRY(sal_value_choice(&r->document, 1, "impacts", impact_orders, &r->energy->in_sequence));
  SAL_TRY(sal_value_pairs(&r->document, mapping, "contacts", &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    if (r->model->n_guard == SAL_MAX_CONTACT)
      return sal_document_fail(&r->document, pair->key,
                               "contacts: more than %d, each with friction counted twice",
                               SAL_MAX_CONTACT);
    if (has_law(r, pair))
      SAL_TRY(read_contact(r, pair));
    else
      SAL_TRY(sal_equation_contact_read(r, r->model->n_guard, pair));
  }
  return SAL_OK;
}

/* A coefficient, made of parameters, of one of the keys of a mapping; `preset` where it has none. */
static sal_err read_number(sal_equation_reading *r, int mapping, const char *key, int preset,
                           int *value)
{
  const int node = sal_document_child(&r->document, mapping, key);

  *value = preset;
  if (!node) return SAL_OK;
  return sal_equation_expression(r, node, key, SAL_SCOPE_NUMBER, 0, value);
}

static int make(sal_equation_reading *r, sal_program_op op, int a, int b)
{
  return sal_graph_make(&r->graph, op, a, b, 0);
}

static sal_err read_rigid(sal_equation_reading *r, int mapping, sal_energy_contact *c,
                          sal_energy_law *law)
{
  const int zero = sal_graph_constant(&r->graph, 0), one = sal_graph_constant(&r->graph, 1);

  SAL_TRY(sal_value_keys(&r->document, mapping, "rigid", rigid_keys));
  SAL_TRY(sal_value_choice(&r->document, mapping, "law", impact_laws, &c->poisson));
  SAL_TRY(read_number(r, mapping, "restitution", zero, &law->restitution));
  if (law->restitution == zero) return SAL_OK;
  return sal_equation_field_refuse(r, mapping, "a restitution lies between 0 and 1",
                                   make(r, SAL_PROGRAM_or,
                                        make(r, SAL_PROGRAM_lt, law->restitution, zero),
                                        make(r, SAL_PROGRAM_gt, law->restitution, one)));
}

/* |p|^(x - 1) */
static int steepness(sal_equation_reading *r, int exponent, int size)
{
  const int less = make(r, SAL_PROGRAM_sub, exponent, sal_graph_constant(&r->graph, 1));

  if (sal_graph_is(&r->graph, less, 0)) return sal_graph_constant(&r->graph, 1);
  if (sal_graph_is(&r->graph, less, 1)) return size;
  if (sal_graph_is(&r->graph, less, 0.5)) return make(r, SAL_PROGRAM_sqrt, size, 0);
  return make(r, SAL_PROGRAM_pow, size, less);
}

/* Beyond its surface, where a frozen mode may come, the force goes on as smoothly as its exponent lets it. */
static sal_err read_soft(sal_equation_reading *r, int mapping, sal_energy_law *law)
{
  sal_graph *g = &r->graph;
  const int zero = sal_graph_constant(g, 0), one = sal_graph_constant(g, 1);
  int k, c, exponent, needed;

  SAL_TRY(sal_value_keys(&r->document, mapping, "compliant", soft_keys));
  SAL_TRY(sal_value_need(&r->document, mapping, "compliant", "k", &needed));
  SAL_TRY(read_number(r, mapping, "k", zero, &k));
  SAL_TRY(read_number(r, mapping, "c", zero, &c));
  SAL_TRY(read_number(r, mapping, "exponent", one, &exponent));
  const int depth = sal_algebra_neg(g, law->gap), size = make(r, SAL_PROGRAM_abs, law->gap, 0);
  const int speed = sal_algebra_neg(g, sal_energy_rate_of(g, r->energy, law->gap));
  const int depth_x = sal_algebra_mul(g, depth, steepness(r, exponent, size));
  const int firm = sal_algebra_add(g, k, sal_algebra_mul(g, c, speed));
  const int push = c == zero ? k : make(r, SAL_PROGRAM_max, firm, zero);
  const int work = sal_algebra_div(g, sal_algebra_mul(g, k, sal_algebra_mul(g, depth_x, depth)),
                                   make(r, SAL_PROGRAM_add, exponent, one));

  law->push = sal_algebra_pick(g, law->closed, sal_algebra_mul(g, depth_x, push), zero);
  r->energy->stored =
      sal_algebra_add(g, r->energy->stored, sal_algebra_pick(g, law->closed, work, zero));
  if (exponent != one)
    SAL_TRY(sal_equation_field_refuse(r, mapping,
                                      "the exponent of a compliant contact is at least 1",
                                      make(r, SAL_PROGRAM_lt, exponent, one)));
  return sal_equation_field_refuse(
      r, mapping, "k of a compliant contact is above 0, and c at least 0",
      make(r, SAL_PROGRAM_or, make(r, SAL_PROGRAM_le, k, zero), make(r, SAL_PROGRAM_lt, c, zero)));
}

/* An expression of coordinates and time. */
static sal_err read_place(sal_equation_reading *r, int node, const char *key, int *value)
{
  SAL_TRY(sal_equation_expression(r, node, key, SAL_SCOPE_NUMBER,
                                  SAL_EQUATION_STATES | SAL_EQUATION_TIME, value));
  if (sal_energy_has_rates(r, *value))
    return sal_document_fail(&r->document, node, "%s: it must not depend on rates", key);
  return SAL_OK;
}

static sal_err read_grip(sal_equation_reading *r, int friction, const sal_energy_contact *c,
                         sal_energy_law *law)
{
  sal_graph *g = &r->graph;
  const int zero = sal_graph_constant(g, 0);
  int needed;

  SAL_TRY(sal_value_need(&r->document, friction, "friction", "mu", &needed));
  SAL_TRY(sal_equation_expression(r, needed, "mu", SAL_SCOPE_NUMBER,
                                  SAL_EQUATION_STATES | SAL_EQUATION_TIME, &law->mu));
  SAL_TRY(read_number(r, friction, "static", law->mu, &law->hold));
  const bool varies = !sal_equation_is_fixed(g, law->mu);
  if (varies && law->hold == law->mu)
    return sal_document_fail(&r->document, friction,
                             "friction: static is missing; mu depends on states or time");
  SAL_TRY(read_place(r, c->along, "along", &law->slides));
  const int speed = sal_energy_rate_of(g, r->energy, law->slides);
  law->sense = sal_graph_quantity(g, SAL_GRAPH_DISCRETE, c->sense);
  /* At the start of a run nothing has said yet that the sense is that of the speed. */
  const int slides = sal_algebra_pick(g, sal_graph_make(g, SAL_PROGRAM_frozen, 0, 0, 0),
                                      make(r, SAL_PROGRAM_mul, law->sense, speed),
                                      make(r, SAL_PROGRAM_abs, speed, 0));
  r->contact[c->stick].gap = slides;
  r->contact[c->stick].during = law->closed;
  law->sticks = make(r, SAL_PROGRAM_closed, slides, c->stick);
  const int mu = varies ? zero : law->mu; /* one that varies is the author's */
  return sal_equation_field_refuse(r, friction,
                                   "friction: mu is at least 0, and static at least mu",
                                   make(r, SAL_PROGRAM_or, make(r, SAL_PROGRAM_lt, mu, zero),
                                        make(r, SAL_PROGRAM_lt, law->hold, mu)));
}

static sal_err read_law(sal_equation_reading *r, const yaml_node_pair_t *pair, int number)
{
  sal_energy_contact *c = &r->energy->contact[number];
  sal_energy_law *law = &r->energy->law[number];
  const int kind = sal_document_child(&r->document, pair->value, "law");
  const int coefficients = sal_document_pair(&r->document, kind, 0)->value;
  const int gap = sal_document_child(&r->document, pair->value, "gap");

  SAL_TRY(read_place(r, gap, "gap", &law->gap));
  if (sal_scope_find(&r->scope, sal_document_text(&r->document, pair->key))->timed)
    return sal_document_fail(&r->document, kind, "law: a contact whose gap is every(T) has none");
  r->contact[c->guard].gap = law->gap;
  law->closed = make(r, SAL_PROGRAM_closed, law->gap, c->guard);
  SAL_TRY(c->rigid ? read_rigid(r, coefficients, c, law) : read_soft(r, coefficients, law));
  if (!c->stick) return SAL_OK;
  SAL_TRY(read_grip(r, friction_of(r, pair->value), c, law));
  return sal_scope_add(&r->scope,
                       (sal_scope_name){.name = derived_name(r, pair->key, "sticks"),
                                        .what = "friction of a contact",
                                        .text = pair->key,
                                        .value = make(r, SAL_PROGRAM_and, law->closed, law->sticks),
                                        .known = true});
}

/* The laws among the terms. */
static void write_out(sal_graph *g, sal_energy *e)
{
  for (int c = 0; c < e->n_contact && !e->at_run; ++c) {
    sal_energy_law *law = &e->terms.law[c];
    *law = e->law[c];
    sal_energy_bind(g, e, law->gap, law->normal.row, &law->normal.drift, &law->normal.turn);
    if (e->contact[c].stick)
      sal_energy_bind(g, e, law->slides, law->along.row, &law->along.drift, &law->along.turn);
  }
}

sal_err sal_energy_laws(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "contacts");
  int n, law = 0;

  for (int k = 0; k < SAL_MAX_CONTACT; ++k)
    memset(&r->contact[k], 0xff, sizeof r->contact[k]); /* SAL_EQUATION_NONE */
  r->energy->stored = sal_graph_constant(&r->graph, 0);
  SAL_TRY(sal_value_pairs(&r->document, mapping, "contacts", &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    if (has_law(r, pair)) SAL_TRY(read_law(r, pair, law++));
  }
  write_out(&r->graph, r->energy);
  return SAL_OK;
}

static sal_err read_mark(sal_equation_reading *r, int guard, const yaml_node_pair_t *pair)
{
  sal_energy *e = r->energy;

  SAL_TRY(sal_equation_law_read(r, guard, pair));
  const int i = e->n_mark++;
  if (e->at_run) return SAL_OK;
  e->mark[i] = guard;
  e->mark_gap[i] = r->contact[guard].gap;
  e->marked[i] = make(r, SAL_PROGRAM_closed, r->contact[guard].gap, guard);
  return SAL_OK;
}

sal_err sal_energy_marks(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "contacts");
  int n, guard = 0;

  SAL_TRY(sal_value_pairs(&r->document, mapping, "contacts", &n));
  for (int i = 0; i < n; ++i, ++guard) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    if (!has_law(r, pair))
      SAL_TRY(read_mark(r, guard, pair));
    else if (friction_of(r, pair->value))
      ++guard;
  }
  return SAL_OK;
}
