/** Asking the surrogate of a map at points. */
#include "base.h"
#include "model_source.h"
#include "regret_run.h"
#include "surrogate_view.h"

const double sal_regret_probabilities[SAL_REGRET_PROBABILITIES] = {0.8, 0.9, 0.95, 0.99};

sal_err sal_regret_answers_check(const sal_performance_cube *map)
{
  const sal_performance_source source = sal_performance_source_of(&map->table);
  sal_surrogate *surrogate;
  bool possible;

  SAL_TRY(sal_surrogate_possible(&map->sweep, &possible));
  if (possible) return SAL_OK;
  SAL_TRY(sal_surrogate_open(&source, NULL, &surrogate)); /* sets the message: what is missing */
  sal_surrogate_close(&surrogate);
  return SAL_OK;
}

sal_regret_question sal_regret_answers_question(const sal_performance_cube *map,
                                                const sal_sweep *points, int n,
                                                const double error[])
{
  const sal_sweep *s = &map->sweep;
  sal_regret_question q = {.map = map,
                           .points = points,
                           .replicates = sal_offgrid_replicates(s, points),
                           .n_error = n,
                           .error = error};

  for (int m = 0; m < s->n_method; ++m)
    for (int k = 0; k < points->n_method; ++k)
      q.method[m] |= map->method[m] && sal_solver_source_same(points, k, s, m);
  for (int i = 0; i < s->n_strategy; ++i)
    for (int k = 0; k < points->n_strategy; ++k)
      q.strategy[i] |= map->strategy[i] && points->strategy[k] == s->strategy[i];
  return q;
}

/* One asked error, which was asked last, and the same with the probabilities. */
static void take_error(sal_surrogate *surrogate, sal_surrogate_question asked,
                       const sal_surrogate_answer *found, sal_regret_answer *out)
{
  sal_surrogate_answer sure = *found;

  *out = (sal_regret_answer){.error = asked.error,
                             .reason = found->reason,
                             .total = found->repeated,
                             .likely = found->likely,
                             .schedule = found};
  for (int i = 0; i < SAL_REGRET_PROBABILITIES; ++i) {
    asked.probability = sal_regret_probabilities[i];
    sal_surrogate_ask_again(surrogate, &asked, &sure);
    out->confident[i] = sure.best;
  }
}

sal_err sal_regret_answers_each(const sal_regret_question *q, sal_regret_take *take, void *with)
{
  sal_performance_source source = sal_performance_source_of(&q->map->table);
  const sal_model *m = q->points->model;
  const int64_t rows = q->points->n_axis > 0 ? q->points->axis[0].n_point : 1;
  const int64_t stride = q->points->n_cell / rows; /* what options add */
  SAL_OWN sal_regret_answer *answer = sal_alloc((size_t)q->n_error, sizeof *answer);
  SAL_OWN_BY(sal_surrogate_close) sal_surrogate *surrogate = NULL;
  SAL_OWN sal_surrogate_answer *found = sal_alloc((size_t)q->n_error, sizeof *found);
  double value[SAL_MAX_QUANTITY];

  if (!answer || !found) return sal_fail(SAL_ERR_MEMORY, "no memory for answers");
  source.threads = sal_parallel_threads();
  source.loop = sal_parallel_for;
  SAL_TRY(sal_surrogate_open(&source, NULL, &surrogate));
  for (int64_t i = 0; i < rows / q->replicates * stride; ++i) {
    const int64_t first = i / stride * q->replicates * stride + i % stride;
    sal_sweep_cell(q->points, first, value, value + m->n_param + m->n_option);
    for (int e = 0; e < q->n_error; ++e) {
      const sal_surrogate_question asked = {
          .error = q->error[e], .probability = NAN, .method = q->method, .strategy = q->strategy};
      if (e == 0)
        SAL_TRY(sal_surrogate_ask(surrogate, value, &asked, &found[0]));
      else {
        found[e] = found[0];
        sal_surrogate_ask_again(surrogate, &asked, &found[e]);
      }
      take_error(surrogate, asked, &found[e], &answer[e]);
    }
    SAL_TRY(take(with, &(sal_regret_point){value, first, stride, found, answer}));
  }
  return SAL_OK;
}
