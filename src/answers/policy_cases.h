/** @file src/answers/policy_cases.h
 *  What a policy is fitted to: cases with the cost of each choice, in bins of features.
 */
#ifndef SAL_POLICY_CASES_H
#define SAL_POLICY_CASES_H

#include "err.h"
#include <stdbool.h>
#include <stdint.h>

enum {
  SAL_MAX_FEATURE = 64,
  SAL_FEATURE_BINS = 256 /* of all features together, as a guide for those who make them */
};

/** Processes that have a part of the cases each, and fit to all of them: both functions are called by all, in the same order.
 *  NULL in place of it: all cases are here. */
typedef struct {
  sal_err (*add)(void *with, int64_t n, uint64_t sum[]); /* sum [n] becomes that of all parts */
  sal_err (*agree)(void *with, sal_err here);            /* the failure of one is that of all */
  void *with;
} sal_policy_parts;

static inline sal_err sal_policy_parts_add(const sal_policy_parts *parts, int64_t n, uint64_t sum[])
{
  return parts ? parts->add(parts->with, n, sum) : SAL_OK;
}
static inline sal_err sal_policy_parts_agree(const sal_policy_parts *parts, sal_err here)
{
  return parts ? parts->agree(parts->with, here) : here;
}

/** Cases by one feature.  bin [n] of sal_policy_cases. */
typedef struct {
  int n_bin; /* 1 .. 256 */
  bool word; /* bins are names: they have no order */
  const uint8_t *bin;
} sal_policy_feature;

/** Does the case lie below bin `bin` of a feature or, of words, in it? */
static inline bool sal_policy_feature_says_yes(const sal_policy_feature *feature, int bin,
                                               int32_t row)
{
  return feature->word ? feature->bin[row] == bin : feature->bin[row] < bin;
}

typedef struct {
  int32_t n;
  int n_choice, n_feature;
  const uint32_t *cost;              /* [n][n_choice] */
  const sal_policy_feature *feature; /* [n_feature] */
  const sal_policy_parts *parts;     /* or NULL */
} sal_policy_cases;

#endif
