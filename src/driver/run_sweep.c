/** @file src/driver/run_sweep.c
 *  Journals, cells, cube: what `saltus run` does with a sweep that has been read.
 */
#include "run_sweep.h"
#include "assemble.h"
#include "atomic_file.h"
#include "clock.h"
#include "collective_error.h"
#include "contender.h"
#include "map_cube.h"
#include "run_cells.h"
#include "tile_run.h"
#include <limits.h>
#include <math.h>

/* What this rank knows of the run. */
typedef struct {
  MPI_Comm         comm;
  int              rank, n_rank;
  double           began;
  const sal_sweep *sweep;
  char             folder[PATH_MAX];
  const char      *folders[1];
  sal_journal      journal;
  sal_run_status   watch;
  sal_run_part     use;
} state;

static void announce(const state *s, const sal_run_options *o)
{
  const sal_sweep *w = s->sweep;

  if (s->rank != 0 || o->quiet) return;
  fprintf(stderr,
          "%s: %lld cells x %d contenders (%d methods, %d strategies, %d tolerances), "
          "%d ranks x %d threads, %d lanes\n",
          w->model->name, (long long)w->n_cell, sal_contender_count(w), w->n_method, w->n_strategy,
          w->n_tolerance, s->n_rank, sal_tile_threads(), sal_tile_width(w));
}

static void announce_found(const state *s, const sal_run_options *o)
{
  const sal_run_status *w = &s->watch;

  if (s->rank != 0 || o->quiet) return;
  if (w->found > 0)
    fprintf(stderr, "%s: %lld of %lld cells are there already\n", s->folder, (long long)w->found,
            (long long)w->cells);
  if (s->journal.damaged > 0)
    fprintf(stderr, "%s: %lld records are broken off or damaged; their cells are run again\n",
            s->folder, (long long)s->journal.damaged);
}

static sal_err open_watch(state *s, const sal_run_options *o)
{
  s->watch = (sal_run_status){.status_path = s->rank == 0 ? o->status : NULL,
                              .every       = o->every,
                              .quiet       = o->quiet || s->rank != 0,
                              .cells       = sal_job_part_cells(o->part, s->sweep->n_cell),
                              .contenders  = sal_contender_count(s->sweep),
                              .ranks       = s->n_rank,
                              .threads     = sal_tile_threads()};

  SAL_TRY(sal_run_cells_found(&s->journal, o->part, &s->watch.found));
  return sal_run_status_begin(&s->watch);
}

/* Everything that can be refused before there is work done. */
static sal_err prepare(state *s, const sal_run_options *o)
{
  SAL_TRY(sal_collective_error(s->comm,
                               s->rank == 0 ? sal_atomic_file_claim(o->out, o->force) : SAL_OK));
  announce(s, o);
  SAL_TRY(sal_journal_folder(o->out, o->part.index, o->part.of, s->folder));
  s->folders[0] = s->folder;
  SAL_TRY(sal_journal_open(s->comm, 1, s->folders, s->sweep,
                           o->force ? SAL_JOURNAL_ANEW : SAL_JOURNAL_WRITE, &s->journal));
  if (o->seed) SAL_TRY(o->seed(o->with, &s->journal));
  SAL_TRY(sal_collective_error(s->comm, open_watch(s, o)));
  announce_found(s, o);
  return SAL_OK;
}

/* Collective.  The cells that journals now have; says so when a signal ended the run. */
static sal_err look_again(state *s, const sal_run_options *o, sal_err ran, int64_t *done)
{
  if (ran != SAL_OK && ran != SAL_ERR_STOPPED) return ran;
  SAL_TRY(sal_journal_scan(&s->journal));
  SAL_TRY(sal_collective_error(s->comm, sal_run_cells_found(&s->journal, o->part, done)));
  sal_run_status_pause(&s->watch, *done);
  if (ran == SAL_ERR_STOPPED)
    return sal_fail(ran,
                    "a signal stopped it; %lld of %lld cells are in %s, and the same command "
                    "goes on from there",
                    (long long)*done, (long long)s->watch.cells, s->folder);
  if (*done < s->watch.cells)
    return sal_fail(SAL_ERR_IO, "%s: %lld cells are lost again; run it once more", s->folder,
                    (long long)(s->watch.cells - *done));
  return SAL_OK;
}

static sal_err compute(state *s, const sal_run_options *o)
{
  const sal_run_cells_task task = {.comm    = s->comm,
                                   .sweep   = s->sweep,
                                   .journal = &s->journal,
                                   .part    = o->part,
                                   .sync    = o->sync,
                                   .watch   = &s->watch};
  int64_t                  done = s->watch.found;
  sal_err                  err  = SAL_OK;

  if (done < s->watch.cells) err = look_again(s, o, sal_run_cells(&task, &s->use), &done);
  sal_run_status_tell(&s->watch,
                      err == SAL_OK            ? "writing"
                      : err == SAL_ERR_STOPPED ? "stopped"
                                               : "failed",
                      done);
  return err;
}

/* On one rank, when the cube is there.  A cube that gives no map is still a cube. */
static sal_err finish(const state *s, const sal_run_options *o)
{
  SAL_TRY(sal_journal_remove(&s->journal));
  if (o->map && sal_map_finished(o->out, s->sweep) != SAL_OK) {
    if (!o->quiet) fprintf(stderr, "no map: %s\n", sal_err_message());
    sal_err_clear();
  }
  return SAL_OK;
}

static sal_err make_cube(state *s, const sal_run_options *o)
{
  const sal_cube_origin origin = {.command      = o->command,
                                  .ranks        = s->n_rank,
                                  .threads      = sal_tile_threads(),
                                  .width        = sal_tile_width(s->sweep),
                                  .wall_seconds = sal_clock_wall() - s->began};
  const double          ready  = sal_clock_wall();

  SAL_TRY(sal_assemble(&s->journal, o->out, &origin));
  SAL_TRY(sal_collective_error(s->comm, s->rank == 0 ? finish(s, o) : SAL_OK));
  s->use.io = sal_clock_wall() - ready;
  return SAL_OK;
}

static sal_err whole(state *s, const sal_run_options *o)
{
  SAL_TRY(prepare(s, o));
  SAL_TRY(compute(s, o));
  const sal_err err = o->part.of == 1 ? make_cube(s, o) : SAL_OK;
  sal_run_status_tell(&s->watch,
                      err == SAL_OK            ? "done"
                      : err == SAL_ERR_STOPPED ? "stopped"
                                               : "failed",
                      s->watch.cells);
  SAL_TRY(err);
  if (o->report && !o->quiet) SAL_TRY(sal_run_report(s->comm, &s->use, stderr));
  if (s->rank != 0 || o->quiet || !o->report) return SAL_OK;
  if (o->part.of == 1)
    fprintf(stderr, "wrote %s in %.1f s\n", o->out, sal_clock_wall() - s->began);
  else
    fprintf(stderr, "part %d/%d is done; when all are: saltus merge %s\n", o->part.index,
            o->part.of, o->out);
  return SAL_OK;
}

static void clear(state *s)
{
  sal_run_status_end(&s->watch);
  sal_journal_close(&s->journal);
}

sal_err sal_run_sweep(MPI_Comm comm, double began, const sal_run_options *o, const sal_sweep *sweep)
{
  state s = {.comm = comm, .began = began, .sweep = sweep};

  SAL_TRY_MPI(MPI_Comm_rank(comm, &s.rank));
  SAL_TRY_MPI(MPI_Comm_size(comm, &s.n_rank));
  const sal_err err = whole(&s, o);
  clear(&s);
  return err;
}
