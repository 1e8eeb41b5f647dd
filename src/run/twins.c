/** @file src/run/twins.c
 *  What is known of a point from right beside it.
 */
#include "twins.h"
#include "memory.h"
#include <float.h>
#include <math.h>

static double log_of(double error) { return log(fmax(error, DBL_MIN)); }

/* Of contender k; room [n_cell]. */
static double luck_of(const sal_atlas *points, const sal_atlas *twins, int k, double room[])
{
  int64_t n = 0;

  for (int64_t c = 0; c < points->n_cell; ++c) {
    const int64_t at = c * points->n_contender + k;
    if (!isnan(points->error[at]) && !isnan(twins->error[at]))
      room[n++] = log_of(twins->error[at]) - log_of(points->error[at]);
  }
  if (n == 0) return NAN;
  sal_sort_values(n, room);
  return (sal_quantile(n, room, 0.84) - sal_quantile(n, room, 0.16)) / 2;
}

sal_err sal_luck_find(const sal_atlas *points, const sal_atlas *twins, double luck[])
{
  double *room = sal_alloc((size_t)points->n_cell, sizeof *room);

  if (!room) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld twins", (long long)points->n_cell);
  for (int k = 0; k < points->n_contender; ++k) luck[k] = luck_of(points, twins, k, room);
  sal_free(room);
  return SAL_OK;
}

/* What is best at a twin, with caution; error [n_contender] and list [n_contender] are room. */
static int best_at(const sal_atlas *twins, int64_t cell, const double luck[], const sal_question *q,
                   double error[], sal_candidate list[], bool *silent)
{
  const int64_t first = cell * twins->n_contender, alone = 0;
  const double  all = 1;
  sal_atlas     one = *twins;

  for (int k = 0; k < twins->n_contender; ++k)
    error[k] = twins->error[first + k] * (isnan(luck[k]) ? 1 : exp(q->caution * luck[k]));
  one.n_cell = 1;
  one.work   = twins->work + first;
  one.error  = error;
  return sal_answer(&one, 1, &alone, &all, q, list, silent);
}

sal_err sal_judge_twins(const sal_atlas *points, const sal_atlas *twins, const double luck[],
                        const sal_question *q, sal_verdict verdict[])
{
  double        *error = sal_alloc((size_t)twins->n_contender, sizeof *error);
  sal_candidate *list  = sal_alloc((size_t)twins->n_contender, sizeof *list);
  bool           silent;

  for (int64_t p = 0; error && list && p < points->n_cell; ++p) {
    const int chosen = best_at(twins, p, luck, q, error, list, &silent);
    verdict[p]       = sal_judge_chosen(points, p, q, chosen, silent);
  }
  const sal_err err =
      error && list ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a choice at a twin");
  sal_free(error);
  sal_free(list);
  return err;
}
