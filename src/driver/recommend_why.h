/** @file src/driver/recommend_why.h
 *  Why an answer is what it is: what the cells around the point have counted.
 */
#ifndef SAL_RECOMMEND_WHY_H
#define SAL_RECOMMEND_WHY_H

#include "recommend_point.h"
#include "why.h"

/** The best answer of another solver. */
typedef struct {
  int method;                       /* of the sweep */
  const sal_surrogate_choice *best; /* of the advice; NULL: it does not reach the error there */
  bool counted;                     /* there are counts of both, and so a cause */
  sal_why why;
} sal_recommend_rival;

typedef struct {
  double stiffness_ratio, fastest_rate, events; /* at the point, by planes; NaN: not known */
  int n_rival;
  sal_recommend_rival rival[SAL_MAX_LIST]; /* those that may win but for the best, cheapest first */
} sal_recommend_why;

/** For advice that has an answer, from the file of its cube; before its surrogate is asked anything else. */
SAL_MUST_CHECK sal_err sal_recommend_why_find(const sal_recommend_point *advice,
                                              sal_recommend_why *why);

#endif
