/** @file src/equations/expression_call.c
 *  Functions, and what they are made of where there is no such operation.
 */
#include "expression_token.h"
#include "text.h"
#include <math.h>
#include <string.h>

static int square(sal_graph *g, int a) { return sal_graph_make(g, SAL_PROGRAM_mul, a, a, 0); }

/* -1, 0 or 1: 0 and NaN are their own sign. */
static int sign_of(sal_graph *g, int a)
{
  const int zero = sal_graph_constant(g, 0), below = sal_graph_make(g, SAL_PROGRAM_lt, a, zero, 0),
            above = sal_graph_make(g, SAL_PROGRAM_gt, a, zero, 0);
  const int rest = sal_graph_make(g, SAL_PROGRAM_select, below, sal_graph_constant(g, -1), a);

  return sal_graph_make(g, SAL_PROGRAM_select, above, sal_graph_constant(g, 1), rest);
}

static int make_sign(sal_graph *g, sal_program_op op, int n, const int a[])
{
  (void)op, (void)n;
  return sign_of(g, a[0]);
}

static int make_hypot(sal_graph *g, sal_program_op op, int n, const int a[])
{
  (void)n;
  const int sum = sal_graph_make(g, SAL_PROGRAM_add, square(g, a[0]), square(g, a[1]), 0);
  return sal_graph_make(g, op, sum, 0, 0);
}

static int make_power(sal_graph *g, sal_program_op op, int n, const int a[])
{
  (void)op, (void)n;
  return sal_expression_power(g, a[0], a[1]);
}

/* An operation on one or two, or on the result and the next one. */
static int make_plain(sal_graph *g, sal_program_op op, int n, const int a[])
{
  int value = sal_graph_make(g, op, a[0], n > 1 ? a[1] : 0, 0);

  for (int i = 2; i < n; ++i) value = sal_graph_make(g, op, value, a[i], 0);
  return value;
}

static const struct {
  const char *name;
  int least, most;
  sal_program_op op;
  int (*make)(sal_graph *g, sal_program_op op, int n, const int a[]);
} functions[] = {
    {"sin", 1, 1, SAL_PROGRAM_sin, make_plain},
    {"cos", 1, 1, SAL_PROGRAM_cos, make_plain},
    {"tan", 1, 1, SAL_PROGRAM_tan, make_plain},
    {"asin", 1, 1, SAL_PROGRAM_asin, make_plain},
    {"acos", 1, 1, SAL_PROGRAM_acos, make_plain},
    {"atan", 1, 1, SAL_PROGRAM_atan, make_plain},
    {"atan2", 2, 2, SAL_PROGRAM_atan2, make_plain},
    {"sinh", 1, 1, SAL_PROGRAM_sinh, make_plain},
    {"cosh", 1, 1, SAL_PROGRAM_cosh, make_plain},
    {"tanh", 1, 1, SAL_PROGRAM_tanh, make_plain},
    {"exp", 1, 1, SAL_PROGRAM_exp, make_plain},
    {"log", 1, 1, SAL_PROGRAM_log, make_plain},
    {"sqrt", 1, 1, SAL_PROGRAM_sqrt, make_plain},
    {"abs", 1, 1, SAL_PROGRAM_abs, make_plain},
    {"sign", 1, 1, SAL_PROGRAM_select, make_sign},
    {"min", 2, SAL_EXPRESSION_OPERANDS, SAL_PROGRAM_min, make_plain},
    {"max", 2, SAL_EXPRESSION_OPERANDS, SAL_PROGRAM_max, make_plain},
    {"hypot", 2, 2, SAL_PROGRAM_sqrt, make_hypot},
    {"spacing", 1, 1, SAL_PROGRAM_spacing, make_plain},
    {"pow", 2, 2, SAL_PROGRAM_pow, make_power},
};
enum { N_FUNCTION = sizeof functions / sizeof *functions };

static int find(const char *name)
{
  int f = 0;

  while (f < N_FUNCTION && strcmp(functions[f].name, name) != 0) ++f;
  return f;
}

bool sal_expression_is_function(const char *name) { return find(name) < N_FUNCTION; }

int sal_expression_power(sal_graph *graph, int a, int b)
{
  const sal_graph_node *exponent = &graph->node[b];
  const double e = exponent->kind == SAL_GRAPH_CONSTANT ? exponent->value : NAN;
  int value = a;

  if (!(e >= 1 && e <= 8 && e == floor(e))) return sal_graph_make(graph, SAL_PROGRAM_pow, a, b, 0);
  for (int i = 1; i < (int)e; ++i) value = sal_graph_make(graph, SAL_PROGRAM_mul, value, a, 0);
  return value;
}

static sal_err fail_unknown(const sal_expression_reader *reader, const char *name)
{
  const char *names[N_FUNCTION + 1] = {NULL};

  for (int f = 0; f < N_FUNCTION; ++f) names[f] = functions[f].name;
  const char *nearest = sal_text_nearest(name, names);
  return sal_expression_fail(reader, "unknown function '%s'%s%s%s", name,
                             nearest ? "; did you mean '" : "", nearest ? nearest : "",
                             nearest ? "'?" : "");
}

sal_err sal_expression_function(const sal_expression_reader *reader, const char *name,
                                int *function)
{
  *function = find(name);
  return *function < N_FUNCTION ? SAL_OK : fail_unknown(reader, name);
}

sal_err sal_expression_call(const sal_expression_reader *reader, int function, int n,
                            const int operand[], int *value)
{
  const int least = functions[function].least, most = functions[function].most;

  if (n < least || n > most)
    return sal_expression_fail(reader, "%s takes %d%s operand%s, not %d", functions[function].name,
                               least, most > least ? " or more (up to 8)" : "",
                               sal_text_plural(least), n);
  *value = functions[function].make(reader->scope->graph, functions[function].op, n, operand);
  return SAL_OK;
}
