/** @file src/app/run_sweep.c
 *  Journals, cells, cube: what `saltus run` does with a sweep that has been read.
 */
#include "run_sweep.h"
#include "agree.h"
#include "assemble.h"
#include "clock.h"
#include "command.h"
#include "compress_cube.h"
#include "map_cube.h"
#include "run_cells.h"
#include "tile.h"
#include <limits.h>
#include <math.h>

enum { KEY_STATUS = 512, KEY_EVERY, KEY_SYNC, KEY_NO_MAP, KEY_COMPRESS };

static const struct argp_option option_table[] = {
    {"output", 'o', "FILE", 0, "the cube to write (HDF5); required", 0},
    {"force", 'f', NULL, 0, "overwrite an existing output; discard journals of another sweep", 0},
    {"quiet", 'q', NULL, 0, "no progress", 0},
    {"status", KEY_STATUS, "FILE", 0, "add a line of JSON to FILE every now and then", 0},
    {"every", KEY_EVERY, "SECONDS", 0,
     "between two lines of progress or status; 30 without it (a terminal has a bar)", 0},
    {"sync", KEY_SYNC, "SECONDS", 0,
     "what is finished waits for the disk no longer than this; 10 without it", 0},
    {"no-map", KEY_NO_MAP, NULL, 0,
     "leave out the map of the best contenders, which `saltus map` makes", 0},
    {"compress", KEY_COMPRESS, NULL, 0,
     "make the cube smaller when it is there, as `saltus compress` does", 0},
    {0}};

static double read_seconds(struct argp_state *state, const char *name, const char *text)
{
  const double seconds = sal_option_number(state, name, text);

  if (!(seconds >= 0)) argp_error(state, "--%s: '%s' is less than 0", name, text);
  return seconds;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  sal_run_options *o = state->input;

  switch (key) {
  case ARGP_KEY_INIT:
    o->part   = (sal_part){1, 1};
    o->every  = 30;
    o->sync   = 10;
    o->report = true;
    o->map    = true;
    break;
  case 'o':
    o->out = arg;
    break;
  case 'f':
    o->force = true;
    break;
  case 'q':
    o->quiet = true;
    break;
  case KEY_STATUS:
    o->status = arg;
    break;
  case KEY_EVERY:
    o->every = read_seconds(state, "every", arg);
    break;
  case KEY_SYNC:
    o->sync = read_seconds(state, "sync", arg);
    break;
  case KEY_NO_MAP:
    o->map = false;
    break;
  case KEY_COMPRESS:
    o->compress = true;
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp sal_run_sweep_argp = {.options = option_table, .parser = parse_option};

/* What this rank knows of the run. */
typedef struct {
  MPI_Comm         comm;
  int              rank, n_rank;
  double           began;
  const sal_sweep *sweep;
  char             folder[PATH_MAX];
  const char      *folders[1];
  sal_journal      journal;
  sal_watch        watch;
  sal_run_part     use;
} state;

static void announce(const state *s, const sal_run_options *o)
{
  const sal_sweep *w = s->sweep;

  if (s->rank != 0 || o->quiet) return;
  fprintf(stderr,
          "%s: %lld cells x %d contenders (%d methods, %d strategies, %d tolerances), "
          "%d ranks x %d threads, %d lanes\n",
          w->model->name, (long long)w->n_cell, sal_sweep_contenders(w), w->n_method, w->n_strategy,
          w->n_tolerance, s->n_rank, sal_tile_threads(), sal_tile_width(w));
}

static void announce_found(const state *s, const sal_run_options *o)
{
  const sal_watch *w = &s->watch;

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
  s->watch = (sal_watch){.status_path = s->rank == 0 ? o->status : NULL,
                         .every       = o->every,
                         .quiet       = o->quiet || s->rank != 0,
                         .cells       = sal_part_cells(o->part, s->sweep->n_cell),
                         .contenders  = sal_sweep_contenders(s->sweep),
                         .ranks       = s->n_rank,
                         .threads     = sal_tile_threads()};

  SAL_TRY(sal_run_found(&s->journal, o->part, &s->watch.found));
  return sal_watch_begin(&s->watch);
}

/* Everything that can be refused before there is work done. */
static sal_err prepare(state *s, const sal_run_options *o)
{
  SAL_TRY(sal_agree(s->comm, s->rank == 0 ? sal_cube_claim(o->out, o->force) : SAL_OK));
  announce(s, o);
  SAL_TRY(sal_journal_folder(o->out, o->part.index, o->part.of, s->folder));
  s->folders[0] = s->folder;
  SAL_TRY(sal_journal_open(s->comm, 1, s->folders, s->sweep,
                           o->force ? SAL_JOURNAL_ANEW : SAL_JOURNAL_WRITE, &s->journal));
  if (o->seed) SAL_TRY(o->seed(o->with, &s->journal));
  SAL_TRY(sal_agree(s->comm, open_watch(s, o)));
  announce_found(s, o);
  return SAL_OK;
}

/* Collective.  The cells that journals now have; says so when a signal ended the run. */
static sal_err look_again(state *s, const sal_run_options *o, sal_err ran, int64_t *done)
{
  if (ran != SAL_OK && ran != SAL_ERR_STOPPED) return ran;
  SAL_TRY(sal_journal_scan(&s->journal));
  SAL_TRY(sal_agree(s->comm, sal_run_found(&s->journal, o->part, done)));
  sal_watch_pause(&s->watch, *done);
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
  const sal_run_task task = {.comm    = s->comm,
                             .sweep   = s->sweep,
                             .journal = &s->journal,
                             .part    = o->part,
                             .sync    = o->sync,
                             .watch   = &s->watch};
  int64_t            done = s->watch.found;
  sal_err            err  = SAL_OK;

  if (done < s->watch.cells) err = look_again(s, o, sal_run_cells(&task, &s->use), &done);
  sal_watch_tell(&s->watch,
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
  return o->compress ? sal_compress_cube(o->out, !o->quiet) : SAL_OK;
}

static sal_err make_cube(state *s, const sal_run_options *o)
{
  const sal_origin origin = {.command      = o->command,
                             .ranks        = s->n_rank,
                             .threads      = sal_tile_threads(),
                             .width        = sal_tile_width(s->sweep),
                             .wall_seconds = sal_clock_wall() - s->began};
  const double     ready  = sal_clock_wall();

  SAL_TRY(sal_assemble(&s->journal, o->out, &origin));
  SAL_TRY(sal_agree(s->comm, s->rank == 0 ? finish(s, o) : SAL_OK));
  s->use.io = sal_clock_wall() - ready;
  return SAL_OK;
}

static sal_err whole(state *s, const sal_run_options *o)
{
  SAL_TRY(prepare(s, o));
  SAL_TRY(compute(s, o));
  const sal_err err = o->part.of == 1 ? make_cube(s, o) : SAL_OK;
  sal_watch_tell(&s->watch,
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
  sal_watch_end(&s->watch);
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
