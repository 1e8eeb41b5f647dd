/** @file src/answers/virtual_best.c
 *  The best contender of each cell.
 */
#include "virtual_best.h"
#include "contender.h"
#include <math.h>

static bool may_win(const sal_sweep *s, const sal_question *q, int contender)
{
  const sal_contender at = sal_contender_decode(s, contender);

  return (!q->method || q->method[at.method]) && (!q->strategy || q->strategy[at.strategy]);
}

sal_virtual_best sal_virtual_best_at(const sal_performance_table *a, int64_t cell,
                                     const sal_question *q)
{
  const double    *work  = a->work + cell * a->n_contender;
  const double    *error = a->error + cell * a->n_contender;
  sal_virtual_best v     = {.best = -1, .work = NAN, .most_work = NAN, .most_work_of_all = NAN};

  for (int k = 0; k < a->n_contender; ++k) {
    if (isnan(work[k])) continue;
    v.most_work_of_all = fmax(v.most_work_of_all, work[k]);
    if (!(error[k] <= q->error) || !may_win(a->sweep, q, k)) continue;
    v.most_work = fmax(v.most_work, work[k]);
    if (v.best >= 0 && (work[k] > v.work || (work[k] == v.work && error[k] >= error[v.best])))
      continue;
    v.best = k;
    v.work = work[k];
  }
  return v;
}

void sal_virtual_best_all(const sal_performance_table *a, const sal_question *q,
                          sal_virtual_best virtual_best[])
{
  for (int64_t c = 0; c < a->n_cell; ++c) virtual_best[c] = sal_virtual_best_at(a, c, q);
}
