/** @file src/answers/regret.c
 *  Judging choices.
 */
#include "regret.h"
#include "contender.h"
#include "memory.h"
#include "parameter_column.h"
#include "stencil.h"
#include <math.h>
#include <stdlib.h>

void sal_tolerance_schedule_order(const sal_sweep *s, int order[])
{
  for (int t = 0; t < s->n_tolerance; ++t) {
    int at = t;
    for (; at > 0 && s->tolerance[order[at - 1]] < s->tolerance[t]; --at) order[at] = order[at - 1];
    order[at] = t;
  }
}

sal_tolerance_schedule sal_tolerance_schedule_of(const sal_sweep *s, int strategy, int method)
{
  int                    order[SAL_MAX_LIST];
  sal_tolerance_schedule l = {0};

  if (s->left_out[strategy][method]) return l;
  sal_tolerance_schedule_order(s, order);
  for (; l.n < s->n_tolerance; ++l.n)
    l.level[l.n] = sal_contender_encode(s, (sal_contender){order[l.n], strategy, method});
  return l;
}

sal_virtual_best sal_virtual_best_at(const sal_performance_table *a, int64_t cell,
                                     const sal_question *q)
{
  const sal_sweep *s     = a->sweep;
  const double    *work  = a->work + cell * a->n_contender;
  const double    *error = a->error + cell * a->n_contender;
  sal_virtual_best o     = {.best = -1, .work = NAN, .dearest = NAN, .dearest_of_all = NAN};

  for (int k = 0; k < a->n_contender; ++k) {
    if (isnan(work[k])) continue;
    o.dearest_of_all = fmax(o.dearest_of_all, work[k]);
    if (!(error[k] <= q->error) || (q->method && !q->method[sal_contender_decode(s, k).method]) ||
        (q->strategy && !q->strategy[sal_contender_decode(s, k).strategy]))
      continue;
    o.dearest = fmax(o.dearest, work[k]);
    if (o.best >= 0 && (work[k] > o.work || (work[k] == o.work && error[k] >= error[o.best])))
      continue;
    o.best = k;
    o.work = work[k];
  }
  return o;
}

/* What is paid for trying one level after the other. */
static double pay(const sal_performance_table *a, int64_t cell,
                  const sal_virtual_best *virtual_best, double asked,
                  const sal_tolerance_schedule *l, int from)
{
  double sum = 0;

  for (int i = from; from >= 0 && i < l->n; ++i) {
    const int64_t at = cell * a->n_contender + l->level[i];
    sum += isnan(a->work[at]) ? virtual_best->dearest_of_all : a->work[at];
    if (a->error[at] <= asked) return sum;
  }
  return sum + virtual_best->dearest;
}

sal_evaluation sal_regret_evaluate(const sal_performance_table *a, int64_t cell,
                                   const sal_virtual_best *virtual_best, double asked,
                                   const sal_tolerance_schedule *l, int from)
{
  sal_evaluation v = {.best      = virtual_best->best,
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
  v.regret  = v.missed ? NAN : v.work / virtual_best->work - 1;
  v.excess  = !v.missed ? NAN : isnan(v.error) ? INFINITY : v.error / asked;
  v.retried = pay(a, cell, virtual_best, asked, l, from) / virtual_best->work - 1;
  return v;
}

/* The level of a contender on the schedule of its method and strategy. */
static int climb(const sal_sweep *s, int contender, sal_tolerance_schedule *l)
{
  const sal_contender at = sal_contender_decode(s, contender);

  *l = sal_tolerance_schedule_of(s, at.strategy, at.method);
  for (int i = 0; i < l->n; ++i)
    if (l->level[i] == contender) return i;
  return -1;
}

int sal_regret_recommendation(const sal_performance_table *a, int n, const int64_t cell[],
                              const double weight[], const sal_question *q, sal_candidate list[],
                              bool *silent)
{
  sal_question any   = *q;
  int          found = sal_choose(a, n, cell, weight, q, list);

  *silent = found == 0;
  if (found > 0) return list[0].contender;
  any.error = INFINITY;
  found     = sal_choose(a, n, cell, weight, &any, list);
  return found > 0 ? sal_choose_most_accurate(found, list)->contender : -1;
}

sal_evaluation sal_regret_evaluate_choice(const sal_performance_table *points, int64_t p,
                                          const sal_question *q, int chosen, bool silent)
{
  const sal_virtual_best virtual_best = sal_virtual_best_at(points, p, q);
  sal_tolerance_schedule schedule;
  const int              from = chosen < 0 ? -1 : climb(points->sweep, chosen, &schedule);
  sal_evaluation v = sal_regret_evaluate(points, p, &virtual_best, q->error, &schedule, from);

  v.silent = silent;
  return v;
}

static sal_err judge_point(const sal_performance_table *map, const sal_performance_table *points,
                           int64_t p, const sal_question *q, sal_candidate list[],
                           sal_evaluation *out, int64_t *outside)
{
  const sal_model *m = points->sweep->model;
  double           value[SAL_MAX_QUANTITY];
  sal_stencil      near;
  bool             silent;

  sal_sweep_cell(points->sweep, p, value, value + m->n_param + m->n_option);
  SAL_TRY(sal_stencil_find(map->sweep, value, &near));
  const int chosen =
      sal_regret_recommendation(map, near.n, near.cell, near.weight, q, list, &silent);
  *out = sal_regret_evaluate_choice(points, p, q, chosen, silent);
  *outside += near.n_outside > 0;
  sal_stencil_free(&near);
  return SAL_OK;
}

sal_err sal_regret_evaluate_map(const sal_performance_table *map,
                                const sal_performance_table *points, const sal_question *q,
                                sal_evaluation evaluation[], int64_t *outside)
{
  sal_candidate *list = sal_alloc((size_t)map->n_contender, sizeof *list);
  sal_err        err  = list ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a choice");

  *outside = 0;
  for (int64_t p = 0; err == SAL_OK && p < points->n_cell; ++p)
    err = judge_point(map, points, p, q, list, &evaluation[p], outside);
  sal_free(list);
  return err;
}

static int by_size(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;

  return (a > b) - (a < b);
}

void sal_quantiles_sort(int64_t n, double value[])
{
  qsort(value, (size_t)n, sizeof *value, by_size);
}

double sal_quantiles_at(int64_t n, const double value[], double q)
{
  const double  at  = q * (double)(n - 1);
  const int64_t low = (int64_t)at;
  const double  off = at - (double)low;

  return off == 0 || isinf(value[low]) ? value[low]
                                       : value[low] + off * (value[low + 1] - value[low]);
}

sal_quantiles sal_quantiles_of(int64_t n, double value[])
{
  double sum = 0;

  if (n == 0) return (sal_quantiles){NAN, NAN, NAN, NAN};
  sal_quantiles_sort(n, value);
  for (int64_t i = 0; i < n; ++i) sum += value[i];
  return (sal_quantiles){.median = sal_quantiles_at(n, value, 0.5),
                         .p90    = sal_quantiles_at(n, value, 0.9),
                         .worst  = value[n - 1],
                         .mean   = sum / (double)n};
}

/* What there is of each kind, room [3][n]. */
static void add_up(int64_t n, const sal_evaluation v[], double room[], sal_regret_summary *out)
{
  double *regret = room, *excess = room + n, *retried = excess + n;

  *out = (sal_regret_summary){.points = n};
  for (int64_t i = 0; i < n; ++i) {
    if (v[i].best < 0) continue;
    if (v[i].missed)
      excess[out->missed++] = v[i].excess;
    else
      regret[out->judged - out->missed] = v[i].regret;
    out->lost += v[i].missed && isinf(v[i].excess);
    out->silent += v[i].silent;
    retried[out->judged++] = v[i].retried;
  }
  out->regret  = sal_quantiles_of(out->judged - out->missed, regret);
  out->excess  = sal_quantiles_of(out->missed, excess);
  out->retried = sal_quantiles_of(out->judged, retried);
}

sal_err sal_regret_summarise(int64_t n, const sal_evaluation evaluation[], sal_regret_summary *out)
{
  double *room = sal_alloc((size_t)n, 3 * sizeof *room);

  if (!room) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld evaluations", (long long)n);
  add_up(n, evaluation, room, out);
  sal_free(room);
  return SAL_OK;
}
