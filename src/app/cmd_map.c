/** saltus map: the best configuration of each cell, written into the cube. */
#include "base.h"
#include "cli_compile.h"
#include "cli_performance.h"
#include "map_cube.h"
#include "map_print.h"

typedef struct {
  const char *path, *error;
  sal_cli_texts weights;
  bool json;
  sal_cli_performance_words table;
  sal_cli_compile compile;
} options;

#define OPTIONS_OF_map
#include "options.def"

static sal_err read_questions(const options *o, sal_map *map)
{
  *map = (sal_map){0};
  if (o->error) SAL_TRY(sal_cli_performance_errors(o->error, NULL, &map->n_error, map->error));
  if (o->weights.n > SAL_MAX_QUESTION)
    return sal_fail(SAL_ERR_USAGE, "more than %d --weights", SAL_MAX_QUESTION);
  for (int i = 0; i < o->weights.n; ++i) {
    SAL_TRY(sal_map_weights_parse("--weights", o->weights.text[i], &map->weights[i]));
    for (int k = 0; k < i; ++k)
      if (memcmp(&map->weights[k], &map->weights[i], sizeof *map->weights) == 0)
        return sal_fail(SAL_ERR_USAGE, "--weights: %s is there twice", o->weights.text[i]);
  }
  map->n_weights = o->weights.n;
  return SAL_OK;
}

/* Reads the errors in their unit, which the cube gives. */
static sal_err ask_errors(const void *with, const sal_performance_table *of, sal_map *map)
{
  return sal_cli_performance_errors(with, of, &map->n_error, map->error);
}

static sal_err run_map(void *given, sal_command_call *call)
{
  const options *o = given;
  const sal_performance_chooser chooser = sal_cli_performance_chooser(&o->table);
  const sal_map_request request = {
      .path = o->path, .chooser = &chooser, .ask = o->error ? ask_errors : NULL, .with = o->error};
  SAL_OWN_BY(sal_map_made_free) sal_map_made made = {0};

  SAL_TRY(sal_cli_compile_given(&o->compile, call));
  SAL_TRY(read_questions(o, &made.questions));
  SAL_TRY(sal_map_cube(call->comm, &request, &made));
  if (call->rank != 0) return SAL_OK;
  sal_map_captured captured;
  SAL_TRY(sal_map_captured_count(o->path, &made.cube.sweep, &captured));
  sal_report r;
  sal_report_begin(&r, stdout, o->json);
  sal_map_print(&r, &made.cube, &made.questions, &made.summary, &captured);
  sal_report_end(&r);
  return SAL_OK;
}

const sal_command_code sal_cmd_map = {
    .table = {{rows, 0},
              {sal_cli_performance_options, offsetof(options, table)},
              {sal_cli_given_options, offsetof(options, compile)}},
    .size = sizeof(options),
    .run = run_map};
