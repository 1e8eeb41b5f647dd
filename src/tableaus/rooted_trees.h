/** @file src/tableaus/rooted_trees.h
 *  Rooted trees and their elementary weights: a method is of order p where sum_i b_i Phi_i(tree) = 1 / density for
 *  all trees of up to p vertices.  Hairer, Norsett & Wanner, Solving ODEs I, II.2; Hairer & Wanner, II, IV.7.
 *
 *  A vertex with several sons multiplies sums over a_ij.  One with a single son takes a_ij in a Runge-Kutta method and
 *  a_ij + gamma_ij in a Rosenbrock method; in a W-method, whose matrix need not be a Jacobian, there are both a_ij
 *  and gamma_ij, and the condition of a tree with the latter is 0.
 */
#ifndef SAL_ROOTED_TREES_H
#define SAL_ROOTED_TREES_H

#include "coefficient.h"
#include "model.h"

typedef enum { SAL_TREES_RUNGE_KUTTA, SAL_TREES_ROSENBROCK, SAL_TREES_W } sal_trees_kind;

/** Highest order that is looked at, and how many trees there are to it: of a W-method to order 5 as well. */
enum { SAL_TREES_ORDER = 8, SAL_TREES_MOST = 200 };

typedef struct {
  int order, n_child;
  int child[SAL_TREES_ORDER]; /* numbers of trees, not rising */
  bool gamma;                 /* the only son hangs on gamma_ij */
  sal_exact target;           /* 1 / density; 0: see above */
  sal_exact weight[SAL_MAX_STAGE];
  /* of a son in a sum over a_ij, the same over what a single son takes, and over gamma_ij */
  sal_exact among[SAL_MAX_STAGE], single[SAL_MAX_STAGE], inexact[SAL_MAX_STAGE];
} sal_rooted_tree;

typedef struct {
  sal_trees_kind kind;
  int stages, n, most;
  sal_rooted_tree tree[SAL_TREES_MOST]; /* by order */
} sal_rooted_trees;

/** All trees of up to `most` vertices.  gamma: NULL for a Runge-Kutta method. */
void sal_rooted_trees_make(sal_rooted_trees *trees, sal_trees_kind kind, int stages,
                           const sal_exact a[][SAL_MAX_STAGE],
                           const sal_exact gamma[][SAL_MAX_STAGE], int most);

enum { SAL_TREES_TEXT = 160 };
/** The weight as a sum, "sum b_i c_i a_ij c_j". */
const char *sal_rooted_trees_say(const sal_rooted_trees *trees, int tree, const char *weights,
                                 char text[SAL_TREES_TEXT]);

#endif
