/** @file src/answers/policy.h
 *  A policy for one question about a sweep: a policy tree over its quantities that names one
 *  contender in each leaf, and what it costs to follow it instead of the map.
 *
 *  Cross-validation measures how far the rules hold in cells that they were not fitted to: the
 *  cells fall into folds by a hash of their number, and each fold is evaluated with rules fitted to
 *  the others.
 */
#ifndef SAL_POLICY_H
#define SAL_POLICY_H

#include "binning.h"
#include "cost_matrix.h"

enum { SAL_N_FOLD = SAL_POLICY_FOLDS, SAL_POLICY_NEXT = 2 };

/** What following an answer costs in n cells. */
typedef struct {
  int64_t n, missed;
  double regret;  /* mean cost where it does not miss; NaN when it misses everywhere */
  double cost;    /* mean cost, misses at their price; NaN without cells */
  double missing; /* by the reader: mean probability of a miss; else missed / n */
} sal_policy_cost;

/** sal_policy_free frees it. */
typedef struct {
  sal_cost_matrix costs; /* of this part of the cells .. */
  sal_binning binning;
  int64_t asked,
      answered; /* .. and of all: how many, and those in which some contender answers; the rest is of all, too */
  sal_policy_tree tree;
  sal_policy_cost node[SAL_POLICY_TREE_NODES]; /* of each node's own choice in its own cells */
  /* By the reader, of leaves and of node 0: what to try after a miss of the choice, and after that; a choice, -1: none
   * that misses less often.  Of the surer ones it has the least mean cost over the cells, each weighted by how likely
   * the try before it misses there. */
  int next[SAL_POLICY_TREE_NODES][SAL_POLICY_NEXT];
  sal_policy_cost rules, single;         /* the tree; the single best contender (node 0) */
  sal_policy_cost rules_out, single_out; /* of cells left out; n = 0 when there are too few */
  int n_winner;                          /* contenders that are best in some cell */
} sal_policy;

/** limits->least 0: a hundredth of the cells.  When no contender answers in any cell, `answered` is 0
 *  and the rest is empty.  Fails for want of memory, and when nothing varies in the sweep. */
SAL_MUST_CHECK sal_err sal_policy_make(const sal_performance_table *table,
                                       const sal_question *question, double miss,
                                       const sal_policy_tree_limits *limits, sal_policy *out);
/** The same from costs, which it takes over, also after a failure; edges: sal_binning_edges of the sweep.  parts: the costs are
 *  those of a part of the cells, with the same contenders in all parts; NULL: of all. */
SAL_MUST_CHECK sal_err sal_policy_of_costs(const sal_sweep *sweep, const sal_binning *edges,
                                           const sal_cost_matrix *costs,
                                           const sal_policy_tree_limits *limits,
                                           const sal_policy_parts *parts, sal_policy *out);
void sal_policy_free(sal_policy *policy);

/** Does the tree cost less than the single contender in cells that neither was fitted to?  False where
 *  there are too few cells to tell, or where the tree is a single answer itself. */
bool sal_policy_pays(const sal_policy *policy);

#endif
