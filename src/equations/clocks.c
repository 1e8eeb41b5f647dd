/** When a quantity passes 0, and what is true after that. */
#include "clocks.h"
#include "algebra.h"
#include "base.h"
#include "derivative.h"

enum { ON_TIME = 1, ON_CLOCKS = 2, ON_STATES = 4 };

static int make(sal_graph *g, sal_program_op op, int a, int b)
{
  return sal_graph_make(g, op, a, b, 0);
}
static int number(sal_graph *g, double x) { return sal_graph_constant(g, x); }
static int time_of(sal_graph *g) { return sal_graph_quantity(g, SAL_GRAPH_TIME, 0); }
static int clock_of(sal_graph *g) { return make(g, SAL_PROGRAM_clock, time_of(g), 0); }

static int needs_of(const sal_graph_node *n)
{
  switch (n->kind) {
  case SAL_GRAPH_TIME:
    return ON_TIME;
  case SAL_GRAPH_CONSTANT:
  case SAL_GRAPH_WORD:
    return 0;
  case SAL_GRAPH_OPERATION:
    if (n->op == SAL_PROGRAM_clock) return ON_CLOCKS;
    return n->op == SAL_PROGRAM_closed || sal_graph_operands(n) == 0 ? ON_STATES : 0;
  default:
    return ON_STATES;
  }
}

/* The kinds of quantities that a node is made of. */
static int needs(sal_graph *g, int root)
{
  SAL_OWN bool *marked = sal_alloc((size_t)root + 1, sizeof *marked);
  int found = 0;

  if (!marked) {
    g->full = true;
    return ON_STATES;
  }
  marked[root] = true;
  for (int i = root; i >= 0; --i) {
    const sal_graph_node *n = &g->node[i];
    const int operand[] = {n->a, n->b, n->c}, own = marked[i] ? needs_of(n) : 0;
    found |= own;
    for (int k = 0; marked[i] && !own && k < sal_graph_operands(n); ++k) marked[operand[k]] = true;
  }
  return found;
}

bool sal_clocks_runs(sal_graph *g, int node)
{
  int rate;

  if (!(needs(g, node) & ON_TIME) || needs(g, node) & ON_STATES) return false;
  sal_derivative_take(g, SAL_DERIVATIVE_TIME, 1, &node, &rate);
  return sal_graph_is(g, rate, 1) || sal_graph_is(g, rate, -1);
}

bool sal_clocks_is_fixed(sal_graph *g, int node) { return needs(g, node) == 0; }

/** When a quantity is 0; at t = 0 it is `offset`, and it grows at `rate`. */
typedef struct {
  int root, offset, rate;
} passage;

/* The passage of a - b; false: it does not depend on t so. */
static bool find_passage(sal_graph *g, int a, int b, passage *p)
{
  const int from[] = {time_of(g), clock_of(g)}, to[] = {number(g, 0), from[1]};

  if (g->full) return false;
  const int of_a = needs(g, a), of_b = needs(g, b);
  if (!((of_a | of_b) & ON_TIME) || (of_a | of_b) & ON_STATES) return false;
  const int u = sal_algebra_sub(g, a, b);
  sal_derivative_take(g, SAL_DERIVATIVE_TIME, 1, &u, &p->rate);
  if (g->full || needs(g, p->rate) & ~ON_CLOCKS || sal_graph_is(g, p->rate, 0)) return false;
  sal_algebra_replace(g, 2, from, to, 1, &u, &p->offset);
  p->root = sal_algebra_div(g, sal_algebra_neg(g, p->offset), p->rate);
  return !g->full;
}

/* `node` changes next at `at`, made of numbers of that size. */
static int note_stop(sal_scope *s, int node, int at, int size)
{
  for (int i = 0; i < s->n_stop; ++i)
    if (s->stop[i].node == node) return node;
  if (s->n_stop < SAL_SCOPE_STOPS) s->stop[s->n_stop] = (sal_scope_stop){node, at, size};
  s->n_stop += s->n_stop <= SAL_SCOPE_STOPS;
  return node;
}

/* True after the passage, or ahead of it. */
static int side(sal_scope *s, const passage *p, bool after)
{
  const sal_program_op op = after ? SAL_PROGRAM_ge : SAL_PROGRAM_lt;

  return note_stop(s, make(s->graph, op, clock_of(s->graph), p->root), p->root,
                   number(s->graph, 0));
}

int sal_clocks_compare(sal_scope *s, sal_program_op op, int a, int b)
{
  const bool above = op == SAL_PROGRAM_gt || op == SAL_PROGRAM_ge;
  sal_graph *g = s->graph;
  const int zero = number(g, 0);
  passage p;

  if (!find_passage(g, a, b, &p)) return make(g, op, a, b);
  if (op == SAL_PROGRAM_eq) return sal_algebra_false(g); /* they are equal at an instant */
  if (op == SAL_PROGRAM_ne) return sal_algebra_true(g);
  if (g->node[p.rate].kind == SAL_GRAPH_CONSTANT)
    return side(s, &p, above == (g->node[p.rate].value > 0));
  const int rises = make(g, SAL_PROGRAM_gt, p.rate, zero),
            falls = make(g, SAL_PROGRAM_lt, p.rate, zero);
  const int moves = make(g, SAL_PROGRAM_or, make(g, SAL_PROGRAM_and, rises, side(s, &p, above)),
                         make(g, SAL_PROGRAM_and, falls, side(s, &p, !above)));
  const int still = make(g, SAL_PROGRAM_not, make(g, SAL_PROGRAM_or, rises, falls), 0);

  return make(g, SAL_PROGRAM_or, moves,
              make(g, SAL_PROGRAM_and, still, make(g, op, p.offset, zero)));
}

int sal_clocks_bend(sal_scope *s, sal_program_op op, int a, int b)
{
  sal_graph *g = s->graph;
  const bool abs = op == SAL_PROGRAM_abs, least = op == SAL_PROGRAM_min;
  const int other = abs ? number(g, 0) : b;
  passage p;

  if (!find_passage(g, a, other, &p)) return make(g, op, a, abs ? 0 : b);
  const int mask = least ? sal_clocks_compare(s, SAL_PROGRAM_lt, b, a)
                         : sal_clocks_compare(s, SAL_PROGRAM_lt, a, other);
  return sal_graph_make(g, SAL_PROGRAM_select, mask, abs ? make(g, SAL_PROGRAM_neg, a, 0) : b, a);
}

int sal_clocks_floor(sal_scope *s, int x, int y)
{
  sal_graph *g = s->graph;
  const sal_graph_node n = g->node[x];
  const int zero = number(g, 0), one = number(g, 1);
  passage p;

  if (y == one && n.kind == SAL_GRAPH_OPERATION && n.op == SAL_PROGRAM_div && !needs(g, n.b))
    return sal_clocks_floor(s, n.a, n.b);
  if (needs(g, y) || !find_passage(g, x, zero, &p))
    return make(g, SAL_PROGRAM_floor, y == one ? x : make(g, SAL_PROGRAM_div, x, y), 0);
  const int step = sal_graph_is(g, p.rate, 1) ? y : sal_algebra_div(g, y, p.rate);
  const int since = sal_algebra_sub(g, clock_of(g), p.root);
  const int count = make(g, SAL_PROGRAM_floor, make(g, SAL_PROGRAM_div, since, step), 0);
  const int up = make(g, SAL_PROGRAM_gt, step, zero);
  const int ahead = sal_graph_make(g, SAL_PROGRAM_select, up, one, zero);
  const int next = make(g, SAL_PROGRAM_mul, step, make(g, SAL_PROGRAM_add, count, ahead));
  const int size = make(g, SAL_PROGRAM_add, make(g, SAL_PROGRAM_abs, p.root, 0),
                        make(g, SAL_PROGRAM_abs, step, 0));

  note_stop(s, count, sal_algebra_add(g, next, p.root), size);
  if (g->node[p.rate].kind == SAL_GRAPH_CONSTANT) return count;
  return sal_graph_make(g, SAL_PROGRAM_select, make(g, SAL_PROGRAM_eq, p.rate, zero),
                        make(g, SAL_PROGRAM_floor, make(g, SAL_PROGRAM_div, p.offset, y), 0),
                        count);
}

int sal_clocks_modulo(sal_scope *s, int x, int y)
{
  sal_graph *g = s->graph;

  return make(g, SAL_PROGRAM_sub, x, make(g, SAL_PROGRAM_mul, y, sal_clocks_floor(s, x, y)));
}

int sal_clocks_every(sal_scope *s, int T)
{
  sal_graph *g = s->graph;
  const int t = time_of(g),
            turns = make(g, SAL_PROGRAM_add, sal_clocks_floor(s, t, T), number(g, 2));
  const int gap = make(g, SAL_PROGRAM_sub, make(g, SAL_PROGRAM_mul, T, turns), t);

  if (g->node[T].kind == SAL_GRAPH_CONSTANT) return gap;
  return sal_graph_make(g, SAL_PROGRAM_select, make(g, SAL_PROGRAM_gt, T, number(g, 0)), gap,
                        make(g, SAL_PROGRAM_mul, T, number(g, NAN)));
}

bool sal_clocks_drives(sal_graph *g, int n_root, const int root[])
{
  SAL_OWN bool *marked = sal_alloc((size_t)g->n, sizeof *marked);
  const int n = g->n, t = time_of(g);

  if (!marked || t >= n) return !marked;
  sal_graph_reach(g, n_root, root, marked);
  return marked[t];
}

int sal_clocks_stops(const sal_scope *s, int n_root, const int root[], int out[])
{
  SAL_OWN bool *marked = sal_alloc((size_t)s->graph->n, sizeof *marked);
  int size[SAL_SCOPE_STOPS], n = 0;

  if (!marked || s->n_stop > SAL_SCOPE_STOPS) return SAL_SCOPE_STOPS + 1;
  sal_graph_reach(s->graph, n_root, root, marked);
  for (int i = 0; i < s->n_stop; ++i)
    if (marked[s->stop[i].node]) out[n] = s->stop[i].at, size[n++] = s->stop[i].size;
  for (int i = 0; i < n; ++i) out[n + i] = size[i];
  return n;
}
