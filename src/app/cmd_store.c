/** @file src/app/cmd_store.c
 *  saltus store: trajectories of chosen cells, into a cube that is there.
 */
#include "atomic_file.h"
#include "clock.h"
#include "collective_error.h"
#include "command.h"
#include "contender.h"
#include "cube_read.h"
#include "stop.h"
#include "stored_cube.h"
#include "stored_write.h"
#include "sweep_read.h"
#include "tile_run.h"
#include <math.h>
#include <stdio.h>

typedef struct {
  const char *path, *cells;
  double      every; /* NaN: as in the sweep */
  bool        force, quiet;
} options;

enum { EVERY = 256 };

static const struct argp_option option_table[] = {
    {"cells", 'c', "LIST", 0,
     "numbers of cells, 1,17,20-29, or all (those of the sweep file's store.trajectories)", 0},
    {"every", EVERY, "D", 0,
     "spacing of the points (that of the sweep file's store.every, else the mesh)", 0},
    {"force", 'f', NULL, 0, "replace the trajectories that the cube has", 0},
    {"quiet", 'q', NULL, 0, "say nothing", 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case 'c':
    o->cells = arg;
    break;
  case EVERY:
    o->every = sal_option_number(state, "every", arg);
    break;
  case 'f':
    o->force = true;
    break;
  case 'q':
    o->quiet = true;
    break;
  default:
    return sal_option_cube(key, arg, state, &o->path);
  }
  return 0;
}

static const struct argp argp = {
    .options  = option_table,
    .parser   = parse_option,
    .args_doc = "CUBE.h5",
    .doc =
        "Run chosen cells of a cube again, with all methods, strategies and tolerances, and keep "
        "their trajectories and the reference in its group `trajectories`.  May run under mpirun."
        "\vThey are the runs whose errors and counts the cube holds: outcome, end and steps of "
        "each are compared, and a cube whose runs this saltus does not repeat is refused.  A "
        "sweep file asks for the same by its key `store`.\n\nExample:\n"
        "  saltus store results/mine.h5 --cells 1,4-6 --every 0.05"};

typedef struct {
  MPI_Comm       comm;
  int            rank;
  sal_cube_file *cube;
  sal_cube       frame;
  sal_sweep      sweep;
} state;

static sal_err open_cube(state *s, const options *o)
{
  bool there;

  SAL_TRY(sal_stored_write_exists(o->path, &there));
  if (there && !o->force)
    return sal_fail(SAL_ERR_EXISTS, "%s: has trajectories; --force replaces them", o->path);
  SAL_TRY(sal_cube_file_open(o->path, &s->cube, &s->frame));
  SAL_TRY(sal_sweep_parse(o->path, s->frame.sweep_text, 0, NULL, &s->sweep));
  if (s->sweep.n_cell == s->frame.n_cell && s->sweep.n_method == s->frame.n_method &&
      s->sweep.n_strategy == s->frame.n_strategy && s->sweep.n_tolerance == s->frame.n_tolerance)
    return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: its sweep and its dimensions do not belong together",
                  o->path);
}

static sal_err settle(state *s, const options *o)
{
  sal_sweep *w = &s->sweep;

  if (o->cells)
    SAL_TRY(sal_stored_parse(SAL_ERR_USAGE, "--cells", o->cells, w->n_cell, &w->stored));
  if (!isnan(o->every))
    SAL_TRY(sal_stored_points(SAL_ERR_USAGE, "--every", o->every, w->t_end, &w->stored));
  if (w->stored.n_cell == 0)
    return sal_fail(SAL_ERR_USAGE,
                    "--cells: which cells?  The sweep of %s names none; allowed: 1 to %lld, all",
                    o->path, (long long)w->n_cell);
  return sal_stored_fits(SAL_ERR_USAGE, "--cells", &w->stored, sal_contender_count(w),
                         w->model->n_state);
}

static sal_err fill_part(state *s, const options *o)
{
  const sal_err err = sal_stored_cube_fill(s->comm, o->path, &s->sweep, s->cube);

  if (err != SAL_ERR_STOPPED) return err;
  return sal_fail(err, "a signal stopped it; %s is as it was", o->path);
}

static sal_err whole(state *s, const options *o)
{
  const double began = sal_clock_wall();

  SAL_TRY(sal_collective_error(s->comm, open_cube(s, o)));
  SAL_TRY(sal_collective_error(s->comm, settle(s, o)));
  SAL_TRY(sal_collective_error(s->comm, s->rank == 0 ? sal_atomic_file_copy(o->path, 0) : SAL_OK));
  sal_err err = fill_part(s, o);
  if (err == SAL_OK)
    err = sal_collective_error(s->comm, s->rank == 0 ? sal_atomic_file_commit(o->path) : SAL_OK);
  if (err != SAL_OK && s->rank == 0) sal_atomic_file_discard(o->path);
  SAL_TRY(err);
  const sal_stored_trajectories *kept = &s->sweep.stored;
  if (s->rank == 0 && !o->quiet)
    fprintf(stderr,
            "%s: trajectories of %lld cells x (%d contenders and the reference) at %lld points, "
            "%.3g MB, "
            "in %.1f s\n",
            o->path, (long long)kept->n_cell, sal_contender_count(&s->sweep),
            (long long)kept->n_mesh + 1,
            1e-6 * sal_stored_bytes(kept, sal_contender_count(&s->sweep), s->sweep.model->n_state),
            sal_clock_wall() - began);
  return SAL_OK;
}

sal_err sal_cmd_store(int argc, char *argv[], int *status)
{
  options o = {.every = NAN};
  state   s = {.comm = MPI_COMM_WORLD};
  int     provided;

  *status = 0;
  sal_parse(&argp, argc, argv, &o);
  sal_stop_catch();
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(s.comm, &s.rank);
  const sal_err err =
      provided < MPI_THREAD_FUNNELED
          ? sal_fail(SAL_ERR_COMM, "this MPI allows no threads beside it (MPI_THREAD_FUNNELED)")
          : whole(&s, &o);
  sal_cube_file_close(&s.cube);
  sal_cube_free(&s.frame);
  sal_sweep_free(&s.sweep);
  return err;
}
