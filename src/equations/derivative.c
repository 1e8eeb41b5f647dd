/** One walk over the graph: the derivative of each node from those of its operands. */
#include "derivative.h"
#include "algebra.h"
#include "memory.h"
#include <string.h>

static int number(sal_graph *g, double value) { return sal_graph_constant(g, value); }
static int one_of(sal_graph *g, sal_program_op op, int a) { return sal_graph_make(g, op, a, 0, 0); }
static int two_of(sal_graph *g, sal_program_op op, int a, int b)
{
  return sal_graph_make(g, op, a, b, 0);
}

/* a (b c) as (a b) c: the rate of a sin(w t) is then that of w a cos(w t), as it is written by hand. */
static int scaled(sal_graph *g, int a, int b)
{
  const sal_graph_node node = g->node[b];

  if (node.kind != SAL_GRAPH_OPERATION || sal_graph_is(g, a, 0)) return sal_algebra_mul(g, a, b);
  if (node.op == SAL_PROGRAM_neg) return sal_algebra_neg(g, scaled(g, a, node.a));
  return node.op == SAL_PROGRAM_mul ? sal_algebra_mul(g, sal_algebra_mul(g, a, node.a), node.b)
                                    : sal_algebra_mul(g, a, b);
}

static int square(sal_graph *g, int a) { return two_of(g, SAL_PROGRAM_mul, a, a); }

/* 0 where the root is 0: what stands before it is 0 there, too, in a force such as |x| sqrt|x|. */
static int of_root(sal_graph *g, int n, int da)
{
  const int zero = number(g, 0);
  const int slope = sal_algebra_div(g, da, two_of(g, SAL_PROGRAM_mul, number(g, 2), n));

  return sal_algebra_pick(g, two_of(g, SAL_PROGRAM_gt, n, zero), slope, zero);
}

/* The derivative of a function of one number, from node n = f(a) and da. */
static int of_function(sal_graph *g, sal_program_op op, int n, int a, int da)
{
  const int one = number(g, 1);

  switch (op) {
  case SAL_PROGRAM_neg:
    return sal_algebra_neg(g, da);
  case SAL_PROGRAM_sqrt:
    return of_root(g, n, da);
  case SAL_PROGRAM_abs:
    return sal_algebra_pick(g, two_of(g, SAL_PROGRAM_lt, a, number(g, 0)), sal_algebra_neg(g, da),
                            da);
  case SAL_PROGRAM_sin:
    return sal_algebra_mul(g, one_of(g, SAL_PROGRAM_cos, a), da);
  case SAL_PROGRAM_cos:
    return sal_algebra_neg(g, sal_algebra_mul(g, one_of(g, SAL_PROGRAM_sin, a), da));
  case SAL_PROGRAM_tan:
    return sal_algebra_mul(g, two_of(g, SAL_PROGRAM_add, one, square(g, n)), da);
  case SAL_PROGRAM_asin:
  case SAL_PROGRAM_acos: {
    const int root = one_of(g, SAL_PROGRAM_sqrt, two_of(g, SAL_PROGRAM_sub, one, square(g, a)));
    return sal_algebra_div(g, op == SAL_PROGRAM_asin ? da : sal_algebra_neg(g, da), root);
  }
  case SAL_PROGRAM_atan:
    return sal_algebra_div(g, da, two_of(g, SAL_PROGRAM_add, one, square(g, a)));
  case SAL_PROGRAM_sinh:
    return sal_algebra_mul(g, one_of(g, SAL_PROGRAM_cosh, a), da);
  case SAL_PROGRAM_cosh:
    return sal_algebra_mul(g, one_of(g, SAL_PROGRAM_sinh, a), da);
  case SAL_PROGRAM_tanh:
    return sal_algebra_mul(g, two_of(g, SAL_PROGRAM_sub, one, square(g, n)), da);
  case SAL_PROGRAM_exp:
    return sal_algebra_mul(g, n, da);
  case SAL_PROGRAM_log:
    return sal_algebra_div(g, da, a);
  default:
    return number(g, 0);
  }
}

/* b a^(b-1) da + a^b log(a) db; the logarithm counts where there is one, and at 0 a power that would
 * be infinite is 0, as of a root. */
static int of_power(sal_graph *g, const sal_graph_node *node, int n, int da, int db)
{
  const int a = node->a, b = node->b;
  const int zero = number(g, 0);
  int lower = two_of(g, SAL_PROGRAM_pow, a, two_of(g, SAL_PROGRAM_sub, b, number(g, 1)));

  if (g->node[b].kind != SAL_GRAPH_CONSTANT || g->node[b].value < 1)
    lower = sal_algebra_pick(g, two_of(g, SAL_PROGRAM_eq, a, zero), zero, lower);
  const int by_base = sal_algebra_mul(g, two_of(g, SAL_PROGRAM_mul, b, lower), da);

  if (sal_graph_is(g, db, 0)) return by_base;
  const int log = two_of(g, SAL_PROGRAM_mul, n, one_of(g, SAL_PROGRAM_log, a));
  const int above = two_of(g, SAL_PROGRAM_gt, a, zero);
  return sal_algebra_add(g, by_base, sal_algebra_mul(g, sal_algebra_pick(g, above, log, zero), db));
}

static int of_pair(sal_graph *g, const sal_graph_node *node, int n, int da, int db)
{
  const int a = node->a, b = node->b;

  switch (node->op) {
  case SAL_PROGRAM_add:
    return sal_algebra_add(g, da, db);
  case SAL_PROGRAM_sub:
    return sal_algebra_sub(g, da, db);
  case SAL_PROGRAM_mul:
    if (a == b) return sal_algebra_mul(g, number(g, 2), sal_algebra_mul(g, a, da));
    return sal_algebra_add(g, sal_algebra_mul(g, da, b), scaled(g, a, db));
  case SAL_PROGRAM_div:
    return sal_algebra_div(g, sal_algebra_sub(g, da, sal_algebra_mul(g, n, db)), b);
  case SAL_PROGRAM_min:
    return sal_algebra_pick(g, two_of(g, SAL_PROGRAM_lt, b, a), db, da);
  case SAL_PROGRAM_max:
    return sal_algebra_pick(g, two_of(g, SAL_PROGRAM_gt, b, a), db, da);
  case SAL_PROGRAM_atan2: {
    const int length = two_of(g, SAL_PROGRAM_add, square(g, a), square(g, b));
    return sal_algebra_div(
        g, sal_algebra_sub(g, sal_algebra_mul(g, da, b), sal_algebra_mul(g, a, db)), length);
  }
  case SAL_PROGRAM_pow:
    return of_power(g, node, n, da, db);
  default:
    return number(g, 0);
  }
}

enum { WHOLE = -3, NUMBERS = 1 << 11 };
int sal_derivative_whole(int n_continuous, int n_discrete)
{
  return WHOLE - (NUMBERS * n_continuous + n_discrete);
}

static int slope_of(sal_graph *g, const sal_graph_node *node, int by)
{
  const int n = (WHOLE - by) / NUMBERS, all = n + (WHOLE - by) % NUMBERS;

  switch (node->kind) {
  case SAL_GRAPH_STATE:
    return sal_graph_quantity(g, SAL_GRAPH_SLOPE, node->a);
  case SAL_GRAPH_DISCRETE:
    return sal_graph_quantity(g, SAL_GRAPH_SLOPE, n + node->a);
  case SAL_GRAPH_TIME:
    return sal_graph_quantity(g, SAL_GRAPH_SLOPE, all);
  default:
    return number(g, 0);
  }
}

static int of_leaf(sal_graph *g, const sal_graph_node *node, int by)
{
  const bool rate = by == SAL_DERIVATIVE_RATE;

  if (by <= WHOLE) return slope_of(g, node, by);

  if (node->kind == SAL_GRAPH_STATE && rate) return sal_graph_quantity(g, SAL_GRAPH_SLOPE, node->a);
  const bool same = rate || by == SAL_DERIVATIVE_TIME
                        ? node->kind == SAL_GRAPH_TIME
                        : node->kind == SAL_GRAPH_STATE && node->a == by;
  return number(g, same);
}

/* The next derivative of a table, of which pieces of degree 3 have no more than that. */
static int of_table(sal_graph *g, const sal_graph_node *node, int da)
{
  if (node->b % SAL_LOOKUP_ORDERS == SAL_LOOKUP_ORDERS - 1) return number(g, 0);
  return sal_algebra_mul(g, two_of(g, SAL_PROGRAM_table, node->a, node->b + 1), da);
}

/* d [n]: the derivatives of the nodes before this one. */
static int of_node(sal_graph *g, int n, int by, const int d[])
{
  const sal_graph_node node = g->node[n]; /* the array moves as the graph grows */

  if (sal_graph_is_mask(g, n)) return number(g, 0);
  switch (sal_graph_operands(&node)) {
  case 0:
    return of_leaf(g, &node, by);
  case 1:
    if (node.op == SAL_PROGRAM_table) return of_table(g, &node, d[node.a]);
    return of_function(g, node.op, n, node.a, d[node.a]);
  case 2:
    return of_pair(g, &node, n, d[node.a], d[node.b]);
  default:
    return sal_algebra_pick(g, node.a, d[node.b], d[node.c]);
  }
}

void sal_derivative_take(sal_graph *graph, int by, int n, const int root[], int out[])
{
  const sal_graph part = sal_graph_part(graph, n, root);
  const int n_node = part.n;
  SAL_OWN bool *marked = sal_alloc((size_t)n_node, sizeof *marked);
  SAL_OWN int *d = sal_alloc((size_t)n_node, sizeof *d);

  if (!marked || !d) graph->full = true;
  if (!graph->full) sal_graph_reach(&part, n, root, marked);
  for (int i = 0; i < n_node && !graph->full; ++i) {
    const bool *next = memchr(marked + i, true, (size_t)(n_node - i));
    if (!next) break;
    i = (int)(next - marked);
    d[i] = of_node(graph, i, by, d);
  }
  for (int i = 0; i < n; ++i) out[i] = graph->full ? 0 : d[root[i]];
}
