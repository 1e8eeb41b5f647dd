/** @file src/answers/regret.c
 *  Evaluating choices.
 */
#include "regret.h"
#include "memory.h"
#include "parameter_column.h"
#include "stencil.h"
#include <math.h>

/* Work of one level after the other, up to the first that hits. */
static double work_with_retries(const sal_performance_table *a, int64_t cell,
                                const sal_virtual_best *virtual_best, double asked,
                                const sal_tolerance_schedule *l, int from)
{
  double sum = 0;

  for (int i = from; from >= 0 && i < l->n; ++i) {
    const int64_t at = cell * a->n_contender + l->level[i];
    sum += isnan(a->work[at]) ? virtual_best->most_work_of_all : a->work[at];
    if (a->error[at] <= asked) return sum;
  }
  return sum + virtual_best->most_work;
}

sal_regret_evaluation sal_regret_evaluate(const sal_performance_table *a, int64_t cell,
                                          const sal_virtual_best *virtual_best, double asked,
                                          const sal_tolerance_schedule *l, int from)
{
  sal_regret_evaluation v = {.best      = virtual_best->best,
                             .chosen    = from < 0 ? -1 : l->level[from],
                             .best_work = virtual_best->work,
                             .work      = NAN,
                             .error     = NAN,
                             .regret    = NAN,
                             .excess    = NAN,
                             .retried   = NAN};

  if (v.chosen >= 0) {
    v.work  = a->work[cell * a->n_contender + v.chosen];
    v.error = a->error[cell * a->n_contender + v.chosen];
  }
  if (virtual_best->best < 0) return v;
  v.missed  = !(v.error <= asked);
  v.stopped = isinf(v.error);
  v.regret  = v.missed ? NAN : v.work / virtual_best->work - 1;
  v.excess  = !v.missed ? NAN : isnan(v.error) ? INFINITY : v.error / asked;
  v.retried = work_with_retries(a, cell, virtual_best, asked, l, from) / virtual_best->work - 1;
  return v;
}

int sal_regret_recommendation(const sal_performance_table *a, int n, const int64_t cell[],
                              const double weight[], const sal_question *q,
                              sal_choose_candidate list[], bool *abstained)
{
  sal_question any   = *q;
  int          found = sal_choose(a, n, cell, weight, q, list);

  *abstained = found == 0;
  if (found > 0) return list[0].contender;
  any.error = INFINITY;
  found     = sal_choose(a, n, cell, weight, &any, list);
  return found > 0 ? sal_choose_most_accurate(found, list)->contender : -1;
}

sal_regret_evaluation sal_regret_evaluate_choice(const sal_performance_table *points, int64_t p,
                                                 const sal_question *q, int chosen, bool abstained)
{
  const sal_virtual_best virtual_best = sal_virtual_best_at(points, p, q);
  sal_tolerance_schedule schedule;
  const int from = chosen < 0 ? -1 : sal_tolerance_schedule_level(points->sweep, chosen, &schedule);
  sal_regret_evaluation v =
      sal_regret_evaluate(points, p, &virtual_best, q->error, &schedule, from);

  v.abstained = abstained;
  return v;
}

static sal_err evaluate_point(const sal_performance_table *map, const sal_performance_table *points,
                              int64_t p, const sal_question *q, sal_choose_candidate list[],
                              sal_regret_evaluation *out, int64_t *outside)
{
  const sal_model *m = points->sweep->model;
  double           value[SAL_MAX_QUANTITY];
  sal_stencil      around;
  bool             abstained;

  sal_sweep_cell(points->sweep, p, value, value + m->n_param + m->n_option);
  SAL_TRY(sal_stencil_find(map->sweep, value, &around));
  const int chosen =
      sal_regret_recommendation(map, around.n, around.cell, around.weight, q, list, &abstained);
  *out = sal_regret_evaluate_choice(points, p, q, chosen, abstained);
  *outside += around.n_outside > 0;
  sal_stencil_free(&around);
  return SAL_OK;
}

sal_err sal_regret_evaluate_map(const sal_performance_table *map,
                                const sal_performance_table *points, const sal_question *q,
                                sal_regret_evaluation evaluation[], int64_t *outside)
{
  sal_choose_candidate *list = sal_alloc((size_t)map->n_contender, sizeof *list);
  sal_err               err  = SAL_OK;

  if (!list) return sal_fail(SAL_ERR_MEMORY, "no memory for a choice");
  *outside = 0;
  for (int64_t p = 0; err == SAL_OK && p < points->n_cell; ++p)
    err = evaluate_point(map, points, p, q, list, &evaluation[p], outside);
  sal_free(list);
  return err;
}

/* Figures of each kind side by side, room [3][n]. */
static void sum_up_evaluations(int64_t n, const sal_regret_evaluation v[], double room[],
                               sal_regret_summary *out)
{
  double *regret = room, *excess = room + n, *retried = excess + n;

  *out = (sal_regret_summary){.points = n};
  for (int64_t i = 0; i < n; ++i) {
    if (v[i].best < 0) continue;
    if (v[i].missed)
      excess[out->missed++] = v[i].excess;
    else
      regret[out->evaluated - out->missed] = v[i].regret;
    out->failed += v[i].missed && isinf(v[i].excess);
    out->stopped += v[i].stopped;
    out->abstained += v[i].abstained;
    retried[out->evaluated++] = v[i].retried;
  }
  out->regret  = sal_quantiles_of(out->evaluated - out->missed, regret);
  out->excess  = sal_quantiles_of(out->missed, excess);
  out->retried = sal_quantiles_of(out->evaluated, retried);
}

sal_err sal_regret_summarise(int64_t n, const sal_regret_evaluation evaluation[],
                             sal_regret_summary *out)
{
  double *room = sal_alloc((size_t)n, 3 * sizeof *room);

  if (!room) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld evaluations", (long long)n);
  sum_up_evaluations(n, evaluation, room, out);
  sal_free(room);
  return SAL_OK;
}
