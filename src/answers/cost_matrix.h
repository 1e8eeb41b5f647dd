/** @file src/answers/cost_matrix.h
 *  What it costs to follow one answer everywhere: the cost of each contender in each cell, for one
 *  question.
 *
 *  By error the cost is the work beyond the least that reaches the asked error in the cell, as a
 *  share of that least work.  Not reaching the error, which includes a failure, is a miss.  A miss
 *  has a price in units of the least work, and no cost is larger, so that missing never looks
 *  better than reaching, however cheap it is.
 *  A run that was stopped at the cap of its cell is a miss, too, so that nothing looks better because
 *  it was stopped.
 *  By points the cost is the points of (36) below those of the best in the cell.  A failure is a
 *  miss, and costs as much as the fewest points there are, 9 for each unit of weight.
 *
 *  By the reader (reader.h) the cost is the expected total work, with what follows a miss, beyond the
 *  least of all contenders, as a share of that; no cost is larger than the price of a miss.  What a
 *  single run did by chance does not show in it.
 *
 *  Costs are whole numbers, so that sums of them do not depend on their order.
 */
#ifndef SAL_COST_MATRIX_H
#define SAL_COST_MATRIX_H

#include "choose.h"

enum {
  SAL_COST_MISS = INT32_MAX, /* nothing else is as large */
  SAL_COST_SURE = UINT16_MAX /* a miss that is certain */
};

/** Of the cells in which some contender answers the question, and of the contenders that answer it
 *  in some cell; sal_cost_matrix_free frees it. */
typedef struct {
  int64_t room; /* for cells */
  int32_t n;
  int32_t *cell;   /* [n] */
  int32_t *winner; /* [n] contender that sal_choose puts first; by the reader: of least total */
  int n_choice;
  int *contender; /* [n_choice] ascending */
  uint32_t *cost; /* [n][n_choice] */
  uint16_t
      *missing; /* [n][n_choice] by the reader: probability of a miss, of SAL_COST_SURE; or NULL */
  double miss;  /* what SAL_COST_MISS stands for: a share of work, or points */
} sal_cost_matrix;

/** miss: the price of a miss by error, above 0.  n is 0 when no contender answers in any cell.
 *  Fails for want of memory. */
SAL_MUST_CHECK sal_err sal_cost_matrix_make(const sal_performance_table *table,
                                            const sal_question *question, double miss,
                                            sal_cost_matrix *out);
void sal_cost_matrix_free(sal_cost_matrix *costs);

/** The same from rows of cells first .. first + rows->n_cell - 1 at a time, in the order of cells:
 *  room for n_cell cells, rows, and the end, before which it is not to be used. */
SAL_MUST_CHECK sal_err sal_cost_matrix_begin(int64_t n_cell, int n_contender,
                                             const sal_question *question, double miss,
                                             sal_cost_matrix *out);
SAL_MUST_CHECK sal_err sal_cost_matrix_add(sal_cost_matrix *costs, int64_t first,
                                           const sal_performance_table *rows,
                                           const sal_question *question);
/** The same by the reader, from what it says of cells [n_cell], in any order: total and probability
 *  [n_cell][n_contender], NaN where it says nothing.  A matrix is made of the one or of the other. */
SAL_MUST_CHECK sal_err sal_cost_matrix_add_totals(sal_cost_matrix *costs, int64_t n_cell,
                                                  const int64_t cell[], const double total[],
                                                  const double probability[]);
void sal_cost_matrix_end(sal_cost_matrix *costs);

#endif
