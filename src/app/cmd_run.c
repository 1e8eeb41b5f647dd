/** @file src/app/cmd_run.c
 *  saltus run: the whole way from a sweep file to a cube, on MPI ranks and threads.
 */
#include "agree.h"
#include "assemble.h"
#include "clock.h"
#include "command.h"
#include "compress_cube.h"
#include "memory.h"
#include "run_cells.h"
#include "stop.h"
#include "text.h"
#include "tile.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SET = 64, MAX_PART = 1000000 };
enum { KEY_PART = 256, KEY_STATUS, KEY_EVERY, KEY_SYNC, KEY_COMPRESS };

typedef struct {
  const char *sweep_path, *out, *status;
  const char *set[MAX_SET];
  int         n_set;
  sal_part    part;
  double      every, sync; /* [s] */
  bool        force, quiet, compress;
} options;

static const struct argp_option option_table[] = {
    {"output", 'o', "FILE", 0, "the cube to write (HDF5); required", 0},
    {"set", 's', "KEY=VALUE", 0,
     "override a key of the sweep file, e.g. --set mesh=0.01 --set options.adhesion=clamp; may be "
     "repeated",
     0},
    {"force", 'f', NULL, 0, "overwrite an existing output; discard journals of another sweep", 0},
    {"quiet", 'q', NULL, 0, "no progress", 0},
    {"part", KEY_PART, "I/N", 0,
     "run part I of N, 1/N to N/N, and leave its journals to `saltus merge`", 0},
    {"compress", KEY_COMPRESS, NULL, 0,
     "make the cube smaller when it is there, as `saltus compress`", 0},
    {"status", KEY_STATUS, "FILE", 0, "add a line of JSON to FILE every now and then", 0},
    {"every", KEY_EVERY, "SECONDS", 0,
     "between two lines of progress or status; 30 without it (a terminal has a bar)", 0},
    {"sync", KEY_SYNC, "SECONDS", 0,
     "what is finished waits for the disk no longer than this; 10 without it", 0},
    {0}};

static sal_part read_part(struct argp_state *state, const char *text)
{
  char      *slash, *end;
  const long index = strtol(text, &slash, 10), of = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;

  if (of < 1 || of > MAX_PART || *end || index < 1 || index > of)
    argp_error(state, "--part: '%s' is no I/N with 1 <= I <= N <= %d, such as 2/8", text, MAX_PART);
  return (sal_part){(int)index, (int)of};
}

static double read_seconds(struct argp_state *state, const char *name, const char *text)
{
  const double seconds = sal_option_number(state, name, text);

  if (!(seconds >= 0)) argp_error(state, "--%s: '%s' is less than 0", name, text);
  return seconds;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case 'o':
    o->out = arg;
    break;
  case 'f':
    o->force = true;
    break;
  case 'q':
    o->quiet = true;
    break;
  case KEY_PART:
    o->part = read_part(state, arg);
    break;
  case KEY_COMPRESS:
    o->compress = true;
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
  case 's':
    if (o->n_set == MAX_SET) argp_error(state, "more than %d --set", MAX_SET);
    o->set[o->n_set++] = arg;
    break;
  case ARGP_KEY_ARG:
    if (o->sweep_path)
      argp_error(state, "one sweep file is enough, found '%s' and '%s'", o->sweep_path, arg);
    o->sweep_path = arg;
    break;
  case ARGP_KEY_END:
    if (!o->sweep_path) argp_error(state, "which sweep file?");
    if (!o->out) argp_error(state, "where to?  -o FILE names the cube to write");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/* The keys of the sweep file, behind the options. */
static char *key_help(int key, const char *text, void *input)
{
  (void)input;
  if (key != ARGP_KEY_HELP_POST_DOC) return (char *)text;
  sal_text out = {0};
  sal_text_add(&out, "%s\n\nKeys of a sweep file (preset):\n", text);
  for (const sal_sweep_key *k = sal_sweep_keys; k->name; ++k) {
    char allowed[512];
    sal_sweep_allowed(k, sizeof allowed, allowed);
    sal_text_add(&out, k->preset[0] == '(' ? "  %s %s\n    %s" : "  %s (%s)\n    %s", k->name,
                 k->preset, k->what);
    sal_text_add(&out, *allowed ? "; allowed: %s\n" : "\n%s", allowed);
  }
  char *copy = out.string ? strdup(out.string) : NULL; /* argp frees it */
  sal_text_free(&out);
  return copy;
}

static const struct argp argp = {
    option_table,
    parse_option,
    "SWEEP.yaml",
    "Integrate every cell of a sweep with every method, strategy and tolerance, compare with the "
    "reference, score, and write one labelled HDF5 cube."
    "\vUnder mpirun or srun the ranks share the cells; OMP_NUM_THREADS sets the threads of a "
    "rank:\n"
    "  mpirun -n 4 saltus run sweeps/dallas2017.yaml -o results.h5\n"
    "What is finished is kept in results.h5.journal/ until the cube is there: a run that was "
    "killed "
    "goes on when the same command is given again, with any number of ranks.  SIGTERM or SIGUSR1 "
    "stops a run after the tiles it is at, with exit status 85; a second one stops it at once.",
    NULL,
    key_help,
    NULL};

/* What this rank knows of the run. */
typedef struct {
  MPI_Comm     comm;
  int          rank, n_rank;
  double       began;
  sal_sweep    sweep;
  char         folder[PATH_MAX];
  const char  *folders[1];
  sal_journal  journal;
  sal_watch    watch;
  sal_run_part use;
} state;

static void announce(const state *s, const options *o)
{
  const sal_sweep *w = &s->sweep;

  if (s->rank != 0 || o->quiet) return;
  fprintf(stderr,
          "%s: %lld cells x %d contenders (%d methods, %d strategies, %d tolerances), "
          "%d ranks x %d threads, %d lanes\n",
          w->model->name, (long long)w->n_cell, sal_sweep_contenders(w), w->n_method, w->n_strategy,
          w->n_tolerance, s->n_rank, sal_tile_threads(), sal_tile_width(w));
}

static void announce_found(const state *s, const options *o)
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

static sal_err open_watch(state *s, const options *o)
{
  s->watch = (sal_watch){.status_path = s->rank == 0 ? o->status : NULL,
                         .every       = o->every,
                         .quiet       = o->quiet || s->rank != 0,
                         .cells       = sal_part_cells(o->part, s->sweep.n_cell),
                         .contenders  = sal_sweep_contenders(&s->sweep),
                         .ranks       = s->n_rank,
                         .threads     = sal_tile_threads()};

  SAL_TRY(sal_run_found(&s->journal, o->part, &s->watch.found));
  return sal_watch_begin(&s->watch);
}

/* Everything that can be refused before there is work done. */
static sal_err prepare(state *s, const options *o)
{
  SAL_TRY(sal_agree(s->comm, sal_sweep_read(o->sweep_path, o->n_set, o->set, &s->sweep)));
  SAL_TRY(sal_agree(s->comm, s->rank == 0 ? sal_cube_claim(o->out, o->force) : SAL_OK));
  announce(s, o);
  SAL_TRY(sal_journal_folder(o->out, o->part.index, o->part.of, s->folder));
  s->folders[0] = s->folder;
  SAL_TRY(sal_journal_open(s->comm, 1, s->folders, &s->sweep,
                           o->force ? SAL_JOURNAL_ANEW : SAL_JOURNAL_WRITE, &s->journal));
  SAL_TRY(sal_agree(s->comm, open_watch(s, o)));
  announce_found(s, o);
  return SAL_OK;
}

/* Collective.  The cells that journals now have; says so when a signal ended the run. */
static sal_err look_again(state *s, const options *o, sal_err ran, int64_t *done)
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

static sal_err compute(state *s, const options *o)
{
  const sal_run_task task = {.comm    = s->comm,
                             .sweep   = &s->sweep,
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

static sal_err make_cube(state *s, const options *o, const char *command)
{
  const sal_origin origin = {.command      = command,
                             .ranks        = s->n_rank,
                             .threads      = sal_tile_threads(),
                             .width        = sal_tile_width(&s->sweep),
                             .wall_seconds = sal_clock_wall() - s->began};
  const double     ready  = sal_clock_wall();

  SAL_TRY(sal_assemble(&s->journal, o->out, &origin));
  SAL_TRY(sal_agree(s->comm, s->rank == 0 ? sal_journal_remove(&s->journal) : SAL_OK));
  if (o->compress)
    SAL_TRY(sal_agree(s->comm, s->rank == 0 ? sal_compress_cube(o->out, !o->quiet) : SAL_OK));
  s->use.io = sal_clock_wall() - ready;
  return SAL_OK;
}

static sal_err whole(state *s, const options *o, const char *command)
{
  SAL_TRY(prepare(s, o));
  SAL_TRY(compute(s, o));
  const sal_err err = o->part.of == 1 ? make_cube(s, o, command) : SAL_OK;
  sal_watch_tell(&s->watch,
                 err == SAL_OK            ? "done"
                 : err == SAL_ERR_STOPPED ? "stopped"
                                          : "failed",
                 s->watch.cells);
  SAL_TRY(err);
  if (!o->quiet) SAL_TRY(sal_run_report(s->comm, &s->use, stderr));
  if (s->rank != 0 || o->quiet) return SAL_OK;
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
  sal_sweep_free(&s->sweep);
}

sal_err sal_cmd_run(int argc, char *argv[], int *status)
{
  options o = {.part = {1, 1}, .every = 30, .sync = 10};
  state   s = {.comm = MPI_COMM_WORLD, .began = sal_clock_wall()};
  int     provided;

  *status       = 0;
  char *command = sal_command_line(argc, argv); /* as typed: parsing brings options to the front */
  sal_parse(&argp, argc, argv, &o);
  sal_stop_catch();
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(s.comm, &s.rank);
  MPI_Comm_size(s.comm, &s.n_rank);
  const sal_err err =
      provided < MPI_THREAD_FUNNELED
          ? sal_fail(SAL_ERR_COMM, "this MPI allows no threads beside it (MPI_THREAD_FUNNELED)")
          : whole(&s, &o, command ? command : argv[0]);
  sal_free(command);
  clear(&s);
  return err;
}
