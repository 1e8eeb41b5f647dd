/** @file src/app/regret_report.c
 *  The map, the single best and other selectors, evaluated at the same points.
 */
#include "regret_report.h"
#include "contender.h"
#include "memory.h"
#include "paper_advice.h"
#include <math.h>
#include <string.h>

/* The figures of one asked error on their way. */
typedef struct {
  const sal_regret_report *report;
  sal_question             question;
  sal_virtual_best        *cell, *point; /* of the cells of the map, of the points */
  sal_regret_evaluation   *evaluation;   /* [points], of one selector after the other */
} regret_task;

/* A method with `switch`, the strategy of the paper's advice; empty where the cube lacks it. */
static sal_tolerance_schedule schedule_of_method(const sal_performance_cube *c, const char *name)
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
static int list_schedules(const sal_performance_cube *c, sal_tolerance_schedule schedule[])
{
  int n = 0;

  for (int k = 0; k < c->sweep.n_strategy; ++k)
    for (int m = 0; m < c->sweep.n_method; ++m)
      if (c->strategy[k] && c->method[m])
        schedule[n++] = sal_tolerance_schedule_of(&c->sweep, k, m);
  return n;
}

static sal_err evaluate_single_best(const regret_task *t, int n,
                                    const sal_tolerance_schedule schedule[],
                                    sal_single_best_rule rule, double risk, sal_regret_row *out)
{
  const sal_performance_table *points = &t->report->points.table;

  out->pick = sal_single_best_pick(&t->report->map.table, t->cell, t->question.error, n, schedule,
                                   rule, risk);
  if (out->pick.from < 0) return SAL_OK;
  out->there = true;
  sal_single_best_evaluate(points, t->point, t->question.error, &out->pick, t->evaluation);
  return sal_regret_summarise(points->n_cell, t->evaluation, &out->summary);
}

static sal_err evaluate_single_bests(const regret_task *t, sal_regret_answer *a)
{
  const sal_performance_cube  *map    = &t->report->map;
  const size_t                 pairs  = (size_t)sal_contender_pairs(&map->sweep);
  sal_tolerance_schedule      *all    = sal_alloc(pairs, sizeof *all);
  const sal_tolerance_schedule ode45  = schedule_of_method(map, "ode45"),
                               ode15s = schedule_of_method(map, "ode15s"),
                               paper  = sal_paper_advice(&map->sweep, map->method, map->strategy);

  if (!all) return sal_fail(SAL_ERR_MEMORY, "no memory for evaluations");
  const int n = list_schedules(map, all);
  const struct {
    sal_regret_selector           selector;
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
    err = evaluate_single_best(t, job[i].n, job[i].schedule, job[i].rule, a->risk,
                               &a->row[job[i].selector]);
  sal_free(all);
  return err;
}

/* Selectors that look at each point, from the cells around it or from its replicate: view
 * 0 .. n_view - 1. */
static const sal_regret_selector views[] = {SAL_REGRET_MAP, SAL_REGRET_REPLICATE,
                                            SAL_REGRET_CAUTIOUS};
enum { N_VIEW = sizeof views / sizeof *views };

static sal_err evaluate_view(const regret_task *t, int view, sal_regret_answer *a)
{
  const sal_regret_report *r        = t->report;
  sal_regret_evaluation   *v        = a->evaluation + view * r->points.table.n_cell;
  sal_regret_row          *row      = &a->row[views[view]];
  sal_question             question = t->question;

  row->there = true;
  if (views[view] == SAL_REGRET_REPLICATE) question.caution = 0;
  if (views[view] == SAL_REGRET_MAP)
    SAL_TRY(sal_regret_evaluate_map(&r->map.table, &r->points.table, &question, v, &a->outside));
  else
    SAL_TRY(sal_replicates_evaluate(&r->points.table, &r->replicate, r->dispersion, &question, v));
  return sal_regret_summarise(r->points.table.n_cell, v, &row->summary);
}

static sal_err evaluate_error(const regret_task *t, sal_regret_answer *a)
{
  const sal_performance_table *map = &t->report->map.table, *points = &t->report->points.table;
  const int                    n_view  = t->report->n_view;
  sal_regret_summary          *summary = &a->row[SAL_REGRET_MAP].summary;

  a->asked      = t->question.error;
  a->evaluation = sal_alloc((size_t)n_view * (size_t)points->n_cell, sizeof *a->evaluation);
  if (!a->evaluation) return sal_fail(SAL_ERR_MEMORY, "no memory for evaluations");
  for (int v = 0; v < n_view && v < N_VIEW; ++v) SAL_TRY(evaluate_view(t, v, a));
  a->risk = sal_single_best_risk(summary->missed, summary->evaluated);
  sal_virtual_best_all(map, &t->question, t->cell);
  sal_virtual_best_all(points, &t->question, t->point);
  return evaluate_single_bests(t, a);
}

static sal_err evaluate_errors(sal_regret_report *r, regret_task *t)
{
  int64_t evaluated = 0;

  if (!t->cell || !t->point || !t->evaluation)
    return sal_fail(SAL_ERR_MEMORY, "no memory for evaluations");
  for (int e = 0; e < r->n_error; ++e) {
    t->question = (sal_question){.error    = r->error[e],
                                 .caution  = r->caution,
                                 .method   = r->map.method,
                                 .strategy = r->map.strategy};
    SAL_TRY(evaluate_error(t, &r->answer[e]));
    evaluated += r->answer[e].row[SAL_REGRET_MAP].summary.evaluated;
  }
  if (evaluated > 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "--error: at no point any contender reaches %s%g",
                  r->n_error > 1 ? "one of these, not even " : "", r->error[0]);
}

static sal_err find_dispersion(sal_regret_report *r)
{
  r->dispersion = sal_alloc((size_t)r->replicate.n_contender, sizeof *r->dispersion);
  if (!r->dispersion) return sal_fail(SAL_ERR_MEMORY, "no memory for dispersion");
  return sal_replicates_dispersion(&r->points.table, &r->replicate, r->dispersion);
}

void sal_regret_split(sal_regret_report *r)
{
  sal_performance_table *points = &r->points.table;
  const int64_t          half   = points->n_cell / 2;

  points->n_cell = half;
  r->replicates  = true;
  r->replicate   = *points;
  r->replicate.work += half * points->n_contender;
  r->replicate.error += half * points->n_contender;
}

bool sal_regret_selects(const sal_regret_report *r, sal_regret_selector selector)
{
  for (int v = r->n_view; v < N_VIEW; ++v)
    if (views[v] == selector) return false;
  return true;
}

sal_err sal_regret_find(sal_regret_report *r)
{
  const size_t n_point = (size_t)r->points.table.n_cell;

  r->n_view = !r->replicates ? 1 : r->caution > 0 ? 3 : 2;
  if (r->replicates) SAL_TRY(find_dispersion(r));
  regret_task t = {.report     = r,
                   .cell       = sal_alloc((size_t)r->map.table.n_cell, sizeof *t.cell),
                   .point      = sal_alloc(n_point, sizeof *t.point),
                   .evaluation = sal_alloc(n_point, sizeof *t.evaluation)};

  const sal_err err = evaluate_errors(r, &t);
  sal_free(t.cell);
  sal_free(t.point);
  sal_free(t.evaluation);
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
  return retries ? single->summary.retried.mean / map->summary.retried.mean
                 : single->summary.regret.mean / map->summary.regret.mean;
}
