/** Values, names and expressions that the parts of a text are read by. */
#include "equation_reading.h"
#include "array.h"
#include "base.h"
#include "value.h"

/* Keeps it as long as the model; NULL, and it is freed, where memory ran out. */
static void *keep(sal_equation_reading *r, void *made)
{
  char **more = made ? sal_array_grow(r->made, r->n_made, 1, &r->made_room, sizeof *more) : NULL;

  if (!more) {
    sal_free(made);
    return NULL;
  }
  r->made = more;
  return r->made[r->n_made++] = made;
}

const char *sal_equation_keep(sal_equation_reading *r, const char *text)
{
  const char *copy = keep(r, sal_text_copy(text));

  return copy ? copy : "";
}

double *sal_equation_numbers(sal_equation_reading *r, int n)
{
  return keep(r, sal_alloc((size_t)n + 1, sizeof(double)));
}

int sal_equation_state(const sal_equation_reading *r, const char *name)
{
  for (int i = 0; name && i < r->model->n_state; ++i)
    if (strcmp(r->model->state[i].name, name) == 0) return i;
  return -1;
}

sal_err sal_equation_known_state(const sal_equation_reading *r, int node, const char *key,
                                 bool discrete, int *state)
{
  const char *names[SAL_MAX_STATE + 1] = {NULL};
  const int n = r->model->n_state - (discrete ? 0 : r->model->n_discrete);

  for (int i = 0; i < n; ++i) names[i] = r->model->state[i].name;
  return sal_value_rank(&r->document, node, key, "state", names, state);
}

/* The word for what an expression must not be made of; NULL: it is made of what it may be. */
static const char *find_forbidden(const sal_graph *graph, int root, int parts)
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

bool sal_equation_is_fixed(const sal_graph *graph, int root)
{
  return !find_forbidden(graph, root, 0);
}

sal_err sal_equation_expression(sal_equation_reading *r, int node, const char *key,
                                sal_scope_type type, int parts, int *value)
{
  SAL_TRY(sal_expression_read(&r->scope, node, key, type, value));
  const char *stranger = find_forbidden(&r->graph, *value, parts);
  if (!stranger) return SAL_OK;
  return sal_document_fail(&r->document, node, "%s: it must not depend on %s", key, stranger);
}

sal_err sal_equation_by_state(sal_equation_reading *r, int mapping, const char *key, int parts,
                              int from, int to, const char *refusal, int value[])
{
  const bool discrete = to > r->model->n_state - r->model->n_discrete;
  int n, state = 0;

  SAL_TRY(sal_value_pairs(&r->document, mapping, key, &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    const char *name = sal_document_text(&r->document, pair->key);
    char head[SAL_MAX_NAME];
    SAL_TRY(sal_equation_known_state(r, pair->key, key, discrete, &state));
    if (state < from || state >= to)
      return sal_document_fail(&r->document, pair->key, "%s: %s %s", key, name, refusal);
    snprintf(head, sizeof head, "%.60s: %.60s", key, name);
    SAL_TRY(sal_equation_expression(r, pair->value, head, SAL_SCOPE_NUMBER, parts, &value[state]));
  }
  return SAL_OK;
}

sal_err sal_equation_compile(const sal_equation_reading *r, const sal_graph *graph,
                             const sal_compile_layout *layout, const char *key, int n,
                             const int root[], sal_program *out)
{
  const char *flaw = sal_compile_program(graph, layout, n, root, out);
  const int node = sal_document_find(&r->document, key);

  if (!flaw) return SAL_OK;
  return sal_document_fail(&r->document, node ? node : 1, "%s: it needs %s", key, flaw);
}
