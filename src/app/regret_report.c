/** @file src/app/regret_report.c
 *  The map and its baselines, judged at the same points.
 */
#include "regret_report.h"
#include "memory.h"
#include "paper_advice.h"
#include <math.h>
#include <string.h>

/* What an asked error is answered with. */
typedef struct {
  const sal_regret_report *report;
  sal_question             question;
  sal_offer               *cell, *point; /* offers of the map's cells and of the points */
  sal_verdict             *verdict;      /* [points], of one baseline after the other */
} desk;

/* A method with `switch`, the strategy of the paper's advice; empty where the cube lacks it. */
static sal_ladder always(const sal_atlas_cube *c, const char *name)
{
  const sal_sweep *s = &c->sweep;

  for (int k = 0; k < s->n_strategy; ++k)
    for (int m = 0; m < s->n_method; ++m)
      if (strcmp(s->strategy[k]->name, "switch") == 0 && strcmp(s->method[m]->name, name) == 0 &&
          c->strategy[k] && c->method[m])
        return sal_ladder_of(s, k, m);
  return (sal_ladder){0};
}

/* Every method with every strategy that may win; returns how many. */
static int all_ladders(const sal_atlas_cube *c, sal_ladder ladder[])
{
  int n = 0;

  for (int k = 0; k < c->sweep.n_strategy; ++k)
    for (int m = 0; m < c->sweep.n_method; ++m)
      if (c->strategy[k] && c->method[m]) ladder[n++] = sal_ladder_of(&c->sweep, k, m);
  return n;
}

static sal_err judge(const desk *d, int n, const sal_ladder ladder[], sal_pick_rule rule,
                     double risk, sal_regret_row *out)
{
  const sal_atlas *points = &d->report->points.atlas;

  out->pick =
      sal_baseline_pick(&d->report->map.atlas, d->cell, d->question.error, n, ladder, rule, risk);
  if (out->pick.from < 0) return SAL_OK;
  out->there = true;
  sal_judge_baseline(points, d->point, d->question.error, &out->pick, d->verdict);
  return sal_judgement_of(points->n_cell, d->verdict, &out->got);
}

static sal_err judge_baselines(const desk *d, sal_regret_answer *a)
{
  const sal_atlas_cube *map   = &d->report->map;
  const size_t          pairs = (size_t)map->sweep.n_strategy * (size_t)map->sweep.n_method;
  sal_ladder           *all   = sal_alloc(pairs, sizeof *all);
  const sal_ladder      ode45 = always(map, "ode45"), ode15s = always(map, "ode15s"),
                   paper = sal_paper_advice(&map->sweep, map->method, map->strategy);

  if (!all) return sal_fail(SAL_ERR_MEMORY, "no memory for baselines");
  const int n = all_ladders(map, all);
  const struct {
    sal_regret_who    who;
    int               n;
    const sal_ladder *ladder;
    sal_pick_rule     rule;
  } job[]     = {{SAL_REGRET_ODE45, 1, &ode45, SAL_PICK_AS_SAFE},
                 {SAL_REGRET_ODE15S, 1, &ode15s, SAL_PICK_AS_SAFE},
                 {SAL_REGRET_PAPER, 1, &paper, SAL_PICK_AS_SAFE},
                 {SAL_REGRET_AS_SAFE, n, all, SAL_PICK_AS_SAFE},
                 {SAL_REGRET_BY_RETRIES, n, all, SAL_PICK_BY_RETRIES}};
  sal_err err = SAL_OK;
  for (size_t i = 0; err == SAL_OK && i < sizeof job / sizeof *job; ++i)
    err = judge(d, job[i].n, job[i].ladder, job[i].rule, a->risk, &a->row[job[i].who]);
  sal_free(all);
  return err;
}

/* Who answers at a point from what lies around or right beside it, view 0 .. n_view - 1. */
static const sal_regret_who views[] = {SAL_REGRET_MAP, SAL_REGRET_TWIN, SAL_REGRET_CAUTIOUS};
enum { N_VIEW = sizeof views / sizeof *views };

static sal_err look(const desk *d, int view, sal_regret_answer *a)
{
  const sal_regret_report *r        = d->report;
  sal_verdict             *v        = a->verdict + view * r->points.atlas.n_cell;
  sal_regret_row          *row      = &a->row[views[view]];
  sal_question             question = d->question;

  row->there = true;
  if (views[view] == SAL_REGRET_TWIN) question.caution = 0;
  if (views[view] == SAL_REGRET_MAP)
    SAL_TRY(sal_judge_map(&r->map.atlas, &r->points.atlas, &question, v, &a->outside));
  else
    SAL_TRY(sal_judge_twins(&r->points.atlas, &r->twin, r->luck, &question, v));
  return sal_judgement_of(r->points.atlas.n_cell, v, &row->got);
}

static sal_err answer(const desk *d, sal_regret_answer *a)
{
  const sal_atlas *map = &d->report->map.atlas, *points = &d->report->points.atlas;
  const int        n_view = d->report->n_view;
  sal_judgement   *got    = &a->row[SAL_REGRET_MAP].got;

  a->asked   = d->question.error;
  a->verdict = sal_alloc((size_t)n_view * (size_t)points->n_cell, sizeof *a->verdict);
  if (!a->verdict) return sal_fail(SAL_ERR_MEMORY, "no memory for verdicts");
  for (int v = 0; v < n_view; ++v) SAL_TRY(look(d, v, a));
  a->risk = sal_baseline_risk(got->missed, got->judged);
  sal_offers(map, &d->question, d->cell);
  sal_offers(points, &d->question, d->point);
  return judge_baselines(d, a);
}

static sal_err answer_all(sal_regret_report *r, desk *d)
{
  int64_t judged = 0;

  if (!d->cell || !d->point || !d->verdict)
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
  r->luck = sal_alloc((size_t)r->twin.n_contender, sizeof *r->luck);
  if (!r->luck) return sal_fail(SAL_ERR_MEMORY, "no memory for luck");
  return sal_luck_find(&r->points.atlas, &r->twin, r->luck);
}

void sal_regret_part(sal_regret_report *r)
{
  sal_atlas    *points = &r->points.atlas;
  const int64_t half   = points->n_cell / 2;

  points->n_cell = half;
  r->twins       = true;
  r->twin        = *points;
  r->twin.work += half * points->n_contender;
  r->twin.error += half * points->n_contender;
}

bool sal_regret_asked(const sal_regret_report *r, sal_regret_who who)
{
  for (int v = r->n_view; v < N_VIEW; ++v)
    if (views[v] == who) return false;
  return true;
}

sal_err sal_regret_find(sal_regret_report *r)
{
  const size_t n_point = (size_t)r->points.atlas.n_cell;

  r->n_view = !r->twins ? 1 : r->caution > 0 ? 3 : 2;
  if (r->twins) SAL_TRY(find_luck(r));
  desk d = {.report  = r,
            .cell    = sal_alloc((size_t)r->map.atlas.n_cell, sizeof *d.cell),
            .point   = sal_alloc(n_point, sizeof *d.point),
            .verdict = sal_alloc(n_point, sizeof *d.verdict)};

  const sal_err err = answer_all(r, &d);
  sal_free(d.cell);
  sal_free(d.point);
  sal_free(d.verdict);
  return err;
}

void sal_regret_free(sal_regret_report *r)
{
  for (int e = 0; e < r->n_error; ++e) sal_free(r->answer[e].verdict);
  sal_free(r->luck);
  sal_atlas_cube_free(&r->points);
  sal_atlas_cube_free(&r->map);
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
