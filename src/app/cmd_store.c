/** saltus store: trajectories of chosen cells, into a cube that is there. */
#include "assemble.h"
#include "atomic_file.h"
#include "base.h"
#include "cli_compile.h"
#include "clock.h"
#include "collective_error.h"
#include "config.h"
#include "stored_write.h"
#include "sweep_read.h"

typedef struct {
  const char *path, *cells;
  double every; /* NaN: as in the sweep */
  bool force, quiet;
  sal_cli_texts recorded;
} options;
static const options presets = {.every = NAN};

#define OPTIONS_OF_store
#include "options.def"

typedef struct {
  const sal_command_call *call;
  sal_cube_file *cube;
  sal_cube frame;
  sal_sweep sweep;
} state;

static sal_err open_cube(state *s, const options *o)
{
  bool there;

  SAL_TRY(sal_stored_write_exists(o->path, &there));
  if (there && !o->force)
    return sal_fail(SAL_ERR_EXISTS, "%s: has trajectories; --force replaces them", o->path);
  SAL_TRY(sal_cube_file_open(o->path, &s->cube, &s->frame));
  const sal_sweep_trust trust = sal_cli_trust_of(&o->recorded);
  SAL_TRY(sal_sweep_parse_stored(o->path, s->frame.sweep_text, 0, NULL, &trust, &s->sweep));
  if (s->sweep.n_cell == s->frame.n_cell && s->sweep.n_method == s->frame.n_method &&
      s->sweep.n_strategy == s->frame.n_strategy && s->sweep.n_tolerance == s->frame.n_tolerance)
    return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: its sweep and its dimensions do not belong together",
                  o->path);
}

static sal_err choose_cells(state *s, const options *o)
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
  return sal_stored_fits(SAL_ERR_USAGE, "--cells", &w->stored, sal_config_count(w),
                         w->model->n_state);
}

static sal_err fill_copy(state *s, const options *o)
{
  const sal_err err = sal_stored_cube_fill(s->call->comm, o->path, &s->sweep, s->cube);

  if (err != SAL_ERR_STOPPED) return err;
  return sal_fail(err, "a signal stopped it; %s is as it was", o->path);
}

static void announce_stored(const state *s, const options *o)
{
  const sal_stored_trajectories *stored = &s->sweep.stored;
  const int configs = sal_config_count(&s->sweep);

  if (s->call->rank != 0 || o->quiet) return;
  assert(s->sweep.model);
  fprintf(
      stderr,
      "%s: trajectories of %lld cell%s x (%d configuration%s and the reference) at %lld point%s, "
      "%.3g MB, in %.1f s\n",
      o->path, (long long)stored->n_cell, sal_text_plural(stored->n_cell), configs,
      sal_text_plural(configs), (long long)stored->n_mesh + 1, sal_text_plural(stored->n_mesh + 1),
      1e-6 * sal_stored_bytes(stored, configs, s->sweep.model->n_state),
      sal_clock_wall() - s->call->began);
}

static void drop(state *s)
{
  sal_cube_file_close(&s->cube);
  sal_cube_free(&s->frame);
  sal_sweep_free(&s->sweep);
}

/* The trajectories go into a copy of the cube, which takes its place in the end. */
static sal_err run_store(void *given, sal_command_call *call)
{
  SAL_OWN_BY(drop) state s = {.call = call};
  const options *o = given;
  MPI_Comm comm = call->comm;

  SAL_TRY(sal_collective_error(comm, open_cube(&s, o)));
  SAL_TRY(sal_collective_error(comm, choose_cells(&s, o)));
  SAL_TRY(sal_collective_first(comm, sal_atomic_file_copy(o->path, 0)));
  sal_err err = fill_copy(&s, o);
  if (err == SAL_OK) err = sal_collective_first(comm, sal_atomic_file_commit(o->path));
  if (err != SAL_OK && call->rank == 0) sal_atomic_file_discard(o->path);
  if (err == SAL_OK) announce_stored(&s, o);
  return err;
}

const sal_command_code sal_cmd_store = {
    .table = {{rows, 0},
              {sal_cli_trust_options, offsetof(options, recorded)},
              {sal_cli_petsc_options, 0}},
    SAL_COMMAND_OPTIONS(presets),
    .run = run_store};
