/** @file src/answers/cost_matrix.h
 *  What it costs to follow one answer everywhere: the loss of each contender in each cell, for one
 *  question.
 *
 *  By error: how much more work it does than the least that reaches the asked error there, as a
 *  share of that least work.  Not reaching it, which includes a failure, is a miss.  A miss has a
 *  price, in units of the least work, and no loss is larger: so missing never looks better than
 *  reaching, however cheap.
 *  By points: how many points of (36) it has less than the best one there.  A failure is a miss,
 * and costs as much as the fewest points there are, 9 for each unit of weight.
 *
 *  Losses are whole numbers, so that sums of them do not depend on their order.
 */
#ifndef SAL_COST_MATRIX_H
#define SAL_COST_MATRIX_H

#include "choose.h"

enum { SAL_COST_MISS = INT32_MAX }; /* nothing else is as large */

/** Of the cells in which somebody answers the question, and of the contenders that answer it
 *  anywhere; sal_cost_matrix_free frees it. */
typedef struct {
  int32_t   n;
  int32_t  *cell;   /* [n] ascending */
  int32_t  *winner; /* [n] contender that sal_choose puts first */
  int       n_choice;
  int      *contender; /* [n_choice] ascending */
  uint32_t *loss;      /* [n][n_choice] */
  double    miss;      /* what SAL_COST_MISS stands for: a share of work, or points */
} sal_cost_matrix;

/** miss: the price of a miss by error, above 0.  n is 0 when nobody answers anywhere.  Fails for
 *  want of memory. */
SAL_MUST_CHECK sal_err sal_cost_matrix_make(const sal_performance_table *table,
                                            const sal_question *question, double miss,
                                            sal_cost_matrix *out);
void                   sal_cost_matrix_free(sal_cost_matrix *costs);

#endif
