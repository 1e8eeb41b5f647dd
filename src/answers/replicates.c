/** @file src/answers/replicates.c
 *  Dispersion between replicates, and choices made at one of the two.
 */
#include "replicates.h"
#include "memory.h"
#include <float.h>
#include <math.h>

static double log_of(double error) { return log(fmax(error, DBL_MIN)); }

/* Of contender k; room [n_cell]. */
static double dispersion_of(const sal_performance_table *points,
                            const sal_performance_table *replicates, int k, double room[])
{
  int64_t n = 0;

  for (int64_t c = 0; c < points->n_cell; ++c) {
    const int64_t at = c * points->n_contender + k;
    if (isfinite(points->error[at]) && isfinite(replicates->error[at]))
      room[n++] = log_of(replicates->error[at]) - log_of(points->error[at]);
  }
  if (n == 0) return NAN;
  sal_quantiles_sort(n, room);
  return (sal_quantiles_at(n, room, 0.84) - sal_quantiles_at(n, room, 0.16)) / 2;
}

sal_err sal_replicates_dispersion(const sal_performance_table *points,
                                  const sal_performance_table *replicates, double dispersion[])
{
  double *room = sal_alloc((size_t)points->n_cell, sizeof *room);

  if (!room)
    return sal_fail(SAL_ERR_MEMORY, "no memory for %lld replicates", (long long)points->n_cell);
  for (int k = 0; k < points->n_contender; ++k)
    dispersion[k] = dispersion_of(points, replicates, k, room);
  sal_free(room);
  return SAL_OK;
}

/* The best contender at a replicate, with caution; error and list [n_contender] are room. */
static int best_at_replicate(const sal_performance_table *replicates, int64_t cell,
                             const double dispersion[], const sal_question *q, double error[],
                             sal_choose_candidate list[], bool *abstained)
{
  const int64_t         first = cell * replicates->n_contender, alone = 0;
  const double          all = 1;
  sal_performance_table one = *replicates;

  for (int k = 0; k < replicates->n_contender; ++k)
    error[k] =
        replicates->error[first + k] * (isnan(dispersion[k]) ? 1 : exp(q->caution * dispersion[k]));
  one.n_cell = 1;
  one.work   = replicates->work + first;
  one.error  = error;
  return sal_regret_recommendation(&one, 1, &alone, &all, q, list, abstained);
}

sal_err sal_replicates_evaluate(const sal_performance_table *points,
                                const sal_performance_table *replicates, const double dispersion[],
                                const sal_question *q, sal_regret_evaluation evaluation[])
{
  double               *error = sal_alloc((size_t)replicates->n_contender, sizeof *error);
  sal_choose_candidate *list  = sal_alloc((size_t)replicates->n_contender, sizeof *list);
  bool                  abstained;

  for (int64_t p = 0; error && list && p < points->n_cell; ++p) {
    const int chosen = best_at_replicate(replicates, p, dispersion, q, error, list, &abstained);
    evaluation[p]    = sal_regret_evaluate_choice(points, p, q, chosen, abstained);
  }
  const sal_err err =
      error && list ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a choice at a replicate");
  sal_free(error);
  sal_free(list);
  return err;
}
