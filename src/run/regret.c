/** @file src/run/regret.c
 *  Judging choices.
 */
#include "regret.h"
#include "memory.h"
#include "nearby.h"
#include <math.h>
#include <stdlib.h>

void sal_ladder_order(const sal_sweep *s, int order[])
{
  for (int t = 0; t < s->n_tolerance; ++t) {
    int at = t;
    for (; at > 0 && s->tolerance[order[at - 1]] < s->tolerance[t]; --at) order[at] = order[at - 1];
    order[at] = t;
  }
}

sal_ladder sal_ladder_of(const sal_sweep *s, int strategy, int method)
{
  int        order[SAL_MAX_CONTENDER];
  sal_ladder l = {0};

  if (s->left_out[strategy][method]) return l;
  sal_ladder_order(s, order);
  for (; l.n < s->n_tolerance; ++l.n)
    l.rung[l.n] = sal_sweep_contender(s, order[l.n], strategy, method);
  return l;
}

sal_offer sal_offer_in(const sal_atlas *a, int64_t cell, const sal_question *q)
{
  const sal_sweep *s     = a->sweep;
  const double    *work  = a->work + cell * a->n_contender;
  const double    *error = a->error + cell * a->n_contender;
  sal_offer        o     = {.best = -1, .work = NAN, .dearest = NAN, .dearest_of_all = NAN};

  for (int k = 0; k < a->n_contender; ++k) {
    if (isnan(work[k])) continue;
    o.dearest_of_all = fmax(o.dearest_of_all, work[k]);
    if (!(error[k] <= q->error) || (q->method && !q->method[k % s->n_method]) ||
        (q->strategy && !q->strategy[k / s->n_method % s->n_strategy]))
      continue;
    o.dearest = fmax(o.dearest, work[k]);
    if (o.best >= 0 && (work[k] > o.work || (work[k] == o.work && error[k] >= error[o.best])))
      continue;
    o.best = k;
    o.work = work[k];
  }
  return o;
}

/* What is paid for trying one rung after the other. */
static double pay(const sal_atlas *a, int64_t cell, const sal_offer *offer, double asked,
                  const sal_ladder *l, int from)
{
  double sum = 0;

  for (int i = from; from >= 0 && i < l->n; ++i) {
    const int64_t at = cell * a->n_contender + l->rung[i];
    sum += isnan(a->work[at]) ? offer->dearest_of_all : a->work[at];
    if (a->error[at] <= asked) return sum;
  }
  return sum + offer->dearest;
}

sal_verdict sal_judge(const sal_atlas *a, int64_t cell, const sal_offer *offer, double asked,
                      const sal_ladder *l, int from)
{
  sal_verdict v = {.best      = offer->best,
                   .chosen    = from < 0 ? -1 : l->rung[from],
                   .best_work = offer->work,
                   .work      = NAN,
                   .error     = NAN,
                   .regret    = NAN,
                   .excess    = NAN,
                   .retried   = NAN};

  if (v.chosen >= 0) {
    v.work  = a->work[cell * a->n_contender + v.chosen];
    v.error = a->error[cell * a->n_contender + v.chosen];
  }
  if (offer->best < 0) return v;
  v.missed  = !(v.error <= asked);
  v.regret  = v.missed ? NAN : v.work / offer->work - 1;
  v.excess  = !v.missed ? NAN : isnan(v.error) ? INFINITY : v.error / asked;
  v.retried = pay(a, cell, offer, asked, l, from) / offer->work - 1;
  return v;
}

/* The rung of a contender on the ladder of its method and strategy. */
static int climb(const sal_sweep *s, int contender, sal_ladder *l)
{
  *l = sal_ladder_of(s, contender / s->n_method % s->n_strategy, contender % s->n_method);
  for (int i = 0; i < l->n; ++i)
    if (l->rung[i] == contender) return i;
  return -1;
}

int sal_answer(const sal_atlas *a, int n, const int64_t cell[], const double weight[],
               const sal_question *q, sal_candidate list[], bool *silent)
{
  sal_question any   = *q;
  int          found = sal_choose(a, n, cell, weight, q, list);

  *silent = found == 0;
  if (found > 0) return list[0].contender;
  any.error = INFINITY;
  found     = sal_choose(a, n, cell, weight, &any, list);
  return found > 0 ? sal_choose_most_accurate(found, list)->contender : -1;
}

sal_verdict sal_judge_chosen(const sal_atlas *points, int64_t p, const sal_question *q, int chosen,
                             bool silent)
{
  const sal_offer offer = sal_offer_in(points, p, q);
  sal_ladder      ladder;
  const int       from = chosen < 0 ? -1 : climb(points->sweep, chosen, &ladder);
  sal_verdict     v    = sal_judge(points, p, &offer, q->error, &ladder, from);

  v.silent = silent;
  return v;
}

static sal_err judge_point(const sal_atlas *map, const sal_atlas *points, int64_t p,
                           const sal_question *q, sal_candidate list[], sal_verdict *out,
                           int64_t *outside)
{
  const sal_model *m = points->sweep->model;
  double           value[SAL_MAX_QUANTITY];
  sal_nearby       near;
  bool             silent;

  sal_sweep_cell(points->sweep, p, value, value + m->n_param + m->n_option);
  SAL_TRY(sal_nearby_find(map->sweep, value, &near));
  const int chosen = sal_answer(map, near.n, near.cell, near.weight, q, list, &silent);
  *out             = sal_judge_chosen(points, p, q, chosen, silent);
  *outside += near.n_outside > 0;
  sal_nearby_free(&near);
  return SAL_OK;
}

sal_err sal_judge_map(const sal_atlas *map, const sal_atlas *points, const sal_question *q,
                      sal_verdict verdict[], int64_t *outside)
{
  sal_candidate *list = sal_alloc((size_t)map->n_contender, sizeof *list);
  sal_err        err  = list ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a choice");

  *outside = 0;
  for (int64_t p = 0; err == SAL_OK && p < points->n_cell; ++p)
    err = judge_point(map, points, p, q, list, &verdict[p], outside);
  sal_free(list);
  return err;
}

static int by_size(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;

  return (a > b) - (a < b);
}

void sal_sort_values(int64_t n, double value[]) { qsort(value, (size_t)n, sizeof *value, by_size); }

double sal_quantile(int64_t n, const double value[], double q)
{
  const double  at  = q * (double)(n - 1);
  const int64_t low = (int64_t)at;
  const double  off = at - (double)low;

  return off == 0 || isinf(value[low]) ? value[low]
                                       : value[low] + off * (value[low + 1] - value[low]);
}

sal_spread sal_spread_of(int64_t n, double value[])
{
  double sum = 0;

  if (n == 0) return (sal_spread){NAN, NAN, NAN, NAN};
  sal_sort_values(n, value);
  for (int64_t i = 0; i < n; ++i) sum += value[i];
  return (sal_spread){.median = sal_quantile(n, value, 0.5),
                      .p90    = sal_quantile(n, value, 0.9),
                      .worst  = value[n - 1],
                      .mean   = sum / (double)n};
}

/* What there is of each kind, room [3][n]. */
static void add_up(int64_t n, const sal_verdict v[], double room[], sal_judgement *out)
{
  double *regret = room, *excess = room + n, *retried = excess + n;

  *out = (sal_judgement){.points = n};
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
  out->regret  = sal_spread_of(out->judged - out->missed, regret);
  out->excess  = sal_spread_of(out->missed, excess);
  out->retried = sal_spread_of(out->judged, retried);
}

sal_err sal_judgement_of(int64_t n, const sal_verdict verdict[], sal_judgement *out)
{
  double *room = sal_alloc((size_t)n, 3 * sizeof *room);

  if (!room) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld verdicts", (long long)n);
  add_up(n, verdict, room, out);
  sal_free(room);
  return SAL_OK;
}
