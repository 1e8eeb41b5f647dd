/** Expressions as a graph: each value once, after its operands.
 *
 *  A node is a number, a quantity of a model, or an operation on nodes made earlier, so
 *  that a walk from the first to the last one reaches operands before their operations.  Equal
 *  expressions are one node.  Nothing is reordered: only operations on numbers of the text
 *  are carried out at once, where IEEE 754 determines the result.
 */
#pragma once

#include "program.h"

typedef enum {
  SAL_GRAPH_CONSTANT,
  SAL_GRAPH_WORD,     /* parameter, option or constant of a run, by its number */
  SAL_GRAPH_STATE,    /* continuous one */
  SAL_GRAPH_DISCRETE, /* state */
  SAL_GRAPH_TIME,
  SAL_GRAPH_SLOPE, /* dy of a state: continuous ones, and in derivatives of jumps the others and the time */
  SAL_GRAPH_OPERATION
} sal_graph_kind;

/** An operation has its operands in a, b, c: nodes, but for the contact's number, which is b of
 *  `closed` and a of `held`; b of `table` is what program_ops.def has there.  Other kinds have their number in a, a constant its value. */
typedef struct {
  sal_graph_kind kind;
  sal_program_op op;
  int a, b, c;
  double value;
} sal_graph_node;

enum { SAL_GRAPH_NODES = 1 << 18 };

/** All zero is an empty one. */
typedef struct {
  sal_graph_node *node;
  int n;
  int64_t room;
  int *slot; /* of the table by value: 1 + node, 0: free */
  int n_slot;
  bool full; /* more than SAL_GRAPH_NODES were needed, or memory ran out: nodes are wrong */
} sal_graph;

void sal_graph_free(sal_graph *graph);

/** The node of a number / of a quantity / of an operation.  They never fail: see sal_graph.full. */
int sal_graph_constant(sal_graph *graph, double value);
int sal_graph_quantity(sal_graph *graph, sal_graph_kind kind, int number);
int sal_graph_make(sal_graph *graph, sal_program_op op, int a, int b, int c);

/** How many of a, b, c are nodes. */
int sal_graph_operands(const sal_graph_node *node);
/** Is it a condition, true or false in each lane, and not a number? */
bool sal_graph_is_mask(const sal_graph *graph, int node);
/** Is it this very number? */
bool sal_graph_is(const sal_graph *graph, int node, double value);

/** The graph as far as the last root: nodes after it bear on none of them.  Not to be freed, nor added to. */
sal_graph sal_graph_part(const sal_graph *graph, int n_root, const int root[]);
/** The last node before this one that is marked; -1: none.  Few of many nodes are, so several are passed at once. */
int sal_graph_last(const bool marked[], int before);
/** Marks what the roots are made of, themselves included: marked [graph->n], which is cleared first. */
void sal_graph_reach(const sal_graph *graph, int n_root, const int root[], bool marked[]);
