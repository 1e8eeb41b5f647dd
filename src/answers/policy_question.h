/** @file src/answers/policy_question.h
 *  The best question about the cases of a node, from their sums (policy_sums.h).
 */
#ifndef SAL_POLICY_QUESTION_H
#define SAL_POLICY_QUESTION_H

#include "policy_sums.h"

/** A question, and the cost of the best tree that begins with it: costs and prices of the leaves. */
typedef struct {
  uint64_t cost;
  int feature, bin; /* feature -1: a leaf */
} sal_policy_question;

/** What it is found with; sal_policy_search_free frees, also after a failure. */
typedef struct {
  const sal_policy_bins *bins; /* borrowed */
  uint64_t *total;             /* [2][n_choice] */
  sal_policy_sums yes, no;
} sal_policy_search;
/** False for want of memory. */
SAL_MUST_CHECK bool sal_policy_search_create(const sal_policy_bins *bins, sal_policy_search *out);
void sal_policy_search_free(sal_policy_search *search);

/** What trees must keep to: cases in a leaf, and its price. */
typedef struct {
  int64_t least;
  uint64_t price;
} sal_policy_leaves;

/** Number of cases, and the choice of least cost, of equals the first one. */
int64_t sal_policy_search_leaf(sal_policy_search *search, const sal_policy_sums *sums, int *choice,
                               uint64_t *cost);
/** That of the best tree of depth 1: a leaf, or one question. */
sal_policy_question sal_policy_search_once(sal_policy_search *search,
                                           const sal_policy_leaves *leaves,
                                           const sal_policy_sums *sums);
/** The first one of the best tree of depth 2, if that costs less than `best`; `best` otherwise.  n: cases of the sums. */
sal_policy_question sal_policy_search_twice(sal_policy_search *search,
                                            const sal_policy_leaves *leaves, int64_t n,
                                            const sal_policy_sums *sums,
                                            const sal_policy_pairs *pairs,
                                            sal_policy_question best);

#endif
