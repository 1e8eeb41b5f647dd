/** A sweep of one cell, in memory: that of the cube with the point and the configurations put in.
 */
#include "ask.h"
#include "base.h"
#include "model_source.h"
#include "sweep_read.h"
#include "tile_run.h"

/* "cells={axes: [{name: b, list: [1951]}, ..]}" */
static void add_point(const sal_advice *a, sal_text *out)
{
  const sal_model *m = a->cube.sweep.model;
  const char *next = "cells={axes: [";
  char number[SAL_TEXT_NUMBER];

  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    if (!sal_parameter_column_varies(&a->cube.sweep, k)) continue;
    sal_text_add(out, "%s{name: %s, list: [%s]}", next, sal_parameter_column_name(m, k),
                 sal_parameter_column_text(m, k, a->value[k], 17, number));
    next = ", ";
  }
  sal_text_add(out, "]}");
}

/* "solvers=[ode45, ode15s]", the two without doubles. */
static void add_words(const char *key, const char *one, const char *two, sal_text *out)
{
  if (two && two != one)
    sal_text_add(out, "%s=[%s, %s]", key, one, two);
  else
    sal_text_add(out, "%s=[%s]", key, one);
}

static void add_tolerances(double one, double two, sal_text *out)
{
  if (two > 0 && two != one)
    sal_text_add(out, "rtol=[%.17g, %.17g]", one, two);
  else
    sal_text_add(out, "rtol=[%.17g]", one);
}

/* The sweep of the point.  Caps and thresholds of divergence are for the configurations of the cube. */
sal_err sal_recommend_sweep(const sal_advice *a, const sal_surrogate_choice *c,
                            const sal_surrogate_choice *d, sal_sweep *sweep)
{
  enum { EDITS = 5, PLAIN = 5 };
  static const char *const plain[PLAIN] = {"timing.repeats=0", "cutoff={}", "store={}",
                                           "divergence={}", "unsupported=leave-out"};
  const sal_sweep *s = &a->cube.sweep;
  const bool two = d->pair >= 0;
  sal_text text[EDITS] = {{0}};
  const char *set[EDITS + PLAIN];

  add_point(a, &text[0]);
  add_words("solvers", s->method[c->pair % s->n_method]->name,
            two ? s->method[d->pair % s->n_method]->name : NULL, &text[1]);
  add_words("strategies", s->strategy[c->pair / s->n_method]->name,
            two ? s->strategy[d->pair / s->n_method]->name : NULL, &text[2]);
  add_tolerances(c->tolerance, two ? d->tolerance : 0, &text[3]);
  const double own = s->budget.work > 0 ? s->budget.work : SAL_RECOMMEND_BUDGET;
  sal_text_add(&text[4], "budget.work=%.17g", a->budget > 0 ? a->budget : own);
  bool ok = true;
  for (int i = 0; i < EDITS; ++i) {
    ok = ok && text[i].string && !text[i].lost;
    set[i] = text[i].string;
  }
  for (int i = 0; i < PLAIN; ++i) set[EDITS + i] = plain[i];
  const sal_err err =
      ok ? sal_sweep_parse_stored(a->path, s->text, EDITS + PLAIN, set, &a->trust, sweep)
         : sal_fail(SAL_ERR_MEMORY, "no memory for a run");
  for (int i = 0; i < EDITS; ++i) sal_text_free(&text[i]);
  return err;
}

/* The configuration of the sweep of the point that a choice is. */
int sal_recommend_config(const sal_advice *a, const sal_sweep *sweep, const sal_surrogate_choice *c)
{
  const sal_sweep *s = &a->cube.sweep;
  sal_config at = {0};

  while (!sal_solver_source_same(sweep, at.method, s, c->pair % s->n_method)) ++at.method;
  while (sweep->strategy[at.strategy] != s->strategy[c->pair / s->n_method]) ++at.strategy;
  while (sweep->tolerance[at.tolerance] != c->tolerance) ++at.tolerance;
  return sal_config_encode(sweep, at);
}

/* The table's work is in evaluations of f: what steps take is known by the pairs of the cube. */
static void take_runs(sal_advice *a, const sal_sweep *sweep, const sal_performance_table *table,
                      const sal_record record[])
{
  a->reference_error = table->reference_error[0];
  for (int i = 0; i < 2; ++i) {
    sal_recommend_run *run = &a->run[i];
    if (run->choice.pair < 0) continue;
    const int k = sal_recommend_config(a, sweep, &run->choice);
    run->work =
        isnan(table->work[k])
            ? NAN
            : sal_step_cost_work(&a->source.weights, a->source.by,
                                 sal_config_decode(&a->cube.sweep, run->choice.pair), &record[k]);
    run->error = table->error[k];
    run->outcome = (int)record[k].value[SAL_METRIC_OUTCOME];
    run->reached = record[k].value[SAL_METRIC_T_REACHED];
  }
}

static sal_err run_cell(sal_advice *a, const sal_sweep *sweep)
{
  const sal_tile one = {0, 1};
  SAL_OWN_BY(sal_tile_space_destroy) sal_tile_space *space = NULL;
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};
  SAL_OWN_BY(sal_performance_free) sal_performance_table table = {0};
  sal_work_weights weights = a->source.weights;

  weights.time = NULL;
  SAL_TRY(sal_tile_space_create(sweep, 1, &space));
  SAL_TRY(sal_tile_run(space, &one, &result));
  SAL_TRY(sal_performance_create(sweep, 1, a->source.by, &weights, false, false, &table));
  sal_performance_add(&table, &result);
  take_runs(a, sweep, &table, result.record);
  return SAL_OK;
}

sal_err sal_recommend_run_at(sal_advice *a)
{
  const sal_surrogate_answer *found = a->answer;
  int second = 1; /* the runner-up, which a miss at the point may have made the answer */
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};

  a->run[0] = (sal_recommend_run){.choice = a->answer->best, .error = NAN, .work = NAN};
  a->run[1] = (sal_recommend_run){.choice = {.pair = -1}};
  if (second < found->n_pair && found->pair[second].pair == found->best.pair) ++second;
  if (second < found->n_pair)
    a->run[1] = (sal_recommend_run){.choice = found->pair[second], .error = NAN, .work = NAN};
  SAL_TRY(sal_recommend_sweep(a, &a->run[0].choice, &a->run[1].choice, &sweep));
  SAL_TRY(run_cell(a, &sweep));
  a->ran = true;
  return SAL_OK;
}
