/** @file src/app/cmd_plan.c
 *  saltus plan: what a sweep would be, before it is run.
 */
#include "bill_sizes.h"
#include "cli_machine.h"
#include "cli_run.h"
#include "cli_trust.h"
#include "command.h"
#include "memory.h"
#include "plan_print.h"
#include "points.h"
#include "reuse.h"
#include "scalar_math.h"
#include "sweep_read.h"
#include "tile_run.h"
#include "tiles.h"
#include <math.h>

/* Two standard errors, as a share of the time, below which the sample is large enough. */
static const double enough = 0.1;

/* Shortest duration of such a sample [s]. */
static const double least = 0.5;

/* Error of times measured on a core that shares its machine with others, as a share. */
static const double noise = 0.05;

/* Between two lines about the sample, to stderr [s]. */
static const double patience = 5;

typedef struct {
  const char *path, *from;
  sal_cli_texts set;
  int64_t ranks, threads; /* threads 0: as a run here would have */
  double sample;          /* [s] */
  bool json;
  sal_cli_machine machine;
} options;
static const options presets = {.ranks = 1, .sample = 20, .machine = {SAL_CLI_MACHINE_PRESETS}};

#define AT(member) .offset = offsetof(options, member)
#define COUNT .least = 1, .most = SAL_CLI_MOST_RANKS

static const sal_cli_option rows[] = {
    {"sweep file", 0, "SWEEP.yaml", "the sweep", SAL_CLI_ARGUMENT, AT(path),
     .missing = "SWEEP.yaml is missing"},
    {"ranks", 'r', "N", "MPI ranks of the run (1)", SAL_CLI_WHOLE, AT(ranks), COUNT},
    {"threads", 't', "N", "threads of each (OMP_NUM_THREADS, or all cores)", SAL_CLI_WHOLE,
     AT(threads), COUNT},
    {"set", 's', "KEY=VALUE", "override a key of the sweep file, as in `saltus run`",
     SAL_CLI_REPEATED, AT(set)},
    {"from", 0, "CUBE.h5",
     "count the trajectories that are there already, as `saltus run --from` does", SAL_CLI_TEXT,
     AT(from)},
    {"sample", 'S', "SECONDS",
     "run cells for at most about this long to predict the time (20); 0: no prediction",
     SAL_CLI_NUMBER, AT(sample)},
    {"json", 'j', NULL, "print one line of JSON", SAL_CLI_FLAG, AT(json)},
    SAL_CLI_TABLES_FROM,
    {.help = NULL}};

/* A line every now and then, when the sample takes long. */
static void report_sample(int64_t cells, double seconds)
{
  static double reported;

  if (seconds < reported + patience) return;
  reported = seconds;
  fprintf(stderr, "saltus plan: %lld cell%s of the sample %s run, %.0f s\n", (long long)cells,
          sal_text_plural(cells), cells == 1 ? "is" : "are", seconds);
}

/* Packed size of the records of the sample. */
typedef struct {
  const sal_sweep *sweep;
  sal_packed_size *size;
} sight;

static sal_err see_tile(void *with, sal_tile_result *tile)
{
  const sight *s = with;
  sal_points_range range;

  SAL_TRY(sal_packed_size_see(s->size, s->sweep, tile));
  sal_points_range_clear(&range);
  sal_points_range_add(&range, s->sweep, tile);
  sal_points_fill(&range, s->sweep, tile);
  return sal_packed_size_see_cube(s->size, s->sweep, tile);
}

/* The time of the cells on these ranks, and how far it may be off. */
static sal_err estimate_time(const options *o, const sal_sweep *s, sal_plan *p)
{
  const int64_t tile = sal_tiles_largest(s->n_cell, p->ranks, sal_tile_most(s));
  sight of = {s, &p->packed};
  const sal_estimate_effort effort = {.most = o->sample,
                                      .enough = enough,
                                      .least = least,
                                      .report = report_sample,
                                      .see = see_tile,
                                      .with = &of};

  SAL_TRY(sal_estimate_run(s, tile, &effort, &p->estimate));
  p->compute = fmax(p->estimate.cpu_seconds / p->threads, p->estimate.alone_seconds) / p->ranks *
               sal_cli_machine_turns(&o->machine, p->ranks, p->threads);
  p->spread = sal_scalar_hypot(p->estimate.uncertainty, noise);
  return SAL_OK;
}

static sal_err make_plan(const options *o, const sal_sweep *s, sal_plan *p)
{
  const sal_bill_machine at = sal_cli_machine_of(&o->machine, (int)o->ranks);

  *p = (sal_plan){.ranks = (int)o->ranks,
                  .threads = o->threads ? (int)o->threads : sal_tile_threads(),
                  .compute = NAN};
  if (o->sample > 0) SAL_TRY(estimate_time(o, s, p));
  p->sizes = sal_bill_sizes(s, &p->packed, p->ranks, p->threads, o->machine.map);
  sal_bill_make(&p->sizes, &at, p->compute, &p->bill);
  return SAL_OK;
}

/* Journals are read by the ranks of a run; here by one. */
static sal_err count_there(const options *o, const sal_sweep *s, sal_plan *p)
{
  SAL_OWN_BY(sal_reuse_close) sal_reuse *reuse = NULL;
  int on, provided;

  MPI_Initialized(&on);
  if (!on) MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  SAL_TRY(sal_reuse_open(MPI_COMM_SELF, o->from, true, s, &reuse));
  p->from = o->from;
  return sal_reuse_all(reuse, &p->there);
}

static sal_err run_plan(void *given, sal_command_call *call)
{
  const options *o = given;
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};
  sal_plan plan;
  sal_report r;

  (void)call;
  SAL_TRY(sal_sweep_read(o->path, o->set.n, o->set.text, &sweep));
  SAL_TRY(make_plan(o, &sweep, &plan));
  if (o->from) SAL_TRY(count_there(o, &sweep, &plan));
  sal_report_begin(&r, stdout, o->json);
  sal_plan_print(&r, &sweep, &o->machine, &plan);
  sal_report_end(&r);
  return SAL_OK;
}

const sal_command sal_cmd_plan = {
    .name = "plan",
    .group = SAL_COMMAND_RUN,
    .summary = "say what a sweep would be: cells, size, memory, time",
    .description =
        "Say what a sweep would be, without running it: axes, cells, configurations, trajectories, "
        "size of the cube and of all that is on the disk while it runs, memory of rank 0 and of "
        "the others, and the time it takes on cores like those of this machine, phase by phase.",
    .table = {{rows, 0},
              {sal_cli_machine_options, offsetof(options, machine)},
              {sal_cli_petsc_options, 0}},
    .size = sizeof(options),
    .presets = &presets,
    .reads_sweep = true,
    .run = run_plan};
