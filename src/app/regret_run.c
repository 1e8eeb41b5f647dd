/** @file src/app/regret_run.c
 *  Points off the grid of a map, run and evaluated.
 */
#include "regret_run.h"
#include "atomic_file.h"
#include "collective_error.h"
#include "memory.h"
#include "offgrid.h"
#include "regret_points.h"
#include "regret_report.h"
#include "run_print.h"
#include "sweep_read.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PRESET_POINTS = 200, PRESET_SEED = 1 };

/* The state of this rank. */
typedef struct {
  const sal_regret_request *o;
  const sal_command_call   *call;
  char                      temporary[PATH_MAX];
  const char               *points_path;
  char                     *text;   /* of the sweep of the points */
  sal_sweep                 sweep;  /* from it */
  sal_regret_report         report; /* of rank 0 */
} state;

/* A file that is to be written must not be one that is read. */
static sal_err check_apart(const sal_regret_request *o, const char *path)
{
  const char *read[] = {o->path, o->from};
  struct stat here, there;

  for (int i = 0; path && i < 2; ++i)
    if (read[i] && stat(path, &here) == 0 && stat(read[i], &there) == 0 &&
        here.st_dev == there.st_dev && here.st_ino == there.st_ino)
      return sal_fail(SAL_ERR_EXISTS, "%s: is read, and cannot be written, too", path);
  return SAL_OK;
}

/* Everything that can be refused before there is work done. */
static sal_err prepare_points(state *s)
{
  const sal_regret_request *o = s->o;
  sal_regret_report        *r = &s->report;

  SAL_TRY(check_apart(o, o->out));
  SAL_TRY(check_apart(o, o->csv));
  SAL_TRY(sal_performance_cube_open(o->path, &o->table, SAL_PERFORMANCE_ERRORS, &r->map));
  if (!o->error) {
    r->n_error = SAL_ERROR_METRIC_PRESETS;
    memcpy(r->error, r->map.table.by->preset, sizeof r->map.table.by->preset);
  }
  if (o->csv) SAL_TRY(sal_atomic_file_claim(o->csv, o->force));
  if (o->from) return SAL_OK;
  SAL_TRY(sal_atomic_file_claim(s->points_path, o->force || !o->out));
  return sal_offgrid_text(&r->map.sweep, o->points ? o->points : PRESET_POINTS,
                          (uint64_t)(o->seed < 0 ? PRESET_SEED : o->seed), o->replicates, &s->text);
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
  const sal_run_options run = {.out     = s->points_path,
                               .command = s->call->line,
                               .part    = {1, 1},
                               .every   = 30,
                               .sync    = 10,
                               .force   = s->o->force || !s->o->out,
                               .quiet   = s->o->quiet,
                               .tell    = sal_run_print_begin};

  SAL_TRY(share_text(s));
  SAL_TRY(sal_collective_error(s->call->comm,
                               sal_sweep_parse(s->o->path, s->text, 0, NULL, &s->sweep)));
  return sal_run_sweep(s->call->comm, s->call->began, &run, &s->sweep);
}

/* Finds out whether the points have replicates. */
static sal_err find_replicates(state *s)
{
  sal_regret_report *r    = &s->report;
  const int64_t      cell = sal_offgrid_without_replicates(&r->map.sweep, &r->points.sweep);

  if (cell < 0) sal_regret_split(r);
  if (cell < 0 || !s->o->replicates) return SAL_OK;
  return sal_fail(
      SAL_ERR_INPUT,
      "%s: cell %lld has no replicate, %g of each axis of %s away in the other half; allowed "
      "with --replicates: points that were drawn with it",
      s->points_path, (long long)cell + 1, SAL_REPLICATE_SHARE, s->o->path);
}

/* On rank 0. */
static sal_err report_regret(state *s)
{
  const sal_regret_request *o = s->o;
  sal_regret_report        *r = &s->report;

  SAL_TRY(sal_performance_cube_open(s->points_path, &o->table, SAL_PERFORMANCE_ERRORS, &r->points));
  SAL_TRY(sal_regret_points_check(o->path, &r->map.sweep, s->points_path, &r->points.sweep));
  SAL_TRY(find_replicates(s));
  SAL_TRY(sal_regret_find(r));
  if (o->csv) SAL_TRY(sal_regret_csv(o->csv, r));
  (o->json ? sal_regret_json : sal_regret_print)(stdout, r);
  return SAL_OK;
}

static sal_err draw_run_report(state *s)
{
  SAL_TRY(sal_collective_error(s->call->comm, s->call->rank == 0 ? prepare_points(s) : SAL_OK));
  if (!s->o->from) SAL_TRY(run_points(s));
  const sal_err err = s->call->rank == 0 ? report_regret(s) : SAL_OK;
  if (s->call->rank == 0 && s->points_path == s->temporary) unlink(s->temporary);
  return sal_collective_error(s->call->comm, err);
}

/* Where the points are, or are to be. */
static sal_err read_request(state *s)
{
  const sal_regret_request *o = s->o;
  sal_regret_report        *r = &s->report;

  if (o->error) SAL_TRY(sal_performance_errors(o->error, &r->n_error, r->error));
  r->caution     = o->caution;
  r->seed        = o->from ? NAN : (double)(o->seed < 0 ? PRESET_SEED : o->seed);
  s->points_path = o->from ? o->from : o->out ? o->out : s->temporary;
  const int n    = snprintf(s->temporary, sizeof s->temporary, "%s.points", o->path);
  return n < (int)sizeof s->temporary ? SAL_OK
                                      : sal_fail(SAL_ERR_IO, "%s: a path too long", o->path);
}

sal_err sal_regret_run(const sal_regret_request *request, const sal_command_call *call)
{
  state   s   = {.o = request, .call = call};
  sal_err err = read_request(&s);

  if (err == SAL_OK) err = draw_run_report(&s);
  sal_free(s.text);
  sal_sweep_free(&s.sweep);
  sal_regret_free(&s.report);
  return err;
}
