/** Units of all nodes, from those that the text states to what is made of them.
 *
 *  What has no unit in the text is unknown, and fits any; so does 0.  Another number has none, as an angle in rad.
 */
#include "equation_units.h"
#include "base.h"
#include "value.h"

typedef sal_equation_units units;

static const sal_si_unit any = {.kind = SAL_SI_UNIT_ANY};

sal_si_unit sal_equation_units_read(units *u, const char *name, const char *text)
{
  const sal_si_unit out = text ? sal_si_unit_read(text) : (sal_si_unit){0};

  u->n_stated += out.kind == SAL_SI_UNIT_KNOWN;
  if (out.kind == SAL_SI_UNIT_UNKNOWN)
    sal_text_add(&u->missing, "%s%s%s%s%s", u->missing.length ? ", " : "", name, text ? " ('" : "",
                 text ? text : "", text ? "')" : "");
  return out;
}

static const char *unit_text(const sal_equation_reading *r, int mapping)
{
  return sal_value_line(&r->document, mapping, "unit", NULL);
}

/* Reads the units below a key, in the order of the text. */
static void read_section(units *u, const char *section, sal_si_unit out[])
{
  const sal_equation_reading *r = u->q->r;
  const int mapping = sal_document_find(&r->document, section);
  int n;

  if (sal_value_pairs(&r->document, mapping, section, &n) != SAL_OK) return;
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    out[i] = sal_equation_units_read(u, sal_document_text(&r->document, pair->key),
                                     unit_text(r, pair->value));
  }
}

/* A rate has the unit of its coordinate over that of time, unless the text gives another. */
static void read_coordinates(units *u)
{
  const sal_equation_reading *r = u->q->r;
  const int mapping = sal_document_find(&r->document, "coordinates"), n = r->n_energetic / 2;

  read_section(u, "coordinates", u->state);
  for (int i = 0; i < n; ++i) {
    const int rate = sal_document_child(&r->document,
                                        sal_document_pair(&r->document, mapping, i)->value, "rate");
    const bool named = sal_document_text(&r->document, rate) != NULL;
    const char *text = named ? NULL : unit_text(r, rate);
    u->state[n + i] = text ? sal_equation_units_read(u, r->model->state[n + i].name, text)
                           : sal_si_unit_product(u->state[i], u->time, -1);
  }
}

void sal_equation_units_all(units *u)
{
  const sal_equation_reading *r = u->q->r;
  const int discrete = sal_document_find(&r->document, "discrete");
  int n;

  u->time = sal_equation_units_read(u, "time", sal_value_line(&r->document, 1, "time", NULL));
  for (int i = 0; i < r->model->n_count; ++i) u->param[i] = sal_si_unit_one;
  read_section(u, "parameters", u->param + r->model->n_count);
  if (r->n_energetic) read_coordinates(u);
  read_section(u, "states", u->state + r->n_energetic);
  read_section(u, "discrete", u->state + r->n_continuous);
  if (sal_value_pairs(&r->document, discrete, "discrete", &n) != SAL_OK) return;
  for (int i = r->n_continuous + n; i < r->model->n_state; ++i) u->state[i] = sal_si_unit_one;
}

/* As the text has it, or by base units. */
const char *sal_equation_units_print(const units *u, sal_si_unit d, char text[SAL_SI_UNIT_TEXT])
{
  const sal_model *m = u->q->r->model;

  if (sal_si_unit_fits(d, sal_si_unit_one)) return "1";
  if (u->here.text) return sal_si_unit_print(d, text);
  for (int i = 0; i < m->n_param; ++i)
    if (u->param[i].kind == SAL_SI_UNIT_KNOWN && sal_si_unit_fits(d, u->param[i]))
      return m->param[i].unit;
  for (int i = 0; i < m->n_state; ++i)
    if (u->state[i].kind == SAL_SI_UNIT_KNOWN && sal_si_unit_fits(d, u->state[i]))
      return m->state[i].unit;
  return sal_si_unit_print(d, text);
}

bool sal_equation_units_is_number(const units *u, int node)
{
  return u->graph->node[node].kind == SAL_GRAPH_CONSTANT;
}

static const sal_scope_span *span_of(const units *u, int node)
{
  return u->here.text ? &u->here : sal_equation_inquiry_span(u->q, node);
}

static void put_clash(units *u, int node, const char *what, int a, int b)
{
  const sal_scope_span *span = span_of(u, node);
  char left[SAL_SI_UNIT_TEXT], right[SAL_SI_UNIT_TEXT];
  const bool number = sal_equation_units_is_number(u, a) || sal_equation_units_is_number(u, b);

  if (!span) return;
  sal_equation_inquiry_put(u->q, number ? SAL_EQUATION_NOTE : SAL_EQUATION_WRONG, span->text,
                           "%s: %s of %s%s and %s%s", span->key, what,
                           sal_equation_units_is_number(u, a) ? "a number, " : "",
                           sal_equation_units_print(u, u->of[a], left),
                           sal_equation_units_is_number(u, b) ? "a number, " : "",
                           sal_equation_units_print(u, u->of[b], right));
}

/* Both have to fit; the one that is known. */
static sal_si_unit join(units *u, int node, const char *what, int a, int b)
{
  ++u->n_checked;
  if (!sal_si_unit_fits(u->of[a], u->of[b])) {
    put_clash(u, node, what, a, b);
    return (sal_si_unit){0};
  }
  if (u->of[a].kind == SAL_SI_UNIT_KNOWN) return u->of[a];
  return u->of[b].kind == SAL_SI_UNIT_ANY ? u->of[a] : u->of[b];
}

/* Functions that are of a number alone. */
static sal_si_unit need_one(units *u, int node, const char *name, int a)
{
  const sal_scope_span *span = span_of(u, node);
  char text[SAL_SI_UNIT_TEXT];

  ++u->n_checked;
  if (sal_si_unit_fits(u->of[a], sal_si_unit_one)) return sal_si_unit_one;
  if (span)
    sal_equation_inquiry_put(u->q, SAL_EQUATION_WRONG, span->text,
                             "%s: %s of %s; it is that of a number, 1, or of an angle in rad",
                             span->key, name, sal_equation_units_print(u, u->of[a], text));
  return (sal_si_unit){0};
}

/* An exponent that varies leaves the unit open. */
static sal_si_unit raise(units *u, int node, int a, int b)
{
  const sal_graph_node *exponent = &u->graph->node[b];

  if (need_one(u, node, "exponent", b).kind != SAL_SI_UNIT_KNOWN) return (sal_si_unit){0};
  if (exponent->kind == SAL_GRAPH_CONSTANT) return sal_si_unit_power(u->of[a], exponent->value);
  return sal_si_unit_fits(u->of[a], sal_si_unit_one) ? u->of[a] : (sal_si_unit){0};
}

/* c ? a : b; sign(x) is two of them, made of 1, -1 and x. */
static sal_si_unit choose(units *u, int node, const sal_graph_node *n)
{
  const sal_graph *g = u->graph;
  const sal_graph_node *condition = &g->node[n->a];
  const bool of_zero = (condition->op == SAL_PROGRAM_lt || condition->op == SAL_PROGRAM_gt) &&
                       sal_graph_is(g, condition->b, 0);

  if (of_zero && condition->op == SAL_PROGRAM_lt && condition->a == n->c &&
      sal_graph_is(g, n->b, -1))
    return sal_si_unit_one;
  return join(u, node, "if .. else", n->b, n->c);
}

/* A product or quotient.  x * pi / 180 turns deg to rad, x / 1000 mm to m. */
static sal_si_unit multiply(units *u, int node, const sal_graph_node *n, int sign)
{
  sal_si_unit out = sal_si_unit_product(u->of[n->a], u->of[n->b], sign);

  u->factor[node] =
      sign > 0 ? u->factor[n->a] * u->factor[n->b] : u->factor[n->a] / u->factor[n->b];
  if (out.kind == SAL_SI_UNIT_KNOWN && fabs(u->factor[node] - out.size) <= 1e-9 * out.size)
    out.size = 1;
  return out;
}

typedef enum { SAME, COMPARED, PRODUCT, QUOTIENT, AS_IT, NUMBER_OF, OTHER } rule;

static const struct {
  sal_program_op op;
  rule rule;
  const char *name;
} rules[] = {
    {SAL_PROGRAM_add, SAME, "a sum"},
    {SAL_PROGRAM_sub, SAME, "a difference"},
    {SAL_PROGRAM_min, SAME, "min"},
    {SAL_PROGRAM_max, SAME, "max"},
    {SAL_PROGRAM_atan2, COMPARED, "atan2"},
    {SAL_PROGRAM_lt, COMPARED, "a comparison"},
    {SAL_PROGRAM_le, COMPARED, "a comparison"},
    {SAL_PROGRAM_gt, COMPARED, "a comparison"},
    {SAL_PROGRAM_ge, COMPARED, "a comparison"},
    {SAL_PROGRAM_eq, COMPARED, "a comparison"},
    {SAL_PROGRAM_ne, COMPARED, "a comparison"},
    {SAL_PROGRAM_mul, PRODUCT, ""},
    {SAL_PROGRAM_div, QUOTIENT, ""},
    {SAL_PROGRAM_neg, AS_IT, ""},
    {SAL_PROGRAM_abs, AS_IT, ""},
    {SAL_PROGRAM_spacing, AS_IT, ""},
    {SAL_PROGRAM_clock, AS_IT, ""},
    {SAL_PROGRAM_floor, AS_IT, ""},
    {SAL_PROGRAM_sin, NUMBER_OF, "sin"},
    {SAL_PROGRAM_cos, NUMBER_OF, "cos"},
    {SAL_PROGRAM_tan, NUMBER_OF, "tan"},
    {SAL_PROGRAM_asin, NUMBER_OF, "asin"},
    {SAL_PROGRAM_acos, NUMBER_OF, "acos"},
    {SAL_PROGRAM_atan, NUMBER_OF, "atan"},
    {SAL_PROGRAM_sinh, NUMBER_OF, "sinh"},
    {SAL_PROGRAM_cosh, NUMBER_OF, "cosh"},
    {SAL_PROGRAM_tanh, NUMBER_OF, "tanh"},
    {SAL_PROGRAM_exp, NUMBER_OF, "exp"},
    {SAL_PROGRAM_log, NUMBER_OF, "log"},
};

static sal_si_unit of_operation(units *u, int node, const sal_graph_node *n)
{
  size_t i = 0;

  if (n->op == SAL_PROGRAM_select) return choose(u, node, n);
  if (n->op == SAL_PROGRAM_pow) return raise(u, node, n->a, n->b);
  if (n->op == SAL_PROGRAM_sqrt) return sal_si_unit_power(u->of[n->a], 0.5);
  while (i < sizeof rules / sizeof *rules && rules[i].op != n->op) ++i;
  if (i == sizeof rules / sizeof *rules) return (sal_si_unit){0};
  switch (rules[i].rule) {
  case SAME:
    return join(u, node, rules[i].name, n->a, n->b);
  case COMPARED:
    join(u, node, rules[i].name, n->a, n->b);
    return sal_si_unit_one;
  case PRODUCT:
    return multiply(u, node, n, 1);
  case QUOTIENT:
    return multiply(u, node, n, -1);
  case NUMBER_OF:
    return need_one(u, node, rules[i].name, n->a);
  default:
    return u->of[n->a];
  }
}

void sal_equation_units_drop(units *u)
{
  sal_free_all(u->of, u->factor);
  sal_text_free(&u->missing);
}

sal_si_unit sal_equation_units_node(units *u, int node)
{
  const sal_equation_reading *r = u->q->r;
  const sal_graph_node *n = &u->graph->node[node];

  u->factor[node] = n->kind == SAL_GRAPH_CONSTANT ? n->value : 1;
  switch (n->kind) {
  case SAL_GRAPH_CONSTANT:
    return n->value == 0 || isinf(n->value) ? any : sal_si_unit_one;
  case SAL_GRAPH_WORD:
    return n->a < u->n_word ? u->param[n->a] : (sal_si_unit){0};
  case SAL_GRAPH_STATE:
    return u->state[n->a];
  case SAL_GRAPH_DISCRETE:
    return u->state[r->n_continuous + n->a];
  case SAL_GRAPH_TIME:
    return u->time;
  case SAL_GRAPH_SLOPE:
    return sal_si_unit_product(u->state[n->a], u->time, -1);
  default:
    return of_operation(u, node, n);
  }
}
