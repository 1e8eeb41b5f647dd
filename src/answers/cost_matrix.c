/** @file src/answers/cost_matrix.c
 *  From an table to costs.
 */
#include "cost_matrix.h"
#include "memory.h"
#include <math.h>
#include <omp.h>
#include <string.h>

static uint32_t whole(double loss, double miss)
{
  const double share = rint(loss / miss * SAL_COST_MISS);

  return share < SAL_COST_MISS ? (uint32_t)share : SAL_COST_MISS - 1;
}

/* One cell: loss [n_contender], and who wins. */
static int32_t fill(const sal_performance_table *a, int64_t cell, const sal_question *q,
                    double miss, sal_candidate list[], uint32_t loss[])
{
  const double one = 1;
  const int    n   = sal_choose(a, 1, &cell, &one, q, list);

  for (int k = 0; k < a->n_contender; ++k) loss[k] = SAL_COST_MISS;
  for (int i = 0; i < n; ++i) {
    const double lost =
        isnan(q->error) ? list[0].total - list[i].total : list[i].work / list[0].work - 1;
    loss[list[i].contender] = whole(lost, miss);
  }
  return n > 0 ? list[0].contender : -1;
}

/* Who answers anywhere, and where somebody does. */
static void find_answers(const sal_performance_table *a, sal_cost_matrix *out, bool answers[])
{
  for (int64_t c = 0; c < a->n_cell; ++c) {
    const uint32_t *loss = out->loss + c * a->n_contender;
    if (out->winner[c] < 0) continue;
    for (int k = 0; k < a->n_contender; ++k)
      if (loss[k] != SAL_COST_MISS) answers[k] = true;
    out->winner[out->n] = out->winner[c];
    out->cell[out->n++] = (int32_t)c;
  }
  for (int k = 0; k < a->n_contender; ++k)
    if (answers[k]) out->contender[out->n_choice++] = k;
}

/* Leaves the others out; what stays moves to the front. */
static void compact(const sal_performance_table *a, sal_cost_matrix *out)
{
  uint32_t *to = out->loss;

  for (int32_t i = 0; i < out->n; ++i) {
    const uint32_t *from = out->loss + (int64_t)out->cell[i] * a->n_contender;
    for (int k = 0; k < out->n_choice; ++k) *to++ = from[out->contender[k]];
  }
}

sal_err sal_cost_matrix_make(const sal_performance_table *a, const sal_question *q, double miss,
                             sal_cost_matrix *out)
{
  const size_t n        = (size_t)a->n_contender;
  const int    n_thread = omp_get_max_threads();

  *out        = (sal_cost_matrix){.miss = miss};
  out->loss   = a->n_cell <= INT32_MAX ? sal_alloc((size_t)a->n_cell * n, sizeof *out->loss) : NULL;
  out->cell   = sal_alloc((size_t)a->n_cell, sizeof *out->cell);
  out->winner = sal_alloc((size_t)a->n_cell, sizeof *out->winner);
  out->contender         = sal_alloc(n, sizeof *out->contender);
  sal_candidate *list    = sal_alloc(n * (size_t)n_thread, sizeof *list);
  bool          *answers = sal_alloc(n, sizeof *answers);
  const bool     fits = out->loss && out->cell && out->winner && out->contender && list && answers;

  if (isnan(q->error)) out->miss = 9 * (q->weights.sd + q->weights.dt + q->weights.iae);
  if (fits) {
#pragma omp parallel for schedule(static) num_threads(n_thread)
    for (int64_t c = 0; c < a->n_cell; ++c)
      out->winner[c] = fill(a, c, q, out->miss, list + n * (size_t)omp_get_thread_num(),
                            out->loss + c * a->n_contender);
    find_answers(a, out, answers);
    compact(a, out);
  }
  sal_free(list);
  sal_free(answers);
  if (fits) return SAL_OK;
  sal_cost_matrix_free(out);
  return sal_fail(SAL_ERR_MEMORY, "no memory for costs in %lld cells", (long long)a->n_cell);
}

void sal_cost_matrix_free(sal_cost_matrix *l)
{
  sal_free(l->cell);
  sal_free(l->winner);
  sal_free(l->contender);
  sal_free(l->loss);
  *l = (sal_cost_matrix){0};
}
