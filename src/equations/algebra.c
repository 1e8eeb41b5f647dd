/** Operations that drop zeros, and the solution of small systems, written out. */
#include "algebra.h"
#include "base.h"

static int make(sal_graph *g, sal_program_op op, int a, int b)
{
  return sal_graph_make(g, op, a, b, 0);
}

int sal_algebra_neg(sal_graph *g, int a)
{
  const sal_graph_node *node = &g->node[a];

  if (sal_graph_is(g, a, 0)) return a;
  if (node->kind == SAL_GRAPH_OPERATION && node->op == SAL_PROGRAM_neg) return node->a;
  return make(g, SAL_PROGRAM_neg, a, 0);
}

int sal_algebra_add(sal_graph *g, int a, int b)
{
  if (sal_graph_is(g, a, 0)) return b;
  return sal_graph_is(g, b, 0) ? a : make(g, SAL_PROGRAM_add, a, b);
}

int sal_algebra_sub(sal_graph *g, int a, int b)
{
  if (sal_graph_is(g, a, 0)) return sal_algebra_neg(g, b);
  return sal_graph_is(g, b, 0) ? a : make(g, SAL_PROGRAM_sub, a, b);
}

int sal_algebra_mul(sal_graph *g, int a, int b)
{
  if (sal_graph_is(g, a, 0) || sal_graph_is(g, b, 1)) return a;
  if (sal_graph_is(g, b, 0) || sal_graph_is(g, a, 1)) return b;
  return make(g, SAL_PROGRAM_mul, a, b);
}

int sal_algebra_div(sal_graph *g, int a, int b)
{
  return sal_graph_is(g, a, 0) ? a : make(g, SAL_PROGRAM_div, a, b);
}

int sal_algebra_pick(sal_graph *g, int mask, int a, int b)
{
  if (a == b || mask == sal_algebra_true(g)) return a;
  return mask == sal_algebra_false(g) ? b : sal_graph_make(g, SAL_PROGRAM_select, mask, a, b);
}

int sal_algebra_true(sal_graph *g)
{
  const int zero = sal_graph_constant(g, 0);

  return make(g, SAL_PROGRAM_eq, zero, zero);
}

int sal_algebra_false(sal_graph *g) { return make(g, SAL_PROGRAM_not, sal_algebra_true(g), 0); }

int sal_algebra_and(sal_graph *g, int a, int b)
{
  const int yes = sal_algebra_true(g), no = sal_algebra_false(g);

  if (a == b || b == yes || a == no) return a;
  return a == yes || b == no ? b : make(g, SAL_PROGRAM_and, a, b);
}

int sal_algebra_or(sal_graph *g, int a, int b)
{
  const int yes = sal_algebra_true(g), no = sal_algebra_false(g);

  if (a == b || b == no || a == yes) return a;
  return a == no || b == yes ? b : make(g, SAL_PROGRAM_or, a, b);
}

int sal_algebra_not(sal_graph *g, int a)
{
  if (a == sal_algebra_true(g)) return sal_algebra_false(g);
  return a == sal_algebra_false(g) ? sal_algebra_true(g) : make(g, SAL_PROGRAM_not, a, 0);
}

int sal_algebra_pick_mask(sal_graph *g, int mask, int a, int b)
{
  if (a == b) return a;
  return sal_algebra_or(g, sal_algebra_and(g, mask, a),
                        sal_algebra_and(g, sal_algebra_not(g, mask), b));
}

/* A node with other operands. */
static int rebuild(sal_graph *g, int n, const int now[])
{
  const sal_graph_node node = g->node[n]; /* the array moves as the graph grows */
  const int operands = sal_graph_operands(&node);
  const int a = operands > 0 ? now[node.a] : node.a, b = operands > 1 ? now[node.b] : node.b,
            c = operands > 2 ? now[node.c] : node.c;

  if (operands == 0 || (a == node.a && b == node.b && c == node.c)) return n;
  return sal_graph_make(g, node.op, a, b, c);
}

void sal_algebra_replace(sal_graph *g, int n, const int from[], const int to[], int n_root,
                         const int root[], int out[])
{
  const int n_node = g->n;
  SAL_OWN bool *marked = sal_alloc((size_t)n_node, sizeof *marked);
  SAL_OWN int *now = sal_alloc((size_t)n_node, sizeof *now);
  SAL_OWN int *given = sal_alloc((size_t)n_node, sizeof *given);

  if (!marked || !now || !given) g->full = true;
  if (!g->full) sal_graph_reach(g, n_root, root, marked);
  for (int i = 0; i < n && !g->full; ++i) given[from[i]] = 1 + to[i];
  for (int i = 0; i < n_node && !g->full; ++i)
    if (marked[i]) now[i] = given[i] ? given[i] - 1 : rebuild(g, i, now);
  for (int i = 0; i < n_root; ++i) out[i] = g->full ? 0 : now[root[i]];
}

static int less_product(sal_graph *g, int sum, int a, int b)
{
  return sal_algebra_sub(g, sum, sal_algebra_mul(g, a, b));
}

/* M = L D L' with ones on the diagonal of L, of which the lower half is set. */
static void factor(sal_graph *g, int n, const sal_algebra_matrix M, sal_algebra_matrix L, int D[])
{
  sal_algebra_matrix scaled; /* L D */

  for (int j = 0; j < n; ++j) {
    D[j] = M[j][j];
    for (int k = 0; k < j; ++k) D[j] = less_product(g, D[j], L[j][k], scaled[j][k]);
    for (int i = j + 1; i < n; ++i) {
      scaled[i][j] = M[i][j];
      for (int k = 0; k < j; ++k)
        scaled[i][j] = less_product(g, scaled[i][j], scaled[i][k], L[j][k]);
      L[i][j] = sal_algebra_div(g, scaled[i][j], D[j]);
    }
  }
}

void sal_algebra_solve_symmetric(sal_graph *g, int n, const sal_algebra_matrix M, int n_right,
                                 int B[][SAL_ALGEBRA_MOST], int pivots[])
{
  sal_algebra_matrix L;
  int D[SAL_ALGEBRA_MOST];

  factor(g, n, M, L, D);
  for (int r = 0; r < n_right; ++r) {
    int *x = B[r];
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < i; ++k) x[i] = less_product(g, x[i], L[i][k], x[k]);
    for (int i = 0; i < n; ++i) x[i] = sal_algebra_div(g, x[i], D[i]);
    for (int i = n - 1; i >= 0; --i)
      for (int k = i + 1; k < n; ++k) x[i] = less_product(g, x[i], L[k][i], x[k]);
  }
  for (int i = 0; i < n && pivots; ++i) pivots[i] = D[i];
}

/* A pivot, infinite where rounding is all that is left of it: what is divided by it is 0. */
static int make_pivot(sal_graph *g, int left, int diagonal)
{
  const int least = sal_algebra_mul(g, sal_graph_constant(g, 1e-12),
                                    sal_graph_make(g, SAL_PROGRAM_abs, diagonal, 0, 0));
  const int size = sal_graph_make(g, SAL_PROGRAM_abs, left, 0, 0);

  if (g->node[left].kind == SAL_GRAPH_CONSTANT) return left;
  return sal_algebra_pick(g, make(g, SAL_PROGRAM_gt, size, least), left,
                          sal_graph_constant(g, INFINITY));
}

int sal_algebra_solve_rows(sal_graph *g, int n, sal_algebra_matrix A, int b[])
{
  const int infinite = sal_graph_constant(g, INFINITY);
  int diagonal[SAL_ALGEBRA_MOST], redundant = sal_algebra_false(g);

  for (int i = 0; i < n; ++i) diagonal[i] = A[i][i];
  for (int i = 0; i < n; ++i) {
    A[i][i] = make_pivot(g, A[i][i], diagonal[i]);
    redundant = sal_algebra_or(g, redundant, make(g, SAL_PROGRAM_eq, A[i][i], infinite));
    for (int k = i + 1; k < n; ++k) {
      const int share = sal_algebra_div(g, A[k][i], A[i][i]);
      for (int j = i + 1; j < n; ++j) A[k][j] = less_product(g, A[k][j], share, A[i][j]);
      b[k] = less_product(g, b[k], share, b[i]);
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] = less_product(g, b[i], A[i][j], b[j]);
    b[i] = sal_algebra_div(g, b[i], A[i][i]);
  }
  return redundant;
}
