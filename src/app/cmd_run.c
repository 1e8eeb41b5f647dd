/** @file src/app/cmd_run.c
 *  saltus run: the whole way from a sweep file to a cube, on MPI ranks and threads.
 */
#include "agree.h"
#include "clock.h"
#include "command.h"
#include "cube.h"
#include "memory.h"
#include "points.h"
#include "progress.h"
#include "run_report.h"
#include "sched.h"
#include "sweep.h"
#include "text.h"
#include "tile.h"
#include "tiles.h"
#include <mpi.h>
#include <string.h>

enum { MAX_SET = 64 };

typedef struct {
  const char *sweep_path, *out;
  const char *set[MAX_SET];
  int         n_set;
  bool        force, quiet;
} options;

static const struct argp_option option_table[] = {
    {"output", 'o', "FILE", 0, "the cube to write (HDF5); required", 0},
    {"set", 's', "KEY=VALUE", 0,
     "override a key of the sweep file, e.g. --set mesh=0.01 --set options.adhesion=clamp; may be "
     "repeated",
     0},
    {"force", 'f', NULL, 0, "overwrite an existing output", 0},
    {"quiet", 'q', NULL, 0, "no progress", 0},
    {0}};

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
    "  mpirun -n 4 saltus run sweeps/dallas2017.yaml -o results.h5",
    NULL,
    key_help,
    NULL};

/* What this rank knows of the run. */
typedef struct {
  MPI_Comm   comm;
  int        rank, n_rank, n_slab, room;
  sal_sweep  sweep;
  sal_sched *sched;
  sal_slab  *slab;   /* [n_slab] of room */
  sal_err    polled; /* first failure between pieces of a tile */

  sal_run_part part;
} state;

static sal_err keep(state *s, const sal_slab *slab)
{
  if (s->n_slab == s->room) {
    const int room  = s->room ? 2 * s->room : 16;
    sal_slab *moved = sal_alloc((size_t)room, sizeof *moved);
    if (!moved) return sal_fail(SAL_ERR_MEMORY, "no memory for the results");
    if (s->slab) memcpy(moved, s->slab, (size_t)s->n_slab * sizeof *moved);
    sal_free(s->slab);
    s->slab = moved;
    s->room = room;
  }
  s->slab[s->n_slab++] = *slab;
  return SAL_OK;
}

static sal_err show(state *s, sal_progress *bar)
{
  int64_t done, all;

  SAL_TRY(sal_sched_progress(s->sched, &done, &all));
  if (s->rank == 0) sal_progress_update(bar, done);
  return SAL_OK;
}

/* Called by the main thread; the others never fail. */
static void poll_between(void *with)
{
  state *s = with;

  if (s->polled == SAL_OK) s->polled = sal_sched_poll(s->sched);
}

static sal_err run_tile(state *s, sal_tile_space *space, const sal_tile *tile)
{
  const double began = sal_clock_wall(), before = sal_tile_used(space).cpu;
  sal_slab     slab;

  SAL_TRY(sal_tile_run(space, tile, &slab));
  s->part.busy += sal_clock_wall() - began;
  SAL_TRY(s->polled);
  SAL_TRY(keep(s, &slab));
  return sal_sched_finished(s->sched, tile, sal_tile_used(space).cpu - before);
}

static sal_err run_tiles(state *s, int64_t tile_size, sal_progress *bar)
{
  sal_tile_space *space = NULL;
  sal_tile        tile;
  bool            more = true;

  SAL_TRY(sal_tile_space_create(&s->sweep, tile_size, &space));
  sal_tile_on_pause(space, poll_between, s);
  sal_err err = SAL_OK;
  while (err == SAL_OK && (err = sal_sched_next(s->sched, &tile, &more)) == SAL_OK && more)
    if ((err = run_tile(s, space, &tile)) == SAL_OK) err = show(s, bar);
  const sal_tile_use use = sal_tile_used(space);
  s->part.cpu            = use.cpu;
  s->part.live_turns     = use.lanes.live;
  s->part.turns          = use.lanes.all;
  sal_tile_space_destroy(&space);
  return err;
}

/* This rank has nothing left to do, or cannot go on, but somebody may be waiting in front of it. */
static sal_err wait_for_others(state *s, sal_progress *bar)
{
  bool over = false;

  while (!over) {
    SAL_TRY(show(s, bar));
    SAL_TRY(sal_sched_wait(s->sched, 0.05, &over));
  }
  const sal_sched_stats stats = sal_sched_statistics(s->sched);
  s->part.waited              = stats.waited;
  s->part.tiles               = stats.tiles;
  s->part.cells               = stats.cells;
  s->part.nodes               = stats.n_node;
  s->part.messages            = stats.messages;
  return SAL_OK;
}

/* Cuts all cells into tiles and shares them. */
static sal_err share(state *s, int64_t *largest)
{
  const sal_tile whole = {0, s->sweep.n_cell};
  sal_tile      *tile;
  int64_t        n;

  *largest = sal_tiles_largest(whole.count, s->n_rank);
  SAL_TRY(sal_agree(s->comm, sal_tiles_cut(1, &whole, s->n_rank, &tile, &n)));
  const sal_err err = sal_sched_create(s->comm, n, tile, NULL, &s->sched);
  sal_free(tile);
  return sal_agree(s->comm, err);
}

static sal_err add_points(state *s)
{
  sal_range range;

  sal_range_clear(&range);
  for (int i = 0; i < s->n_slab; ++i) sal_range_add(&range, &s->sweep, &s->slab[i]);
  SAL_TRY(sal_reduce_range(s->comm, SAL_N_CRITERION * SAL_MAX_CONTENDER, &range.lo[0][0],
                           &range.hi[0][0]));
  for (int i = 0; i < s->n_slab; ++i) sal_points_fill(&range, &s->sweep, &s->slab[i]);
  return SAL_OK;
}

static sal_err compute(state *s, const options *o)
{
  int64_t      largest;
  sal_progress bar   = {0};
  const bool   shown = s->rank == 0 && !o->quiet;

  SAL_TRY(share(s, &largest));
  sal_progress_start(&bar, "cells", s->sweep.n_cell);
  if (!shown) bar.out = NULL;
  const sal_err mine = run_tiles(s, largest, &bar);
  if (mine != SAL_OK) SAL_TRY(sal_sched_drain(s->sched));
  SAL_TRY(wait_for_others(s, &bar));
  SAL_TRY(sal_agree(s->comm, mine));
  sal_progress_stop(&bar, s->sweep.n_cell);
  return add_points(s);
}

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

static sal_err whole(state *s, const options *o, const char *command)
{
  const double began = sal_clock_wall();

  SAL_TRY(sal_agree(s->comm, sal_sweep_read(o->sweep_path, o->n_set, o->set, &s->sweep)));
  SAL_TRY(sal_agree(s->comm, s->rank == 0 ? sal_cube_claim(o->out, o->force) : SAL_OK));
  announce(s, o);
  SAL_TRY(compute(s, o));
  const sal_origin origin = {.command      = command,
                             .ranks        = s->n_rank,
                             .threads      = sal_tile_threads(),
                             .width        = sal_tile_width(&s->sweep),
                             .wall_seconds = sal_clock_wall() - began};
  const double     ready  = sal_clock_wall();
  const sal_err    err    = sal_cube_write(s->comm, o->out, &s->sweep, &origin, s->n_slab, s->slab);
  if (err != SAL_OK) return SAL_ERR_COMM; /* a file half open in parallel: MPI_Finalize may hang */
  s->part.io = sal_clock_wall() - ready;
  if (!o->quiet) SAL_TRY(sal_run_report(s->comm, &s->part, stderr));
  if (s->rank == 0 && !o->quiet)
    fprintf(stderr, "wrote %s in %.1f s\n", o->out, sal_clock_wall() - began);
  return SAL_OK;
}

static void clear(state *s)
{
  sal_sched_destroy(&s->sched);
  for (int i = 0; i < s->n_slab; ++i) {
    sal_free(s->slab[i].cell);
    sal_free(s->slab[i].record);
  }
  sal_free(s->slab);
  sal_sweep_free(&s->sweep);
}

static char *command_line(int argc, char *argv[])
{
  sal_text text = {0};

  for (int i = 0; i < argc; ++i) sal_text_add(&text, "%s%s", i ? " " : "", argv[i]);
  return sal_text_take(&text);
}

sal_err sal_cmd_run(int argc, char *argv[], int *status)
{
  options o = {0};
  state   s = {.comm = MPI_COMM_WORLD};
  int     provided;

  *status       = 0;
  char *command = command_line(argc, argv); /* as typed: parsing brings options to the front */
  sal_parse(&argp, argc, argv, &o);
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
