/** @file src/app/regret_report.c
 *  The map and its baselines, judged at the same points.
 */
#include "regret_report.h"
#include "contender.h"
#include "memory.h"
#include "paper_advice.h"
#include <math.h>
#include <string.h>

/* What an asked error is answered with. */
typedef struct {
  const sal_regret_report *report;
  sal_question             question;
  sal_virtual_best        *cell, *point; /* offers of the map's cells and of the points */
  sal_evaluation          *evaluation;   /* [points], of one baseline after the other */
} desk;

/* A method with `switch`, the strategy of the paper's advice; empty where the cube lacks it. */
static sal_tolerance_schedule always(const sal_performance_cube *c, const char *name)
{
  const sal_sweep *s = &c->sweep;

  for (int k = 0; k < s->n_strategy; ++k)
    for (int m = 0; m < s->n_method; ++m)
      if (strcmp(s->strategy[k]->name, "switch") == 0 && strcmp(s->method[m]->name, name) == 0 &&
          c->strategy[k] && c->method[m])
        return sal_tolerance_schedule_of(s, k, m);
  return (sal_tolerance_schedule){0};
}

/* Every method with every strategy that may win; returns how many. */
static int all_ladders(const sal_performance_cube *c, sal_tolerance_schedule schedule[])
{
  int n = 0;

  for (int k = 0; k < c->sweep.n_strategy; ++k)
    for (int m = 0; m < c->sweep.n_method; ++m)
      if (c->strategy[k] && c->method[m])
        schedule[n++] = sal_tolerance_schedule_of(&c->sweep, k, m);
  return n;
}

static sal_err judge(const desk *d, int n, const sal_tolerance_schedule schedule[],
                     sal_single_best_rule rule, double risk, sal_regret_row *out)
{
  const sal_performance_table *points = &d->report->points.table;

  out->pick = sal_single_best_pick(&d->report->map.table, d->cell, d->question.error, n, schedule,
                                   rule, risk);
  if (out->pick.from < 0) return SAL_OK;
  out->there = true;
  sal_single_best_evaluate(points, d->point, d->question.error, &out->pick, d->evaluation);
  return sal_regret_summarise(points->n_cell, d->evaluation, &out->got);
}

static sal_err judge_baselines(const desk *d, sal_regret_answer *a)
{
  const sal_performance_cube  *map   = &d->report->map;
  const size_t                 pairs = (size_t)sal_contender_pairs(&map->sweep);
  sal_tolerance_schedule      *all   = sal_alloc(pairs, sizeof *all);
  const sal_tolerance_schedule ode45 = always(map, "ode45"), ode15s = always(map, "ode15s"),
                               paper = sal_paper_advice(&map->sweep, map->method, map->strategy);

  if (!all) return sal_fail(SAL_ERR_MEMORY, "no memory for baselines");
  const int n = all_ladders(map, all);
  const struct {
    sal_regret_who                who;
    int                           n;
    const sal_tolerance_schedule *schedule;
    sal_single_best_rule          rule;
  } job[]     = {{SAL_REGRET_ODE45, 1, &ode45, SAL_SINGLE_BEST_AS_SAFE},
                 {SAL_REGRET_ODE15S, 1, &ode15s, SAL_SINGLE_BEST_AS_SAFE},
                 {SAL_REGRET_PAPER, 1, &paper, SAL_SINGLE_BEST_AS_SAFE},
                 {SAL_REGRET_AS_SAFE, n, all, SAL_SINGLE_BEST_AS_SAFE},
                 {SAL_REGRET_BY_RETRIES, n, all, SAL_SINGLE_BEST_BY_RETRIES}};
  sal_err err = SAL_OK;
  for (size_t i = 0; err == SAL_OK && i < sizeof job / sizeof *job; ++i)
    err = judge(d, job[i].n, job[i].schedule, job[i].rule, a->risk, &a->row[job[i].who]);
  sal_free(all);
  return err;
}

/* Who answers at a point from what lies around or right beside it, view 0 .. n_view - 1. */
static const sal_regret_who views[] = {SAL_REGRET_MAP, SAL_REGRET_REPLICATE, SAL_REGRET_CAUTIOUS};
enum { N_VIEW = sizeof views / sizeof *views };

static sal_err look(const desk *d, int view, sal_regret_answer *a)
{
  const sal_regret_report *r        = d->report;
  sal_evaluation          *v        = a->evaluation + view * r->points.table.n_cell;
  sal_regret_row          *row      = &a->row[views[view]];
  sal_question             question = d->question;

  row->there = true;
  if (views[view] == SAL_REGRET_REPLICATE) question.caution = 0;
  if (views[view] == SAL_REGRET_MAP)
    SAL_TRY(sal_regret_evaluate_map(&r->map.table, &r->points.table, &question, v, &a->outside));
  else
    SAL_TRY(sal_replicates_evaluate(&r->points.table, &r->replicate, r->dispersion, &question, v));
  return sal_regret_summarise(r->points.table.n_cell, v, &row->got);
}

static sal_err answer(const desk *d, sal_regret_answer *a)
{
  const sal_performance_table *map = &d->report->map.table, *points = &d->report->points.table;
  const int                    n_view = d->report->n_view;
  sal_regret_summary          *got    = &a->row[SAL_REGRET_MAP].got;

  a->asked      = d->question.error;
  a->evaluation = sal_alloc((size_t)n_view * (size_t)points->n_cell, sizeof *a->evaluation);
  if (!a->evaluation) return sal_fail(SAL_ERR_MEMORY, "no memory for evaluations");
  for (int v = 0; v < n_view; ++v) SAL_TRY(look(d, v, a));
  a->risk = sal_single_best_risk(got->missed, got->judged);
  sal_virtual_best_all(map, &d->question, d->cell);
  sal_virtual_best_all(points, &d->question, d->point);
  return judge_baselines(d, a);
}

static sal_err answer_all(sal_regret_report *r, desk *d)
{
  int64_t judged = 0;

  if (!d->cell || !d->point || !d->evaluation)
    return sal_fail(SAL_ERR_MEMORY, "no memory for baselines");
  for (int e = 0; e < r->n_error; ++e) {
    d->question = (sal_question){.error    = r->error[e],
                                 .caution  = r->caution,
                                 .method   = r->map.method,
                                 .strategy = r->map.strategy};
    SAL_TRY(answer(d, &r->answer[e]));
    judged += r->answer[e].row[SAL_REGRET_MAP].got.judged;
  }
  if (judged > 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "--error: at no point any contender reaches %s%g",
                  r->n_error > 1 ? "one of these, not even " : "", r->error[0]);
}

static sal_err find_luck(sal_regret_report *r)
{
  r->dispersion = sal_alloc((size_t)r->replicate.n_contender, sizeof *r->dispersion);
  if (!r->dispersion) return sal_fail(SAL_ERR_MEMORY, "no memory for dispersion");
  return sal_replicates_dispersion(&r->points.table, &r->replicate, r->dispersion);
}

void sal_regret_part(sal_regret_report *r)
{
  sal_performance_table *points = &r->points.table;
  const int64_t          half   = points->n_cell / 2;

  points->n_cell = half;
  r->replicates  = true;
  r->replicate   = *points;
  r->replicate.work += half * points->n_contender;
  r->replicate.error += half * points->n_contender;
}

bool sal_regret_asked(const sal_regret_report *r, sal_regret_who who)
{
  for (int v = r->n_view; v < N_VIEW; ++v)
    if (views[v] == who) return false;
  return true;
}

sal_err sal_regret_find(sal_regret_report *r)
{
  const size_t n_point = (size_t)r->points.table.n_cell;

  r->n_view = !r->replicates ? 1 : r->caution > 0 ? 3 : 2;
  if (r->replicates) SAL_TRY(find_luck(r));
  desk d = {.report     = r,
            .cell       = sal_alloc((size_t)r->map.table.n_cell, sizeof *d.cell),
            .point      = sal_alloc(n_point, sizeof *d.point),
            .evaluation = sal_alloc(n_point, sizeof *d.evaluation)};

  const sal_err err = answer_all(r, &d);
  sal_free(d.cell);
  sal_free(d.point);
  sal_free(d.evaluation);
  return err;
}

void sal_regret_free(sal_regret_report *r)
{
  for (int e = 0; e < r->n_error; ++e) sal_free(r->answer[e].evaluation);
  sal_free(r->dispersion);
  sal_performance_cube_free(&r->points);
  sal_performance_cube_free(&r->map);
  *r = (sal_regret_report){0};
}

double sal_regret_ratio(const sal_regret_answer *a, bool retries)
{
  const sal_regret_row *map    = &a->row[SAL_REGRET_MAP];
  const sal_regret_row *single = &a->row[retries ? SAL_REGRET_BY_RETRIES : SAL_REGRET_AS_SAFE];

  if (!single->there) return NAN;
  return retries ? single->got.retried.mean / map->got.retried.mean
                 : single->got.regret.mean / map->got.regret.mean;
}
