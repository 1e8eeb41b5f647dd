/** @file src/run/rulebook.h
 *  Rules for one question about a sweep: a tree over its quantities that names one contender in
 *  each leaf, and what it costs to follow it instead of the map.
 *
 *  How far rules hold where nobody looked is measured by leaving cells out: the cells fall into
 *  folds by a hash of their number, and each fold is judged by rules fitted to the others.
 */
#ifndef SAL_RULEBOOK_H
#define SAL_RULEBOOK_H

#include "cuts.h"
#include "losses.h"

enum { SAL_N_FOLD = 5 };

/** What following an answer costs in n cells. */
typedef struct {
  int64_t n, missed;
  double  regret; /* mean loss where it does not miss; NaN when it misses everywhere */
  double  loss;   /* mean loss, misses at their price; NaN without cells */
} sal_following;

/** sal_rulebook_free frees it. */
typedef struct {
  sal_losses    losses;
  sal_cuts      cuts;
  sal_tree      tree;
  sal_following node[SAL_TREE_NODES];  /* of each node's own choice in its own cells */
  sal_following rules, single;         /* the tree; the best single contender (node 0) */
  sal_following rules_out, single_out; /* of cells left out; n = 0 when there are too few */
  int           n_winner;              /* contenders that are best somewhere */
} sal_rulebook;

/** limits->least 0: a hundredth of the cells.  When nobody answers anywhere, losses.n is 0 and the
 *  rest is empty.  Fails for want of memory, and when nothing varies in the sweep. */
SAL_MUST_CHECK sal_err sal_rulebook_make(const sal_atlas *atlas, const sal_question *question,
                                         double miss, const sal_tree_limits *limits,
                                         sal_rulebook *out);
void                   sal_rulebook_free(sal_rulebook *book);

#endif
