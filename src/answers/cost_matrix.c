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

/* Lists the cells with an answer, and the contenders that answer in some cell. */
static void list_answers(const sal_performance_table *a, sal_cost_matrix *out, bool answers[])
{
  for (int64_t c = 0; c < a->n_cell; ++c) {
    const uint32_t *cost = out->cost + c * a->n_contender;
    if (out->winner[c] < 0) continue;
    for (int k = 0; k < a->n_contender; ++k)
      if (cost[k] != SAL_COST_MISS) answers[k] = true;
    out->winner[out->n] = out->winner[c];
    out->cell[out->n++] = (int32_t)c;
  }
  for (int k = 0; k < a->n_contender; ++k)
    if (answers[k]) out->contender[out->n_choice++] = k;
}

/* Leaves the other cells and contenders out; what stays moves to the front. */
static void compact_costs(const sal_performance_table *a, sal_cost_matrix *out)
{
  uint32_t *to = out->cost;

  for (int32_t i = 0; i < out->n; ++i) {
    const uint32_t *from = out->cost + (int64_t)out->cell[i] * a->n_contender;
    for (int k = 0; k < out->n_choice; ++k) *to++ = from[out->contender[k]];
  }
}

sal_err sal_cost_matrix_make(const sal_performance_table *a, const sal_question *q, double miss,
                             sal_cost_matrix *out)
{
  const size_t n = (size_t)a->n_contender, n_cell = (size_t)a->n_cell;

  *out           = (sal_cost_matrix){.miss = miss};
  out->cost      = n_cell <= INT32_MAX ? sal_alloc(n_cell * n, sizeof *out->cost) : NULL;
  out->cell      = sal_alloc(n_cell, sizeof *out->cell);
  out->winner    = sal_alloc(n_cell, sizeof *out->winner);
  out->contender = sal_alloc(n, sizeof *out->contender);
  sal_choose_candidate *list    = sal_alloc(n, sizeof *list);
  bool                 *answers = sal_alloc(n, sizeof *answers);
  const bool fits = out->cost && out->cell && out->winner && out->contender && list && answers;

  if (!sal_question_by_error(q)) out->miss = 9 * (q->weights.sd + q->weights.dt + q->weights.iae);
  if (fits) {
    for (int64_t c = 0; c < a->n_cell; ++c)
      out->winner[c] = cost_of_cell(a, c, q, out->miss, list, out->cost + c * a->n_contender);
    list_answers(a, out, answers);
    compact_costs(a, out);
  }
  sal_free(list);
  sal_free(answers);
  if (fits) return SAL_OK;
  sal_cost_matrix_free(out);
  return sal_fail(SAL_ERR_MEMORY, "no memory for costs in %lld cells", (long long)a->n_cell);
}

void sal_cost_matrix_free(sal_cost_matrix *costs)
{
  sal_free(costs->cell);
  sal_free(costs->winner);
  sal_free(costs->contender);
  sal_free(costs->cost);
  *costs = (sal_cost_matrix){0};
}
