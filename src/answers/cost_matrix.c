/** @file src/answers/cost_matrix.c
 *  From a performance table to costs.
 */
#include "cost_matrix.h"
#include "memory.h"
#include <math.h>

static uint32_t round_cost(double cost, double miss)
{
  const double rounded = rint(cost / miss * SAL_COST_MISS);

  return rounded < SAL_COST_MISS ? (uint32_t)rounded : SAL_COST_MISS - 1;
}

/* One cell: cost [n_contender].  Returns the winner, -1 when there is none. */
static int32_t cost_of_cell(const sal_performance_table *a, int64_t cell, const sal_question *q,
                            double miss, sal_choose_candidate list[], uint32_t cost[])
{
  const int n = sal_choose(a, cell, q, list);

  for (int k = 0; k < a->n_contender; ++k) cost[k] = SAL_COST_MISS;
  for (int i = 0; i < n; ++i) {
    const double beyond =
        sal_question_by_error(q) ? list[i].work / list[0].work - 1 : list[0].total - list[i].total;
    cost[list[i].contender] = round_cost(beyond, miss);
  }
  return n > 0 ? list[0].contender : -1;
}

/* While it is made it has all contenders, and for each whether it answers in some cell. */
sal_err sal_cost_matrix_begin(int64_t n_cell, int n_contender, const sal_question *q, double miss,
                              sal_cost_matrix *out)
{
  const size_t n = (size_t)n_contender, room = (size_t)n_cell;

  *out = (sal_cost_matrix){.room = n_cell, .n_choice = n_contender, .miss = miss};
  out->cost = n_cell <= INT32_MAX ? sal_alloc(room * n, sizeof *out->cost) : NULL;
  out->cell = sal_alloc(room, sizeof *out->cell);
  out->winner = sal_alloc(room, sizeof *out->winner);
  out->contender = sal_alloc(n, sizeof *out->contender);
  if (!sal_question_by_error(q)) out->miss = 9 * (q->weights.sd + q->weights.dt + q->weights.iae);
  if (out->cost && out->cell && out->winner && out->contender) return SAL_OK;
  sal_cost_matrix_free(out);
  return sal_fail(SAL_ERR_MEMORY, "no memory for costs in %lld cells", (long long)n_cell);
}

/* Keeps the cell whose costs were written after the last one's, if it has a winner. */
static void keep_cell(sal_cost_matrix *out, int64_t cell, int32_t winner)
{
  const uint32_t *cost = out->cost + (int64_t)out->n * out->n_choice;

  if (winner < 0) return;
  for (int k = 0; k < out->n_choice; ++k) out->contender[k] |= cost[k] != SAL_COST_MISS;
  out->winner[out->n] = winner;
  out->cell[out->n++] = (int32_t)cell;
}

sal_err sal_cost_matrix_add(sal_cost_matrix *out, int64_t first, const sal_performance_table *rows,
                            const sal_question *q)
{
  SAL_OWN sal_choose_candidate *list = sal_alloc((size_t)rows->n_contender, sizeof *list);

  if (!list) return sal_fail(SAL_ERR_MEMORY, "no memory for costs");
  for (int64_t c = 0; c < rows->n_cell; ++c) {
    uint32_t *cost = out->cost + (int64_t)out->n * out->n_choice;
    keep_cell(out, first + c, cost_of_cell(rows, c, q, out->miss, list, cost));
  }
  return SAL_OK;
}

/* One cell: cost and missing [n].  Returns the one of least total, -1 when there is none. */
static int32_t expect_in_cell(int n, const double total[], const double probability[], double miss,
                              uint32_t cost[], uint16_t missing[])
{
  int32_t best = -1;

  for (int k = 0; k < n; ++k)
    if (!isnan(total[k]) && (best < 0 || total[k] < total[best])) best = k;
  for (int k = 0; k < n; ++k) {
    const bool fits = !isnan(total[k]);
    cost[k] = fits ? round_cost(total[k] / total[best] - 1, miss) : SAL_COST_MISS;
    missing[k] = fits ? (uint16_t)rint((1 - probability[k]) * SAL_COST_SURE) : SAL_COST_SURE;
  }
  return best;
}

sal_err sal_cost_matrix_add_totals(sal_cost_matrix *out, int64_t n_cell, const int64_t cell[],
                                   const double total[], const double probability[])
{
  const int64_t n = out->n_choice;

  if (!out->missing) out->missing = sal_alloc((size_t)(out->room * n), sizeof *out->missing);
  if (!out->missing) return sal_fail(SAL_ERR_MEMORY, "no memory for costs");
  for (int64_t c = 0; c < n_cell; ++c) {
    uint32_t *cost = out->cost + out->n * n;
    const int32_t winner = expect_in_cell((int)n, total + c * n, probability + c * n, out->miss,
                                          cost, out->missing + out->n * n);
    keep_cell(out, cell[c], winner);
  }
  return SAL_OK;
}

/* Leaves out the contenders that answer nowhere; what stays moves to the front. */
void sal_cost_matrix_end(sal_cost_matrix *out)
{
  const int n_contender = out->n_choice;
  uint32_t *to = out->cost;

  out->n_choice = 0;
  for (int k = 0; k < n_contender; ++k)
    if (out->contender[k]) out->contender[out->n_choice++] = k;
  for (int32_t i = 0; i < out->n; ++i) {
    const uint32_t *from = out->cost + (int64_t)i * n_contender;
    for (int k = 0; k < out->n_choice; ++k) *to++ = from[out->contender[k]];
  }
  uint16_t *sure = out->missing;
  for (int32_t i = 0; i < out->n && sure; ++i)
    for (int k = 0; k < out->n_choice; ++k)
      *sure++ = out->missing[(int64_t)i * n_contender + out->contender[k]];
}

sal_err sal_cost_matrix_make(const sal_performance_table *a, const sal_question *q, double miss,
                             sal_cost_matrix *out)
{
  SAL_TRY(sal_cost_matrix_begin(a->n_cell, a->n_contender, q, miss, out));
  const sal_err err = sal_cost_matrix_add(out, 0, a, q);
  if (err == SAL_OK)
    sal_cost_matrix_end(out);
  else
    sal_cost_matrix_free(out);
  return err;
}

void sal_cost_matrix_free(sal_cost_matrix *costs)
{
  sal_free(costs->cell);
  sal_free(costs->winner);
  sal_free(costs->contender);
  sal_free(costs->cost);
  sal_free(costs->missing);
  *costs = (sal_cost_matrix){0};
}
