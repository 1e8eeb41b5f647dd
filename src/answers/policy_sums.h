/** @file src/answers/policy_sums.h
 *  Sums of costs from which policy_tree.c finds the best question: for each bin of each feature,
 *  and for each pair of bins of two features, the cost of each choice over the cases there.
 *
 *  With the sums over pairs every question about a second feature, on either side of every question
 *  about a first one, is answered by adding rows up: the costs of a case are read once for each
 *  pair of features, whatever the number of bins.
 */
#ifndef SAL_POLICY_SUMS_H
#define SAL_POLICY_SUMS_H

#include "err.h"
#include "policy_cases.h"
#include <stddef.h>

/** The bins of all features, numbered one feature after the other. */
typedef struct {
  const sal_policy_cases *cases; /* borrowed */
  int n;
  int first[SAL_MAX_FEATURE + 1]; /* number of bin 0 of each feature; n */
} sal_policy_bins;
sal_policy_bins sal_policy_bins_of(const sal_policy_cases *cases);

/** Of some of the cases; sal_policy_sums_free frees, also after a failure. */
typedef struct {
  int64_t *n;     /* [bins] cases */
  uint64_t *cost; /* [bins][n_choice] */
} sal_policy_sums;
/** False for want of memory. */
SAL_MUST_CHECK bool sal_policy_sums_create(const sal_policy_bins *bins, sal_policy_sums *out);
void sal_policy_sums_free(sal_policy_sums *sums);

void sal_policy_sums_clear(const sal_policy_bins *bins, sal_policy_sums *sums);
/** Adds a case, by all of its features. */
void sal_policy_sums_add_case(const sal_policy_bins *bins, int32_t row, sal_policy_sums *sums);
/** What is in `all` and not in `part`. */
void sal_policy_sums_subtract(const sal_policy_bins *bins, const sal_policy_sums *all,
                              const sal_policy_sums *part, sal_policy_sums *out);
/** Those of all parts in place of those of this one's cases. */
SAL_MUST_CHECK sal_err sal_policy_sums_share(const sal_policy_bins *bins, sal_policy_sums *sums);
/** Number of cases, and their cost by each choice, total [n_choice]. */
int64_t sal_policy_sums_total(const sal_policy_bins *bins, const sal_policy_sums *sums,
                              uint64_t total[]);

/** Over the cases that lie in two bins of different features; freed like sal_policy_sums. */
typedef struct {
  size_t row[SAL_MAX_FEATURE]; /* place of the first entry of each feature */
  size_t n_entry;
  sal_policy_sums entry; /* [n_entry] pairs: a bin with those of all later features, in order */
} sal_policy_pairs;
SAL_MUST_CHECK bool sal_policy_pairs_create(const sal_policy_bins *bins, sal_policy_pairs *out);
void sal_policy_pairs_free(sal_policy_pairs *pairs);

/** The sums of the cases row [n]; order [n] is room. */
void sal_policy_pairs_fill(const sal_policy_bins *bins, int64_t n, const int32_t row[],
                           int32_t order[], sal_policy_pairs *pairs);
/** As for sums of single bins. */
SAL_MUST_CHECK sal_err sal_policy_pairs_share(const sal_policy_bins *bins, sal_policy_pairs *pairs);
void sal_policy_pairs_subtract(const sal_policy_bins *bins, const sal_policy_pairs *all,
                               const sal_policy_pairs *part, sal_policy_pairs *out);
/** Adds to the sums of other features those of the cases in bin `bin` of a feature.  The sums of
 *  that feature itself are taken from `all`, the sums over all cases of the pairs. */
void sal_policy_pairs_add_bin(const sal_policy_bins *bins, const sal_policy_pairs *pairs,
                              const sal_policy_sums *all, int feature, int bin,
                              sal_policy_sums *sums);

#endif
