/** @file src/app/regret_run.c
 *  Points off the grid of a map, run, and the map asked there.
 */
#include "regret_run.h"
#include "atomic_file.h"
#include "cli_trust.h"
#include "collective_error.h"
#include "memory.h"
#include "offgrid.h"
#include "regret_answers.h"
#include "regret_points.h"
#include "run_print.h"
#include "sweep_read.h"
#include "unsealed.h"
#include <string.h>
#include <sys/stat.h>

enum { PRESET_POINTS = 200, PRESET_REPLICATES = 6, PRESET_SEED = 1 };

/* The state of this rank. */
typedef struct {
  const sal_regret_request *o;
  const sal_command_call *call;
  char *text;      /* of the sweep of the points */
  sal_sweep sweep; /* from it */
  int n_error;
  double error[SAL_MAX_QUESTION];
  sal_performance_cube map, points; /* of rank 0 */
} state;

/* The file that is to be written must not be the one that is read. */
static sal_err check_apart(const sal_regret_request *o)
{
  struct stat here, there;

  if (o->out && stat(o->out, &here) == 0 && stat(o->path, &there) == 0 &&
      here.st_dev == there.st_dev && here.st_ino == there.st_ino)
    return sal_fail(SAL_ERR_EXISTS, "%s: is read, and cannot be written, too", o->out);
  return SAL_OK;
}

/* Everything that can be refused before there is work done. */
static sal_err prepare_points(state *s)
{
  const sal_regret_request *o = s->o;
  sal_offgrid_request request = {.points = o->points ? o->points : PRESET_POINTS,
                                 .replicates =
                                     o->replicates ? (int)o->replicates : PRESET_REPLICATES,
                                 .seed = (uint64_t)(o->seed < 0 ? PRESET_SEED : o->seed)};
  const sal_performance_chooser chooser = sal_cli_performance_chooser(&o->table);

  SAL_TRY(check_apart(o));
  SAL_TRY(sal_performance_cube_open(o->path, &chooser, SAL_PERFORMANCE_ERRORS, &s->map));
  SAL_TRY(sal_regret_answers_check(&s->map));
  if (!o->error) {
    s->n_error = SAL_ERROR_METRIC_PRESETS;
    memcpy(s->error, s->map.table.by->preset, sizeof s->map.table.by->preset);
  } else {
    SAL_TRY(sal_cli_performance_errors(o->error, &s->map.table, &s->n_error, s->error));
  }
  if (o->from) return SAL_OK;
  SAL_TRY(sal_atomic_file_claim(o->out, o->force));
  if (o->table.methods) request.method = s->map.method;
  if (o->table.strategies) request.strategy = s->map.strategy;
  SAL_TRY(sal_offgrid_text(&s->map.sweep, &request, &s->text));
  if (!o->quiet) sal_unsealed_tell("regret", o->path, s->map.sealed);
  return SAL_OK;
}

/* Only the first rank has read the map. */
static sal_err share_text(state *s)
{
  int64_t size = s->text ? (int64_t)strlen(s->text) + 1 : 0;

  SAL_TRY_MPI(MPI_Bcast(&size, 1, MPI_INT64_T, 0, s->call->comm));
  if (s->call->rank != 0) s->text = sal_alloc((size_t)size, 1);
  SAL_TRY(sal_collective_error(
      s->call->comm, s->text ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for the points")));
  SAL_TRY_MPI(MPI_Bcast(s->text, (int)size, MPI_CHAR, 0, s->call->comm));
  return SAL_OK;
}

static sal_err run_points(state *s)
{
  const sal_run_options run = {.out = s->o->out,
                               .command = s->call->line,
                               .part = {1, 1},
                               .every = 30,
                               .sync = 10,
                               .force = s->o->force,
                               .quiet = s->o->quiet,
                               .tell = sal_run_print_begin};

  SAL_TRY(share_text(s));
  const sal_sweep_trust trust = sal_cli_trust_of(&s->o->recorded);
  SAL_TRY(sal_collective_error(
      s->call->comm, sal_sweep_parse_stored(s->o->path, s->text, 0, NULL, &trust, &s->sweep)));
  return sal_run_sweep(s->call->comm, s->call->began, &run, &s->sweep);
}

/* On rank 0. */
static sal_err print_answers(state *s)
{
  const sal_regret_request *o = s->o;
  const sal_cli_performance_words words = {.work = o->table.work, .by = o->table.by};
  const sal_performance_chooser chooser = sal_cli_performance_chooser(&words);
  const char *path = o->from ? o->from : o->out;

  SAL_TRY(sal_performance_cube_open(path, &chooser, SAL_PERFORMANCE_ERRORS, &s->points));
  SAL_TRY(sal_regret_points_check(o->path, &s->map.sweep, path, &s->points.sweep));
  return sal_regret_answers_print(stdout, &s->map, &s->points.sweep, s->n_error, s->error);
}

static sal_err draw_run_ask(state *s)
{
  SAL_TRY(sal_collective_error(s->call->comm, s->call->rank == 0 ? prepare_points(s) : SAL_OK));
  if (!s->o->from) SAL_TRY(run_points(s));
  return sal_collective_error(s->call->comm, s->call->rank == 0 ? print_answers(s) : SAL_OK);
}

sal_err sal_regret_run(const sal_regret_request *request, const sal_command_call *call)
{
  state s = {.o = request, .call = call};
  sal_err err = SAL_OK;

  if (request->error) err = sal_cli_performance_errors(request->error, NULL, &s.n_error, s.error);
  if (err == SAL_OK) err = draw_run_ask(&s);
  sal_free(s.text);
  sal_sweep_free(&s.sweep);
  sal_performance_cube_free(&s.map);
  sal_performance_cube_free(&s.points);
  return err;
}
