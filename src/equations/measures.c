/** From texts of measures to a program and its accumulators. */
#include "base.h"
#include "compile.h"
#include "equation_programs.h"
#include "equation_reading.h"
#include "equation_units.h"
#include "measure_text.h"
#include "measured_texts.h"
#include "members.h"
#include "model_point.h"
#include "value.h"

typedef struct {
  sal_measured_list list; /* first: the address of all of it */
  sal_equation_reading *r;
  sal_model *model; /* of r */
  sal_measured_term term[SAL_MEASURED_MOST];
  sal_measured_column column[SAL_MEASURED_COLUMNS];
  int root[SAL_MEASURED_MOST], n_root;
  bool of_text;
} made;

/* ---- what they stand for ---- */

/* Reads an expression of the scope from a document of its own, at the place of the measure. */
static sal_err read_expression(made *m, const sal_measure_text *c, const char *text, int *value)
{
  char key[SAL_MEASURE_KEY];
  SAL_OWN_BY(sal_document_free) sal_document d = {0};

  SAL_TRY(sal_document_parse_value(c->where, "x", &d));
  const int node = yaml_document_add_scalar(&d.yaml, NULL, (const unsigned char *)text,
                                            (int)strlen(text), YAML_PLAIN_SCALAR_STYLE);
  if (!node) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", c->where);
  snprintf(key, sizeof key, "measure %.60s", c->name);
  m->r->scope.document = &d;
  const sal_err err = sal_expression_read(&m->r->scope, node, key, SAL_SCOPE_NUMBER, value);
  m->r->scope.document = &m->r->document;
  return err;
}

static sal_err find_contact(const made *m, const sal_measure_text *c, const char *name,
                            int *contact)
{
  const char *names[SAL_SCOPE_WORDS + SAL_MAX_CONTACT + 1] = {NULL};
  const int most = m->model->n_guard < SAL_MAX_CONTACT ? m->model->n_guard : SAL_MAX_CONTACT;
  const sal_scope_name *found = sal_scope_find(&m->r->scope, name);
  double number;
  char place[SAL_MEASURE_PLACE];

  if (found && found->kind == SAL_SCOPE_CONTACT) {
    *contact = found->number;
    return SAL_OK;
  }
  if (sal_value_read(name, &number) && number >= 1 && number <= m->model->n_guard &&
      number == floor(number)) {
    *contact = (int)number - 1;
    return SAL_OK;
  }
  for (int k = 0; k < most; ++k) names[k] = sal_model_contact(m->model, k)->closes;
  *contact = sal_text_rank(name, names);
  if (*contact >= 0 && sal_text_rank(name, names + *contact + 1) >= 0)
    return sal_measure_text_fail(
        c, "contact '%.60s': several contacts close by this name; allowed: a number from 1 to %d",
        name, m->model->n_guard);
  if (*contact >= 0) return SAL_OK;
  return sal_text_unknown(SAL_ERR_INPUT, sal_measure_text_place(c, place), "contact", name, names);
}

static sal_err read_number(const sal_measure_text *c, const char *what, const char *text,
                           double least, double most, double *value)
{
  if (sal_value_read(text, value) && *value >= least && *value <= most) return SAL_OK;
  return sal_measure_text_fail(c, "%s: '%.60s'; allowed: a number from %g to %g", what, text, least,
                               most);
}

/* Reads what the function takes into *t, and the node of its expression, -1: none. */
static sal_err read_call(made *m, const sal_measure_text *c, sal_measured_term *t, int *node)
{
  int at = 0;
  double number = 1;

  if (c->function->expression) SAL_TRY(read_expression(m, c, c->argument[at++], node));
  if (c->function->contact) SAL_TRY(find_contact(m, c, c->argument[at++], &t->contact));
  if (c->from[0]) SAL_TRY(read_number(c, "from", c->from, 0, 1e30, &t->at));
  if (t->kind == SAL_MEASURED_VALUE) {
    if (c->from[0]) return sal_measure_text_fail(c, "value has a time already: without 'from'");
    return read_number(c, "time", c->argument[at], 0, 1e30, &t->at);
  }
  if (c->function->number)
    SAL_TRY(read_number(c, "how many", c->argument[at], 1, SAL_MEASURED_COLUMNS, &number));
  t->n = (int)number;
  return number == t->n ? SAL_OK : sal_measure_text_fail(c, "how many: %g is not whole", number);
}

/* ---- units ---- */

/* Units of all nodes; a model of another kind has those of its fields. */
static sal_err find_units(const made *m, sal_equation_units *u)
{
  const sal_model *model = m->model;

  u->of = sal_alloc((size_t)m->r->graph.n, sizeof *u->of);
  u->factor = sal_alloc((size_t)m->r->graph.n, sizeof *u->factor);
  if (!u->of || !u->factor) return sal_fail(SAL_ERR_MEMORY, "measures: out of memory");
  if (m->of_text)
    sal_equation_units_all(u);
  else {
    u->time = sal_si_unit_read(model->time ? model->time : "1");
    for (int i = 0; i < model->n_param; ++i) u->param[i] = sal_si_unit_read(model->param[i].unit);
    for (int i = 0; i < model->n_state; ++i) u->state[i] = sal_si_unit_read(model->state[i].unit);
  }
  u->here = (sal_scope_span){.text = 1};
  for (int i = 0; i < m->r->graph.n; ++i) u->of[i] = sal_equation_units_node(u, i);
  u->here.text = 0;
  return SAL_OK;
}

static bool same_powers(sal_si_unit a, sal_si_unit b)
{
  a.size = b.size;
  return sal_si_unit_fits(a, b);
}

/* The unit of a measure's columns, and how many of the expression's one of it is. */
static sal_err set_unit(made *m, const sal_measure_text *c, const sal_equation_units *u, int node,
                        sal_measured_term *t, const char **unit)
{
  sal_si_unit of = node >= 0 ? u->of[node] : sal_si_unit_one;
  const sal_si_unit in = sal_si_unit_read(c->unit);
  char text[SAL_SI_UNIT_TEXT];

  if (t->kind == SAL_MEASURED_RATE) of = sal_si_unit_product(of, u->time, -1);
  const bool known = of.kind == SAL_SI_UNIT_KNOWN;
  t->size = 1;
  *unit = "1";
  if (known) /* rad/s fits a rate, too */
    *unit = sal_equation_keep(m->r, t->kind == SAL_MEASURED_RATE
                                        ? sal_si_unit_print(of, text)
                                        : sal_equation_units_print(u, of, text));
  if (!c->unit[0]) return SAL_OK;
  if (in.kind != SAL_SI_UNIT_KNOWN)
    return sal_measure_text_fail(c, "in: unknown unit '%s'; allowed: such as mm, kN/m, deg",
                                 c->unit);
  if (known && !same_powers(of, in))
    return sal_measure_text_fail(c, "in: %s; it has the unit %s", c->unit, *unit);
  t->size = known ? in.size / of.size : in.size;
  *unit = sal_equation_keep(m->r, c->unit);
  return SAL_OK;
}

/* ---- a list of them ---- */

static sal_err check_name(const sal_measure_text *c)
{
  if (strlen(c->name) > 60) return sal_measure_text_fail(c, "a name has at most 60 letters");
  if (c->name[0] && strspn(c->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
                                    "0123456789") == strlen(c->name))
    return SAL_OK;
  return sal_measure_text_fail(c, "a name has letters, digits and _");
}

static sal_err add_columns(made *m, const sal_measure_text *c, const char *text,
                           const sal_measured_term *t, const char *unit)
{
  const char *what = sal_equation_keep(m->r, text), *where = sal_equation_keep(m->r, c->where);
  char name[SAL_MEASURE_KEY];

  for (int k = 0; k < t->n; ++k) {
    snprintf(name, sizeof name, t->n > 1 ? "%.60s_%d" : "%.60s", c->name, k + 1);
    for (int i = 0; i < t->column; ++i)
      if (strcmp(m->column[i].name, name) == 0)
        return sal_measure_text_fail(c, "another measure has a column %s, too", name);
    m->column[t->column + k] =
        (sal_measured_column){sal_equation_keep(m->r, name), unit, what, where};
  }
  m->list.n_column += t->n;
  return SAL_OK;
}

static sal_err add(void *with, const sal_measured_text *given)
{
  made *m = with;
  sal_measure_text c;
  sal_measured_term *t = &m->term[m->list.n];
  const char *unit;
  int node = -1;
  SAL_OWN_BY(sal_equation_units_drop)
  sal_equation_units u = {.graph = &m->r->graph, .n_word = m->model->n_param};
  sal_equation_inquiry q = {.r = m->r};

  SAL_TRY(sal_measure_text_split(given, &c));
  SAL_TRY(check_name(&c));
  if (m->list.n == SAL_MEASURED_MOST)
    return sal_measure_text_fail(&c, "more than %d measures", SAL_MEASURED_MOST);
  *t = (sal_measured_term){.kind = c.kind,
                           .expression = -1,
                           .state = -1,
                           .contact = -1,
                           .column = m->list.n_column,
                           .n = 1};
  SAL_TRY(read_call(m, &c, t, &node));
  if (t->column + t->n > SAL_MEASURED_COLUMNS)
    return sal_measure_text_fail(&c, "more than %d columns of all measures", SAL_MEASURED_COLUMNS);
  u.q = &q;
  SAL_TRY(find_units(m, &u));
  SAL_TRY(set_unit(m, &c, &u, node, t, &unit));
  if (node >= 0) {
    const sal_graph_node *of = &m->r->graph.node[node];
    if (of->kind == SAL_GRAPH_STATE) t->state = of->a;
    t->expression = m->n_root;
    m->root[m->n_root++] = node;
  }
  SAL_TRY(add_columns(m, &c, given->text, t, unit));
  ++m->list.n;
  return SAL_OK;
}

static sal_err add_all(made *m, const sal_measured_text given[], int n, const sal_model *model)
{
  const bool has_kinetic = sal_scope_find(&m->r->scope, "kinetic") != NULL;

  for (int i = 0; i < n; ++i)
    SAL_TRY(given[i].text ? add(m, &given[i])
                          : sal_measure_presets(&given[i], model, has_kinetic, add, m));
  return SAL_OK;
}

/* The word kinetic, where the model states its kinetic energy and the text has no such name. */
static sal_err name_energy(made *m, const sal_model *model)
{
  sal_equation_reading *r = m->r;
  int value = m->of_text ? r->single[SAL_EQUATION_KINETIC] : -1;

  if (sal_scope_find(&r->scope, "kinetic")) return SAL_OK;
  if (!m->of_text && model->kinetic_text)
    SAL_TRY(read_expression(m, &(sal_measure_text){.where = model->name, .name = "kinetic"},
                            model->kinetic_text, &value));
  return value < 0 ? SAL_OK
                   : sal_scope_add(&r->scope, (sal_scope_name){.name = "kinetic",
                                                               .kind = SAL_SCOPE_VALUE,
                                                               .what = "energy",
                                                               .value = value,
                                                               .known = true});
}

/* Names of a text; all that may be read later is read now, as expressions of measures are in other documents. */
static sal_err read_model(made *m, const char *path, const char *text, const double count[])
{
  sal_equation_reading *r = m->r;
  int value;

  r->count = count;
  SAL_TRY(sal_document_parse(path, text, &r->document));
  SAL_TRY(sal_members_expand(&r->document, count));
  SAL_TRY(sal_equation_read(r));
  for (int i = 0; i < r->scope.n; ++i)
    if (r->scope.name[i].kind == SAL_SCOPE_CONTACT)
      SAL_TRY(sal_scope_value(&r->scope, r->scope.name[i].text, "measure", r->scope.name[i].name,
                              &value));
  return SAL_OK;
}

/* Names of a model of another kind. */
static sal_err name_model(made *m, const sal_model *model)
{
  sal_equation_reading *r = m->r;

  *m->model = *model;
  r->n_continuous = sal_model_continuous(model);
  SAL_TRY(sal_scope_begin(&r->scope, &sal_expression_language, &r->document, &r->graph, true));
  for (int i = 0; i < model->n_param; ++i)
    SAL_TRY(sal_equation_field_add(r, &model->param[i], 0, "parameter", SAL_GRAPH_WORD, i));
  for (int i = 0; i < model->n_state; ++i) {
    const bool moves = i < r->n_continuous;
    SAL_TRY(sal_equation_field_add(r, &model->state[i], 0, "state",
                                   moves ? SAL_GRAPH_STATE : SAL_GRAPH_DISCRETE,
                                   moves ? i : i - r->n_continuous));
  }
  return SAL_OK;
}

static sal_err compile(made *m)
{
  const sal_model *model = m->model;
  const int n = sal_model_continuous(model);
  const sal_compile_layout layout = {.n_word = model->n_param + model->n_option,
                                     .n_continuous = n,
                                     .n_discrete = model->n_state - n};
  const char *flaw =
      m->n_root ? sal_compile_program(&m->r->graph, &layout, m->n_root, m->root, &m->list.program)
                : NULL;

  m->list.of = (sal_flow_programs){.n_words = layout.n_word,
                                   .n_continuous = n,
                                   .n_discrete = layout.n_discrete,
                                   .n_guard = model->n_guard,
                                   .table = m->r->table};
  m->list.plain = true;
  for (int i = 0; i < m->list.n; ++i)
    if (m->term[i].kind <= SAL_MEASURED_VALUE && m->term[i].state < 0) m->list.plain = false;
  m->list.term = m->term;
  m->list.column = m->column;
  return flaw ? sal_fail(SAL_ERR_INPUT, "measure: it needs %s", flaw) : SAL_OK;
}

static sal_err fill(made *m, const sal_measured_text given[], int n, const sal_model *model,
                    const char *text, const double count[])
{
  sal_measured_texts own;

  m->r = sal_alloc(1, sizeof *m->r);
  m->model = sal_alloc(1, sizeof *m->model);
  if (!m->r || !m->model) return sal_fail(SAL_ERR_MEMORY, "measures: out of memory");
  m->r->model = m->model;
  m->of_text = text != NULL;
  SAL_TRY(text ? read_model(m, model->name, text, count) : name_model(m, model));
  SAL_TRY(name_energy(m, model));
  const sal_document *d = &m->r->document;
  SAL_TRY(sal_measured_texts_read(d, text ? sal_document_find(d, "measure") : 0, &own));
  SAL_TRY(add_all(m, own.given, own.n, model));
  m->list.n_own = m->list.n;
  SAL_TRY(add_all(m, given, n, model));
  return compile(m);
}

sal_err sal_measures_make(const sal_measured_text given[], int n, const sal_model *model,
                          const char *text, const double count[], const sal_measured_list **out)
{
  made *m = sal_alloc(1, sizeof *m);

  *out = NULL;
  if (!m) return sal_fail(SAL_ERR_MEMORY, "measures: out of memory");
  const sal_err err = fill(m, given, n, model, text, count);
  if (err == SAL_OK && m->list.n > 0)
    *out = &m->list;
  else
    sal_measures_free(&m->list);
  return err;
}

void sal_measures_free(const sal_measured_list *list)
{
  made *m = (made *)(uintptr_t)list;

  if (!m) return;
  sal_compile_free(&m->list.program);
  sal_equation_reading_drop(&m->r);
  sal_free(m->model);
  sal_free(m);
}
