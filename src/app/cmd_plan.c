/** @file src/app/cmd_plan.c
 *  saltus plan: what a sweep would be, before it is run.
 */
#include "command.h"
#include "contender.h"
#include "cube_size.h"
#include "metric.h"
#include "plan_print.h"
#include "sweep_read.h"
#include "tile_run.h"
#include "tiles.h"
#include <math.h>

enum { MOST_WORKERS = 1 << 20 };

/* What a rank takes before it has any work: the program, MPI and HDF5. */
static const double base_bytes = 28e6;

/* Two standard errors, as a share of the time, below which the sample is large enough. */
static const double enough = 0.1;

typedef struct {
  const char   *path;
  sal_cli_texts set;
  int64_t       ranks, threads; /* threads 0: as a run here would have */
  double        sample;         /* [s] */
  bool          json;
} options;
static const options presets = {.ranks = 1, .sample = 20};

#define AT(member) .offset = offsetof(options, member)
#define COUNT      .least = 1, .most = MOST_WORKERS

static const sal_cli_option rows[] = {
    {"sweep file", 0, "SWEEP.yaml", "the sweep", SAL_CLI_ARGUMENT, AT(path),
     .missing = "which sweep file?"},
    {"ranks", 'r', "N", "MPI ranks of the run (1)", SAL_CLI_WHOLE, AT(ranks), COUNT},
    {"threads", 't', "N", "threads of each (OMP_NUM_THREADS, or all cores)", SAL_CLI_WHOLE,
     AT(threads), COUNT},
    {"set", 's', "KEY=VALUE", "override a key of the sweep file, as in `saltus run`",
     SAL_CLI_REPEATED, AT(set)},
    {"sample", 'S', "SECONDS",
     "run cells for at most about this long to predict the time (20); 0: no prediction",
     SAL_CLI_NUMBER, AT(sample)},
    {"json", 'j', NULL, "print one line of JSON", SAL_CLI_FLAG, AT(json)},
    {.help = NULL}};

/* Of the records as they are in memory, which journals hold until the cube is there. */
static double journal_bytes(const sal_sweep *s)
{
  const size_t cell = sizeof(sal_cell_record) + (size_t)sal_contender_count(s) * sizeof(sal_record);

  return (double)s->n_cell * (double)cell;
}

static sal_err estimate_plan(const options *o, const sal_sweep *s, sal_plan *p)
{
  const int     ranks = (int)o->ranks, threads = o->threads ? (int)o->threads : sal_tile_threads();
  const int64_t tile  = sal_tiles_largest(s->n_cell, ranks, sal_tile_most(s));
  const int64_t cells = (s->n_cell + ranks - 1) / ranks;

  *p = (sal_plan){.ranks         = ranks,
                  .threads       = threads,
                  .trajectories  = s->n_cell * sal_contender_count(s),
                  .cube_bytes    = sal_cube_bytes(s),
                  .journal_bytes = journal_bytes(s),
                  .rank_bytes    = base_bytes + (double)sal_tile_bytes(s, tile, threads) +
                                (double)sal_cube_memory(s, cells, true),
                  .stored_bytes =
                      sal_stored_bytes(&s->stored, sal_contender_count(s), s->model->n_state),
                  .seconds = NAN};
  if (o->sample == 0) return SAL_OK;
  SAL_TRY(sal_estimate_run(s, tile, o->sample, enough, &p->estimate));
  p->seconds = fmax(p->estimate.cpu_seconds / threads, p->estimate.alone_seconds) / ranks;
  return SAL_OK;
}

static sal_err run_plan(void *given, sal_command_call *call)
{
  const options *o = given;
  sal_sweep      sweep;
  sal_plan       plan;

  (void)call;
  SAL_TRY(sal_sweep_read(o->path, o->set.n, o->set.text, &sweep));
  const sal_err err = estimate_plan(o, &sweep, &plan);
  if (err == SAL_OK) (o->json ? sal_plan_print_json : sal_plan_print)(stdout, &sweep, &plan);
  sal_sweep_free(&sweep);
  return err;
}

const sal_command sal_cmd_plan = {
    .name    = "plan",
    .group   = SAL_COMMAND_RUN,
    .summary = "say what a sweep would be: cells, size, memory, time",
    .description =
        "Say what a sweep would be, without running it: axes, cells, contenders, trajectories, "
        "size of the cube and of all that is on the disk while it runs, memory of a rank, and the "
        "time it takes on cores like those of this machine.",
    .notes =
        "The time is that of a sample of cells, spread evenly over all axes and run here, scaled "
        "up; it takes all cores to be busy to the end.  Behind +- stand two standard errors of the "
        "sample; cells are run until these are 10 % of the time, or the seconds are over.",
    .examples = "  saltus plan sweeps/contacts.yaml --ranks 2 --threads 1",
    .table    = {{rows, 0}},
    .size     = sizeof(options),
    .presets  = &presets,
    .run      = run_plan};
