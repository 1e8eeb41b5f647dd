/** saltus regret: what a map advises at fresh points, and what all configurations do there. */
#include "cli_compile.h"
#include "cli_performance.h"
#include "cli_sweep.h"
#include "collective_error.h"
#include "map_print.h"
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
      .some_methods = o->table.methods || o->table.in,
      .some_strategies = o->table.strategies,
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

static sal_err print_point(void *with, const sal_regret_point *point)
{
  sal_regret_print_point(stdout, with, point);
  return SAL_OK;
}

/* On rank 0. */
static sal_err print_answers(sal_regret *r, const asked_errors *asked)
{
  SAL_TRY(sal_regret_open_points(r));
  sal_regret_question q =
      sal_regret_answers_question(&r->map, &r->points.sweep, asked->n, asked->value);
  sal_regret_print_question(stdout, &q);
  return sal_regret_answers_each(&q, print_point, &q);
}

static sal_err run_regret(void *given, sal_command_call *call)
{
  const options *o = given;
  const sal_cli_performance_words points = {.work = o->table.work,
                                            .f_costs = o->table.f_costs,
                                            .steps = o->table.steps,
                                            .lanes = o->table.lanes,
                                            .by = o->table.by};
  SAL_OWN_BY(sal_regret_free) sal_regret r = {.request = request_of(o, &points, call)};
  asked_errors asked = {0};

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
