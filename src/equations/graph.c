/** A table by value finds the node that there is already. */
#include "graph.h"
#include "array.h"
#include "base.h"

#define SAL_PROGRAM_OP(name, operands, ...) operands,
static const int operands_of[] = {
    0, /* end */
#include "program_ops.def"
};
#undef SAL_PROGRAM_OP

void sal_graph_free(sal_graph *graph)
{
  sal_free_all(graph->node, graph->slot);
  *graph = (sal_graph){0};
}

/* By bits: 0 and -0 are two numbers. */
static bool is_same(const sal_graph_node *a, const sal_graph_node *b)
{
  return a->kind == b->kind && a->op == b->op && a->a == b->a && a->b == b->b && a->c == b->c &&
         memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

static uint64_t hash_of(const sal_graph_node *node)
{
  const uint64_t prime = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t bits, h = (uint64_t)node->kind * 64 + (uint64_t)node->op;

  memcpy(&bits, &node->value, sizeof bits);
  const uint64_t word[] = {(uint64_t)(unsigned)node->a, (uint64_t)(unsigned)node->b,
                           (uint64_t)(unsigned)node->c, bits};
  for (int i = 0; i < 4; ++i) h = (h ^ word[i]) * prime, h ^= h >> 29;
  return h;
}

/* The slot of a node: its own, or the free one where it belongs. */
static int find_slot(const sal_graph *graph, const sal_graph_node *node)
{
  int s = (int)(hash_of(node) & (uint64_t)(graph->n_slot - 1));

  while (graph->slot[s] && !is_same(&graph->node[graph->slot[s] - 1], node))
    s = (s + 1) & (graph->n_slot - 1);
  return s;
}

static bool grow_table(sal_graph *graph)
{
  const int n = graph->n_slot ? 2 * graph->n_slot : 1024;
  int *slot = sal_alloc((size_t)n, sizeof *slot);

  if (!slot) return false;
  sal_free(graph->slot);
  graph->slot = slot;
  graph->n_slot = n;
  for (int i = 0; i < graph->n; ++i) slot[find_slot(graph, &graph->node[i])] = i + 1;
  return true;
}

static int add_node(sal_graph *graph, sal_graph_node node)
{
  if (graph->full || (2 * graph->n >= graph->n_slot && !grow_table(graph))) {
    graph->full = true;
    return 0;
  }
  const int slot = find_slot(graph, &node);
  if (graph->slot[slot]) return graph->slot[slot] - 1;
  sal_graph_node *more =
      graph->n < SAL_GRAPH_NODES
          ? sal_array_grow(graph->node, graph->n, 1, &graph->room, sizeof *graph->node)
          : NULL;
  if (!more) {
    graph->full = true;
    return 0;
  }
  graph->node = more;
  more[graph->n] = node;
  graph->slot[slot] = ++graph->n;
  return graph->n - 1;
}

int sal_graph_constant(sal_graph *graph, double value)
{
  return add_node(graph, (sal_graph_node){.kind = SAL_GRAPH_CONSTANT, .value = value});
}

int sal_graph_quantity(sal_graph *graph, sal_graph_kind kind, int number)
{
  return add_node(graph, (sal_graph_node){.kind = kind, .a = number});
}

/* Computes operations that IEEE 754 rounds in one way only; false: it is left to the run. */
static bool fold(sal_program_op op, double a, double b, double *out)
{
  switch (op) {
  case SAL_PROGRAM_add:
    *out = a + b;
    return true;
  case SAL_PROGRAM_sub:
    *out = a - b;
    return true;
  case SAL_PROGRAM_mul:
    *out = a * b;
    return true;
  case SAL_PROGRAM_div:
    *out = a / b;
    return true;
  case SAL_PROGRAM_neg:
    *out = -a;
    return true;
  case SAL_PROGRAM_sqrt:
    *out = sqrt(a);
    return true;
  default:
    return false;
  }
}

int sal_graph_make(sal_graph *graph, sal_program_op op, int a, int b, int c)
{
  sal_graph_node node = {.kind = SAL_GRAPH_OPERATION, .op = op, .a = a, .b = b, .c = c};
  const int n = sal_graph_operands(&node);
  double value;

  if (graph->full) return 0;
  if (n > 0 && n < 3 && graph->node[a].kind == SAL_GRAPH_CONSTANT &&
      (n < 2 || graph->node[b].kind == SAL_GRAPH_CONSTANT) &&
      fold(op, graph->node[a].value, n < 2 ? 0 : graph->node[b].value, &value))
    return sal_graph_constant(graph, value);
  return add_node(graph, node);
}

int sal_graph_operands(const sal_graph_node *node)
{
  if (node->kind != SAL_GRAPH_OPERATION || node->op == SAL_PROGRAM_held) return 0;
  return node->op == SAL_PROGRAM_closed || node->op == SAL_PROGRAM_table ? 1
                                                                         : operands_of[node->op];
}

static bool makes_mask(sal_program_op op)
{
  static const sal_program_op ops[] = {SAL_PROGRAM_lt,     SAL_PROGRAM_le,     SAL_PROGRAM_gt,
                                       SAL_PROGRAM_ge,     SAL_PROGRAM_eq,     SAL_PROGRAM_ne,
                                       SAL_PROGRAM_and,    SAL_PROGRAM_or,     SAL_PROGRAM_not,
                                       SAL_PROGRAM_closed, SAL_PROGRAM_held,   SAL_PROGRAM_frozen,
                                       SAL_PROGRAM_rests,  SAL_PROGRAM_closing};

  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i)
    if (ops[i] == op) return true;
  return false;
}

bool sal_graph_is_mask(const sal_graph *graph, int node)
{
  const sal_graph_node *n = &graph->node[node];

  return n->kind == SAL_GRAPH_OPERATION && makes_mask(n->op);
}

bool sal_graph_is(const sal_graph *graph, int node, double value)
{
  const sal_graph_node *n = &graph->node[node];

  return n->kind == SAL_GRAPH_CONSTANT && n->value == value;
}

sal_graph sal_graph_part(const sal_graph *graph, int n_root, const int root[])
{
  sal_graph part = *graph;

  part.n = graph->n > 0;
  for (int i = 0; i < n_root; ++i) part.n = root[i] < part.n ? part.n : root[i] + 1;
  return part;
}

int sal_graph_last(const bool marked[], int before)
{
  static const bool none[32];
  int i = before;

  while (i >= (int)sizeof none && memcmp(marked + i - sizeof none, none, sizeof none) == 0)
    i -= (int)sizeof none;
  while (i > 0 && !marked[i - 1]) --i;
  return i - 1;
}

void sal_graph_reach(const sal_graph *graph, int n_root, const int root[], bool marked[])
{
  memset(marked, 0, (size_t)graph->n * sizeof *marked);
  for (int i = 0; i < n_root; ++i) marked[root[i]] = true;
  for (int i = sal_graph_last(marked, graph->n); i >= 0; i = sal_graph_last(marked, i)) {
    const sal_graph_node *node = &graph->node[i];
    const int operand[] = {node->a, node->b, node->c}, n = sal_graph_operands(node);
    for (int k = 0; k < n && k < 3; ++k) marked[operand[k]] = true;
  }
}
