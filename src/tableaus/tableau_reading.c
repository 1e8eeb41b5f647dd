/** The keys of a solver's text. */
#include "tableau_reading.h"
#include "base.h"
#include "value.h"
#include <ctype.h>

enum { WHAT = 64 };
static const char *const keys[] = {"tableau", "name",           "title",  "source", "kind", "order",
                                   "let",     "embedded_order", "A",      "Gamma",  "b",    "b_hat",
                                   "c",       "dense",          "shrink", NULL};
static const char *const kinds[] = {
    [SAL_TABLEAU_RUNGE_KUTTA] = "runge-kutta", [SAL_TABLEAU_ROSENBROCK_W] = "rosenbrock-w", NULL};

static int find(const sal_tableau_reading *r, const char *key)
{
  return sal_document_find(r->document, key);
}

static sal_err read_order(const sal_tableau_reading *r, const char *key, int *order)
{
  int node;
  double value;

  SAL_TRY(sal_value_need(r->document, 1, "", key, &node));
  SAL_TRY(sal_value_check(r->document, node, key, 1, SAL_TREES_ORDER, true, &value));
  *order = (int)value;
  return SAL_OK;
}

static sal_err read_text(const sal_tableau_reading *r, const char *key, const char *preset,
                         const char **text)
{
  const int node = find(r, key);

  *text = node ? sal_document_line(r->document, node) : preset;
  return *text ? SAL_OK : sal_value_wrong_kind(r->document, node, key, "text");
}

static sal_err read_words(sal_tableau_reading *r)
{
  int node, rank;

  SAL_TRY(sal_value_need(r->document, 1, "", "tableau", &node));
  SAL_TRY(sal_value_check(r->document, node, "tableau", 1, 1, true, NULL));
  SAL_TRY(sal_value_need(r->document, 1, "", "name", &node));
  SAL_TRY(sal_value_solver_name(r->document, node, "name", &r->name));
  SAL_TRY(read_text(r, "title", r->name, &r->title));
  SAL_TRY(read_text(r, "source", "a text", &r->source));
  SAL_TRY(sal_value_need(r->document, 1, "", "kind", &node));
  SAL_TRY(sal_value_word(r->document, node, "kind", kinds, &rank));
  r->kind = (sal_tableau_kind)rank;
  SAL_TRY(read_order(r, "order", &r->order));
  SAL_TRY(read_order(r, "embedded_order", &r->embedded));
  r->shrink = 0.1;
  node = find(r, "shrink");
  return node ? sal_value_check(r->document, node, "shrink", 0.01, 0.9, false, &r->shrink) : SAL_OK;
}

/* Names for numbers, each made of those before it. */
static sal_err read_names(sal_tableau_reading *r)
{
  const int let = find(r, "let");
  char what[WHAT];
  int n;

  SAL_TRY(sal_value_pairs(r->document, let, "let", &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *p = sal_document_pair(r->document, let, i);
    const char *name = sal_document_text(r->document, p->key);
    if (r->names.n == SAL_COEFFICIENT_NAMES)
      return sal_document_fail(r->document, p->key, "let: more than %d names",
                               SAL_COEFFICIENT_NAMES);
    if (!isalpha((unsigned char)name[0]) || strcmp(name, "sqrt") == 0)
      return sal_document_fail(r->document, p->key,
                               "let: '%.60s' is not a name; allowed: a letter first, and not sqrt",
                               name);
    snprintf(what, sizeof what, "let.%.40s", name);
    sal_exact value;
    SAL_TRY(sal_coefficient_read(r->document, p->value, what, &r->names, &value));
    r->names.name[r->names.n] = name;
    r->names.value[r->names.n++] = value;
  }
  return SAL_OK;
}

/* A list of numbers, least .. most of them. */
static sal_err read_row(const sal_tableau_reading *r, int node, const char *what, int least,
                        int most, sal_exact value[])
{
  SAL_TRY(sal_value_list(r->document, node, what, least, most));
  for (int i = 0; i < sal_document_count(r->document, node); ++i)
    SAL_TRY(sal_coefficient_read(r->document, sal_document_item(r->document, node, i), what,
                                 &r->names, &value[i]));
  return SAL_OK;
}

/* One number for each stage. */
static sal_err read_weights(const sal_tableau_reading *r, const char *key, sal_exact value[])
{
  int node;

  SAL_TRY(sal_value_need(r->document, 1, "", key, &node));
  return read_row(r, node, key, r->stages, r->stages, value);
}

/* Row i of a lower triangular matrix: its `own` numbers, or all `stages`, those beyond 0. */
static sal_err read_triangle_row(const sal_tableau_reading *r, int node, const char *key, int i,
                                 int own, sal_exact row[])
{
  const int n = sal_document_count(r->document, node);
  char what[WHAT];

  snprintf(what, sizeof what, "row %d of %s", i + 1, key);
  if (sal_document_node(r->document, node)->type == YAML_SEQUENCE_NODE && n != own &&
      n != r->stages)
    return sal_document_fail(r->document, node,
                             "%s: a list of %d; allowed: %d, or %d, of which those from number %d "
                             "on are 0",
                             what, n, own, r->stages, own + 1);
  SAL_TRY(read_row(r, node, what, 0, r->stages, row));
  for (int j = own; j < n; ++j)
    if (row[j] != 0)
      return sal_document_fail(
          r->document, node, "%s: number %d is %g; allowed: 0, as %s", what, j + 1, (double)row[j],
          own == i ? "a stage is made of those before it" : "the matrix is lower triangular");
  return SAL_OK;
}

/* `more`: numbers of the first row. */
static sal_err read_triangle(const sal_tableau_reading *r, const char *key, int more,
                             sal_exact matrix[][SAL_MAX_STAGE])
{
  int node;

  SAL_TRY(sal_value_need(r->document, 1, "", key, &node));
  SAL_TRY(sal_value_list(r->document, node, key, r->stages, r->stages));
  for (int i = 0; i < r->stages; ++i)
    SAL_TRY(
        read_triangle_row(r, sal_document_item(r->document, node, i), key, i, i + more, matrix[i]));
  return SAL_OK;
}

static sal_err read_dense(sal_tableau_reading *r)
{
  const int list = find(r, "dense");
  char what[WHAT];

  if (!list) return SAL_OK;
  SAL_TRY(sal_value_list(r->document, list, "dense", r->stages, r->stages));
  for (int i = 0; i < r->stages; ++i) {
    const int row = sal_document_item(r->document, list, i);
    const int n = sal_document_count(r->document, row);
    snprintf(what, sizeof what, "row %d of dense", i + 1);
    SAL_TRY(read_row(r, row, what, 0, SAL_MAX_RK_DEGREE, r->dense[i]));
    if (n > r->degree) r->degree = n;
  }
  return r->degree > 0 ? SAL_OK : sal_document_fail(r->document, list, "dense: all rows are empty");
}

static sal_err read_numbers(sal_tableau_reading *r)
{
  int node;

  SAL_TRY(sal_value_need(r->document, 1, "", "A", &node));
  SAL_TRY(sal_value_list(r->document, node, "A", 1, SAL_MAX_STAGE));
  r->stages = sal_document_count(r->document, node);
  SAL_TRY(read_triangle(r, "A", 0, r->a));
  if (r->kind == SAL_TABLEAU_ROSENBROCK_W) SAL_TRY(read_triangle(r, "Gamma", 1, r->gamma));
  if (r->kind == SAL_TABLEAU_RUNGE_KUTTA && find(r, "Gamma"))
    return sal_document_fail(r->document, find(r, "Gamma"),
                             "Gamma goes with 'kind: rosenbrock-w'; found: kind: %s",
                             kinds[r->kind]);
  SAL_TRY(read_weights(r, "b", r->b));
  SAL_TRY(read_weights(r, "b_hat", r->b_hat));
  r->has_c = find(r, "c") != 0;
  if (r->has_c) SAL_TRY(read_weights(r, "c", r->c));
  return read_dense(r);
}

sal_err sal_tableau_read(const sal_document *document, sal_tableau_reading *r)
{
  *r = (sal_tableau_reading){.document = document};
  SAL_TRY(sal_value_keys(document, 1, "", keys));
  SAL_TRY(read_words(r));
  SAL_TRY(read_names(r));
  return read_numbers(r);
}
