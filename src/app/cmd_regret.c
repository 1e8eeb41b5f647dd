/** saltus regret: what a map advises at fresh points, and what all configurations do there. */
#include "answer_json.h"
#include "cli_compile.h"
#include "cli_performance.h"
#include "cli_sweep.h"
#include "collective_error.h"
#include "regret_run.h"
#include <string.h>

enum { PRESET_POINTS = 200, PRESET_REPLICATES = 6, PRESET_SEED = 1 };

typedef struct {
  const char *path, *out, *from, *error;
  int64_t points, replicates, seed; /* 0, 0 and -1: not given */
  bool force, quiet;
  sal_cli_texts recorded;
  sal_cli_performance_words table;
} options;
static const options presets = {.seed = -1};

#define OPTIONS_OF_regret
#include "options.def"

#define ROWS static const sal_cli_option output_rows[]
#define OPTIONS_OF_regret_output
#include "options.def"

static sal_err check_regret(void *given)
{
  const options *o = given;

  if (o->from && (o->points || o->seed >= 0 || o->replicates || o->out))
    return sal_fail(
        SAL_ERR_USAGE,
        "--from draws no points: leave out --points, --replicates, --seed and --output");
  if (!o->from && !o->out)
    return sal_fail(SAL_ERR_USAGE, "required: --output POINTS.h5 for new points, or "
                                   "--from POINTS.h5 where they are there already");
  return SAL_OK;
}

static sal_regret_request request_of(const options *o, const sal_cli_performance_words *points,
                                     const sal_command_call *call)
{
  return (sal_regret_request){
      .path = o->path,
      .from = o->from,
      .points = {.points = o->points ? o->points : PRESET_POINTS,
                 .replicates = o->replicates ? (int)o->replicates : PRESET_REPLICATES,
                 .seed = (uint64_t)(o->seed < 0 ? PRESET_SEED : o->seed)},
      .some_methods = o->table.winners.solvers || o->table.winners.in,
      .some_strategies = o->table.winners.strategies,
      .map_as = sal_cli_performance_chooser(&o->table),
      .points_as = sal_cli_performance_chooser(points),
      .trust = sal_cli_trust_of(&o->recorded),
      .run = {.out = o->out,
              .command = call->line,
              .part = {1, 1},
              .every = 30,
              .sync = 10,
              .force = o->force,
              .quiet = o->quiet,
              .print = sal_run_print_begin}};
}

/* The requested errors. */
typedef struct {
  int n;
  double value[SAL_MAX_QUESTION];
} asked_errors;

/* On rank 0: everything that can be refused before there is work done. */
static sal_err prepare(const options *o, sal_regret *r, asked_errors *asked)
{
  SAL_TRY(sal_regret_open(r));
  if (o->error) {
    SAL_TRY(sal_cli_performance_errors(o->error, &r->map.table, &asked->n, asked->value));
  } else {
    asked->n = SAL_ERROR_METRIC_PRESETS;
    memcpy(asked->value, r->map.table.by->preset, sizeof r->map.table.by->preset);
  }
  if (o->from) return SAL_OK;
  SAL_TRY(sal_regret_draw(r));
  return SAL_OK;
}

static void put_list(sal_json *j, const char *name, int n, const double value[])
{
  sal_json_array(j, name);
  for (int i = 0; i < n; ++i) sal_json_number(j, NULL, value[i]);
  sal_json_end(j);
}

static void put_work(sal_json *j, const sal_performance_table *t)
{
  sal_json_object(j, "work");
  for (int i = 0; i < SAL_N_WORK; ++i) {
    const double weight = sal_work_weight(&t->weights, i);
    if (weight > 0 && t->by->count[i] >= 0)
      sal_json_number(j, sal_metrics[t->by->count[i]].name, weight);
  }
  sal_json_end(j);
}

/* Times that make up the work where it is a time, in s: "step_costs": {"switch": {"ode45": 1e-07, ..}, ..} */
static void put_steps(sal_json *j, const sal_sweep *s, const sal_step_cost *time)
{
  sal_json_members(j, "f_costs %g, lanes %d, steps_of %s", time->field, time->lanes, time->machine);
  sal_json_object(j, "step_costs");
  for (int k = 0; k < s->n_strategy; ++k) {
    sal_json_object(j, s->strategy[k]->name);
    for (int m = 0; m < s->n_method; ++m)
      sal_json_number(j, s->method[m]->name, sal_step_cost_of(time, k, m));
    sal_json_end(j);
  }
  sal_json_end(j);
}

static void put_configs(sal_json *j, const sal_regret_question *q)
{
  const sal_sweep *s = &q->map->sweep;

  sal_json_array(j, "solvers");
  for (int m = 0; m < s->n_method; ++m)
    if (q->method[m]) sal_json_text(j, NULL, s->method[m]->name);
  sal_json_end(j);
  sal_json_array(j, "strategies");
  for (int k = 0; k < s->n_strategy; ++k)
    if (q->strategy[k]) sal_json_text(j, NULL, s->strategy[k]->name);
  sal_json_end(j);
}

/* The first line. */
static void print_question(const sal_regret_question *q)
{
  const sal_performance_table *t = &q->map->table;
  sal_json j;

  sal_json_begin(&j, stdout);
  put_configs(&j, q);
  put_list(&j, "errors", q->n_error, q->error);
  put_list(&j, "probabilities", SAL_REGRET_PROBABILITIES, sal_regret_probabilities);
  sal_json_members(&j, "by %s, reference %s", sal_error_metric_name(t->by),
                   sal_metrics_of_cell[t->by->truth_error].name);
  if (t->by->truth_least)
    sal_json_number(&j, "reference_least", t->by->truth_least(&q->map->sweep.orbit));
  put_work(&j, t);
  if (t->weights.time) put_steps(&j, t->sweep, t->weights.time);
  sal_json_whole(&j, "replicates", q->replicates);
  sal_json_end(&j);
}

static void put_choice(sal_json *j, const char *name, const sal_sweep *s,
                       const sal_surrogate_choice *c)
{
  if (c->pair < 0) {
    sal_json_text(j, name, NULL);
    return;
  }
  sal_json_object(j, name);
  sal_answer_json_choice(j, s, c);
  sal_json_end(j);
}

static void put_answer(sal_json *j, const sal_sweep *s, const sal_regret_answer *a)
{
  sal_json_object(j, NULL);
  sal_json_members(j, "error %g, reason %s", a->error, sal_map_reasons[a->schedule->reason].label);
  put_choice(j, "total", s, &a->schedule->repeated);
  put_choice(j, "likely", s, &a->schedule->likely);
  sal_answer_json_schedule(j, s, a->schedule);
  sal_json_array(j, "confident");
  for (int i = 0; i < SAL_REGRET_PROBABILITIES; ++i) put_choice(j, NULL, s, &a->confident[i]);
  sal_json_end(j);
  sal_json_end(j);
}

static sal_err print_point(void *with, const sal_regret_point *p)
{
  const sal_regret_question *q = with;
  const sal_sweep *s = &q->map->sweep;
  sal_json j;

  sal_json_begin(&j, stdout);
  sal_answer_json_at(&j, s, p->value);
  sal_json_array(&j, "cells");
  for (int64_t r = 0; r < q->replicates; ++r) sal_json_whole(&j, NULL, p->first + r * p->stride);
  sal_json_end(&j);
  sal_answer_json_outside(&j, s->model, p->answer->schedule);
  sal_json_array(&j, "answers");
  for (int i = 0; i < q->n_error; ++i) put_answer(&j, s, &p->answer[i]);
  sal_json_end(&j);
  sal_json_end(&j);
  return SAL_OK;
}

/* On rank 0. */
static sal_err print_answers(sal_regret *r, const asked_errors *asked)
{
  SAL_TRY(sal_regret_open_points(r));
  sal_regret_question q =
      sal_regret_answers_question(&r->map, &r->points.sweep, asked->n, asked->value);
  print_question(&q);
  return sal_regret_answers_each(&q, print_point, &q);
}

static sal_err run_regret(void *given, sal_command_call *call)
{
  const options *o = given;
  sal_cli_performance_words points = o->table; /* by all configurations */
  SAL_OWN_BY(sal_regret_free) sal_regret r = {.request = request_of(o, &points, call)};
  asked_errors asked = {0};

  points.winners.solvers = points.winners.strategies = points.winners.in = NULL;
  if (o->error) SAL_TRY(sal_cli_performance_errors(o->error, NULL, &asked.n, asked.value));
  SAL_TRY(sal_collective_first(call->comm, prepare(o, &r, &asked)));
  if (!o->from) SAL_TRY(sal_regret_run(call->comm, call->began, &r));
  return sal_collective_first(call->comm, print_answers(&r, &asked));
}

const sal_command_code sal_cmd_regret = {
    .table = {{rows, 0},
              {output_rows, 0},
              {sal_cli_trust_options, offsetof(options, recorded)},
              {sal_cli_petsc_options, 0}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_regret,
    .run = run_regret};
