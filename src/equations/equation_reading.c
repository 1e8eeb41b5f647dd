/** @file src/equations/equation_reading.c
 *  Values, names and expressions that the parts of a text are read by.
 */
#include "equation_reading.h"
#include "memory.h"
#include "text.h"
#include "value.h"
#include <stdio.h>
#include <string.h>

sal_err sal_equation_keys(const sal_equation_reading *r, int mapping, const char *what,
                          const char *const list[])
{
  char kind[SAL_MAX_NAME + 16];

  snprintf(kind, sizeof kind, "key of %.60s", what);
  return sal_value_keys(&r->document, mapping, what, kind, list);
}

sal_err sal_equation_child(const sal_equation_reading *r, int mapping, const char *what,
                           const char *key, int *node)
{
  *node = sal_document_child(&r->document, mapping, key);
  if (*node) return SAL_OK;
  return sal_document_fail(&r->document, mapping, "%s: required key '%s' is missing", what, key);
}

const char *sal_equation_text(const sal_equation_reading *r, int mapping, const char *key,
                              const char *preset)
{
  const int node = sal_document_child(&r->document, mapping, key);
  const char *text = node ? sal_document_line(&r->document, node) : NULL;

  return text && text[0] ? text : preset;
}

sal_err sal_equation_flag(const sal_equation_reading *r, int mapping, const char *key, bool *flag)
{
  static const char *const words[] = {"false", "true", NULL};
  const int node = sal_document_child(&r->document, mapping, key);
  int rank;

  if (!node) return SAL_OK;
  SAL_TRY(sal_value_word(&r->document, node, key, words, &rank));
  *flag = rank == 1;
  return SAL_OK;
}

sal_err sal_equation_pairs(const sal_equation_reading *r, int mapping, const char *what, int *n)
{
  const yaml_node_t *node = sal_document_node(&r->document, mapping);

  *n = 0;
  if (!node) return SAL_OK;
  if (node->type != YAML_MAPPING_NODE)
    return sal_value_wrong_kind(&r->document, mapping, what, "a mapping, NAME: VALUE");
  *n = (int)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
  return SAL_OK;
}

const yaml_node_pair_t *sal_equation_pair(const sal_equation_reading *r, int mapping, int i)
{
  return sal_document_node(&r->document, mapping)->data.mapping.pairs.start + i;
}

const char *sal_equation_keep(sal_equation_reading *r, const char *text)
{
  char *copy = r->n_made < SAL_EQUATION_MADE ? sal_text_copy(text) : NULL;

  if (!copy) return "";
  r->made[r->n_made++] = copy;
  return copy;
}

double *sal_equation_numbers(sal_equation_reading *r, int n)
{
  double *numbers =
      r->n_made < SAL_EQUATION_MADE ? sal_alloc((size_t)n + 1, sizeof *numbers) : NULL;

  if (numbers) r->made[r->n_made++] = (char *)numbers;
  return numbers;
}

int sal_equation_state(const sal_equation_reading *r, const char *name)
{
  for (int i = 0; name && i < r->model->n_state; ++i)
    if (strcmp(r->model->state[i].name, name) == 0) return i;
  return -1;
}

sal_err sal_equation_known_state(const sal_equation_reading *r, int node, const char *key,
                                 const char *name, bool discrete, int *state)
{
  const char *names[SAL_MAX_STATE + 1];
  const int n = r->model->n_state - (discrete ? 0 : r->model->n_discrete);
  char place[SAL_PLACE], where[SAL_PLACE + SAL_MAX_NAME];

  if (!name || !name[0])
    return sal_value_wrong_kind(&r->document, node, key, "the name of a state");
  *state = sal_equation_state(r, name);
  if (*state >= 0 && *state < n) return SAL_OK;
  for (int i = 0; i < n; ++i) names[i] = r->model->state[i].name;
  names[n] = NULL;
  snprintf(where, sizeof where, "%s: %.60s", sal_document_place(&r->document, node, place), key);
  return sal_text_unknown(SAL_ERR_INPUT, where, "state", name, names);
}

/* The word for what an expression must not be made of; NULL: it is made of what it may be. */
static const char *find_stranger(const sal_graph *graph, int root, int parts)
{
  SAL_OWN bool *marked = sal_alloc((size_t)graph->n, sizeof *marked);

  if (!marked) return "memory, which ran out";
  sal_graph_reach(graph, 1, &root, marked);
  for (int i = 0; i < graph->n; ++i) {
    const sal_graph_node *n = &graph->node[i];
    const bool op = n->kind == SAL_GRAPH_OPERATION;
    if (!marked[i]) continue;
    if (n->kind == SAL_GRAPH_TIME && !(parts & SAL_EQUATION_TIME)) return "t";
    if ((n->kind == SAL_GRAPH_STATE || n->kind == SAL_GRAPH_DISCRETE) &&
        !(parts & SAL_EQUATION_STATES))
      return "states";
    if (op && n->op == SAL_PROGRAM_closed && !(parts & SAL_EQUATION_MODES)) return "contacts";
    if (op && (n->op == SAL_PROGRAM_rests || n->op == SAL_PROGRAM_closing) &&
        !(parts & SAL_EQUATION_JUMPS))
      return n->op == SAL_PROGRAM_rests ? "rests" : "closing";
  }
  return NULL;
}

sal_err sal_equation_expression(sal_equation_reading *r, int node, const char *key,
                                sal_scope_type type, int parts, int *value)
{
  SAL_TRY(sal_expression_read(&r->scope, node, key, type, value));
  const char *stranger = find_stranger(&r->graph, *value, parts);
  if (!stranger) return SAL_OK;
  return sal_document_fail(&r->document, node, "%s: it must not depend on %s", key, stranger);
}
