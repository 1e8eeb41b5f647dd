/** @file src/answers/policy_tree.h
 *  A policy tree: a small decision tree that says which choice to make in which case, so that the
 *  choices cost least in sum.
 *
 *  A case has a cost for each choice, and lies in one bin of each feature.  A node asks one
 *  question about one feature: is the bin below a given one, or, of words, is it this one?  A leaf
 *  makes one choice for all its cases.  Trees of this kind, fitted to costs instead of labels, are
 *  the policies of Athey and Wager, "Policy learning with observational data", Econometrica 89
 *  (2021); Sverdrup, Kanodia, Zhou, Athey and Wager, "policytree: Policy learning via doubly robust
 *  empirical welfare maximization over trees", J. Open Source Softw. 5 (2020), describe the search.
 *
 *  The objective is the sum of the costs of all cases and a price for each leaf.  Up to depth 2 the
 *  search is exact: no tree that asks questions of this kind and keeps to the limits has a smaller
 *  sum.  Deeper trees are hybrid, as in policytree: they are grown from the root, and each node
 *  asks the first question of the exact tree of depth 2 for its cases.  A pair of questions that
 *  helps only together is found, three of them need not be.
 *
 *  Costs are whole numbers: their sums are exact, and the tree is the same for any order of the
 *  cases.  Of equal trees the one with the earlier feature, bin and choice is taken.
 */
#ifndef SAL_POLICY_TREE_H
#define SAL_POLICY_TREE_H

#include "err.h"
#include "policy_cases.h"
#include <stdint.h>

enum { SAL_POLICY_TREE_DEPTH = 4, SAL_POLICY_TREE_NODES = (2 << SAL_POLICY_TREE_DEPTH) - 1 };

typedef struct {
  int depth;     /* questions from root to leaf, 0 .. SAL_POLICY_TREE_DEPTH */
  int64_t least; /* cases in a leaf */
  double price;  /* of a leaf: share of what the best single choice costs in all cases */
} sal_policy_tree_limits;

typedef struct {
  int depth;
  int feature;   /* -1: a leaf */
  int bin;       /* "yes" when the case's bin is below this one, of words: when it is this one */
  int yes, no;   /* numbers of nodes */
  int choice;    /* with the least cost in the cases of the node */
  int64_t n;     /* cases */
  uint64_t cost; /* of the choice, summed over them */
} sal_policy_tree_node;

/** Node 0 is the root; a node stands before those below it. */
typedef struct {
  int n;
  sal_policy_tree_node node[SAL_POLICY_TREE_NODES];
} sal_policy_tree;

/** Fits a tree to all cases.  Where the cases are in parts all have the same tree.  Fails for want of memory. */
SAL_MUST_CHECK sal_err sal_policy_tree_fit(const sal_policy_cases *cases,
                                           const sal_policy_tree_limits *limits,
                                           sal_policy_tree *out);

enum { SAL_POLICY_FOLDS = 5 };
/** Folds of the cases: of [cases->n] 0 .. n - 1; n is SAL_POLICY_FOLDS at most. */
typedef struct {
  int n;
  const uint8_t *of;
} sal_policy_folds;

/** Fits tree 0 to all cases, and tree 1 + f to those outside of fold f: limits, out [1 + folds->n]; all limits have the same
 *  depth.  A tree without cases has a root without any. */
SAL_MUST_CHECK sal_err sal_policy_tree_fit_folds(const sal_policy_cases *cases,
                                                 const sal_policy_folds *folds,
                                                 const sal_policy_tree_limits limits[],
                                                 sal_policy_tree out[]);

/** The leaf of a case. */
int sal_policy_tree_leaf(const sal_policy_tree *tree, const sal_policy_cases *cases, int32_t row);

/** Nodes in the order in which they are read: each before its `yes` part, then its `no` part;
 *  order [tree->n]. */
void sal_policy_tree_order(const sal_policy_tree *tree, int order[]);

#endif
