/** Sums and products of nodes in which a plain 0 or 1 is not written down.
 *
 *  They are for expressions that the program makes, derivatives and equations of motion; expressions of a text stay
 *  as they are there.
 */
#pragma once

#include "graph.h"

int sal_algebra_add(sal_graph *graph, int a, int b);
int sal_algebra_sub(sal_graph *graph, int a, int b);
int sal_algebra_mul(sal_graph *graph, int a, int b);
int sal_algebra_div(sal_graph *graph, int a, int b);
int sal_algebra_neg(sal_graph *graph, int a);
/** a where the mask is set, else b. */
int sal_algebra_pick(sal_graph *graph, int mask, int a, int b);
/** Conditions, true or false in each lane. */
int sal_algebra_and(sal_graph *graph, int a, int b);
int sal_algebra_or(sal_graph *graph, int a, int b);
int sal_algebra_not(sal_graph *graph, int a);
int sal_algebra_true(sal_graph *graph);
int sal_algebra_false(sal_graph *graph);
/** a where the mask is set, else b, of conditions. */
int sal_algebra_pick_mask(sal_graph *graph, int mask, int a, int b);

/** The roots [n_root] anew, with nodes from [n] replaced by to [n] wherever they occur: out [n_root]. */
void sal_algebra_replace(sal_graph *graph, int n, const int from[], const int to[], int n_root,
                         const int root[], int out[]);

/** X [n_right][n]: solutions of M x = B [n_right][n] for a symmetric positive definite M, by L D L'
 *  written out; pivots [n] are D, NULL: they are not asked for. */
enum { SAL_ALGEBRA_MOST = 8 };
typedef int sal_algebra_matrix[SAL_ALGEBRA_MOST][SAL_ALGEBRA_MOST];
void sal_algebra_solve_symmetric(sal_graph *graph, int n, const sal_algebra_matrix M, int n_right,
                                 int B[][SAL_ALGEBRA_MOST], int pivots[]);
/** The same for any A [n][n], b [n] and by elimination in the order of the rows.  A row that depends on earlier
 *  rows, so that its pivot is less than 1e-12 of its diagonal, has the solution 0; returns the mask: there is one. */
int sal_algebra_solve_rows(sal_graph *graph, int n, sal_algebra_matrix A, int b[]);
