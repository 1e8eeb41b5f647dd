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

enum { ANSWERS = 256 }; /* that are there at once; one has 100 kB */

/* Points of a batch, which threads take. */
typedef struct {
  const sal_regret_question *of;
  double (*value)[SAL_MAX_QUANTITY]; /* [points] */
  sal_surrogate_answer *found;       /* [points][n_error] */
  sal_regret_answer *answer;         /* [points][n_error] */
} batch;

static void free_batch(batch *b) { sal_free_all(b->value, b->found, b->answer); }

/* One asked error, and the same with the probabilities. */
static void ask_error(sal_surrogate *here, sal_surrogate_question asked,
                      sal_surrogate_answer *found, sal_regret_answer *out)
{
  sal_surrogate_ask_again(here, &asked, found);
  sal_surrogate_answer sure = *found;
  *out = (sal_regret_answer){.error = asked.error,
                             .reason = found->reason,
                             .total = found->repeated,
                             .likely = found->likely,
                             .schedule = found};
  for (int i = 0; i < SAL_REGRET_PROBABILITIES; ++i) {
    asked.probability = sal_regret_probabilities[i];
    sal_surrogate_ask_again(here, &asked, &sure);
    out->confident[i] = sure.best;
  }
}

static void ask_point(void *with, sal_surrogate *here, int64_t number)
{
  const batch *b = with;
  const sal_regret_question *q = b->of;

  for (int e = 0; e < q->n_error; ++e) {
    const sal_surrogate_question asked = {
        .error = q->error[e], .probability = NAN, .method = q->method, .strategy = q->strategy};
    const int64_t at = number * q->n_error + e;
    ask_error(here, asked, &b->found[at], &b->answer[at]);
  }
}

/* The first cell of point i; stride: what options add. */
static int64_t first_of(const sal_regret_question *q, int64_t stride, int64_t i)
{
  return i / stride * q->replicates * stride + i % stride;
}

static sal_err place_points(const batch *b, const sal_surrogate_coordinates *c, int64_t stride,
                            int64_t done, int64_t n)
{
  const sal_model *m = b->of->points->model;
  sal_surrogate_place place;

  for (int64_t i = 0; i < n; ++i) {
    double *value = b->value[i];
    sal_sweep_cell(b->of->points, first_of(b->of, stride, done + i), value,
                   value + m->n_param + m->n_option);
    SAL_TRY(sal_surrogate_place_of_point(c, value, &place, &b->found[i * b->of->n_error].outside));
  }
  return SAL_OK;
}

sal_err sal_regret_answers_each(const sal_regret_question *q, sal_regret_take *take, void *with)
{
  sal_performance_source source = sal_performance_source_of(&q->map->table);
  const int64_t rows = q->points->n_axis > 0 ? q->points->axis[0].n_point : 1;
  const int64_t stride = q->points->n_cell / rows, all = rows / q->replicates * stride;
  const int64_t most = ANSWERS / q->n_error;
  SAL_OWN_BY(free_batch)
  batch b = {q, sal_alloc((size_t)most, sizeof *b.value), sal_alloc(ANSWERS, sizeof *b.found),
             sal_alloc(ANSWERS, sizeof *b.answer)};
  SAL_OWN_BY(sal_surrogate_close) sal_surrogate *surrogate = NULL;

  if (!b.value || !b.found || !b.answer) return sal_fail(SAL_ERR_MEMORY, "no memory for answers");
  source.threads = sal_parallel_threads();
  source.loop = sal_parallel_for;
  SAL_TRY(sal_surrogate_open(&source, NULL, &surrogate));
  for (int64_t done = 0, n; done < all; done += n) {
    n = all - done < most ? all - done : most;
    SAL_TRY(place_points(&b, sal_surrogate_coordinates_of(surrogate), stride, done, n));
    SAL_TRY(sal_surrogate_each(surrogate, n, b.value, ask_point, &b));
    for (int64_t i = 0; i < n; ++i)
      SAL_TRY(take(with, &(sal_regret_point){b.value[i], first_of(q, stride, done + i), stride,
                                             &b.answer[i * q->n_error]}));
  }
  return SAL_OK;
}
