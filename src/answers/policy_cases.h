/** @file src/answers/policy_cases.h
 *  What a policy is fitted to: cases with the cost of each choice, in bins of features.
 */
#ifndef SAL_POLICY_CASES_H
#define SAL_POLICY_CASES_H

#include <stdbool.h>
#include <stdint.h>

enum {
  SAL_MAX_FEATURE = 64,
  SAL_FEATURE_BINS = 256 /* of all features together, as a guide for those who make them */
};

/** Cases by one feature.  bin [n] of sal_policy_cases. */
typedef struct {
  int n_bin; /* 1 .. 256 */
  bool word; /* bins are names: they have no order */
  const uint8_t *bin;
} sal_policy_feature;

typedef struct {
  int32_t n;
  int n_choice, n_feature;
  const uint32_t *cost;              /* [n][n_choice] */
  const sal_policy_feature *feature; /* [n_feature] */
} sal_policy_cases;

#endif
