/** saltus plan: a sweep before it is run, or the run of a cube on other numbers of ranks. */
#include "base.h"
#include "cli_compile.h"
#include "config.h"
#include "plain_file.h"
#include "plan_print.h"
#include "points.h"
#include "pool.h"
#include "run_cells.h"
#include "scalar_math.h"
#include "sweep_read.h"
#include "tile_run.h"
#include "tiles.h"

/* Two standard errors, as a share of the time, below which the sample is large enough. */
static const double enough = 0.1;

/* Shortest duration of such a sample [s]. */
static const double least = 0.5;

/* Error of CPU times as a share: of a core of its own, and more by the share of the time in which others had it.  They have its
 * caches and its other hardware thread, too: on two cores with a load of 17 twenty samples took 0.9 to 1.5 times as long as the run. */
static const double noise = 0.05, shared_noise = 0.5;

/* Between two lines about the sample, to stderr [s]. */
static const double patience = 5;

/* Memory of a node for data on the way to the disk [B]. */
static const double buffer_bytes = 1e9;

/* Time that a node's counter takes for a tile; that the first node's leader takes for a message, and for
 * each tile that it puts into order [s]. */
static const double counter_seconds = 1e-6, answer_seconds = 5e-6, order_seconds = 1e-7;

enum { MAX_WORD = 64 };

typedef struct {
  int n, rank[SAL_PLAN_MOST_RUNS];
} rank_list;

typedef struct {
  const char *path, *from;
  sal_cli_texts set;
  rank_list ranks;        /* of 0: as the kind of file has them */
  int64_t threads, scale; /* 0: likewise */
  double sample;          /* [s]; NaN: likewise */
  bool json;
  sal_cli_machine machine;
} options;
static const options presets = {.sample = NAN, .machine = {SAL_CLI_MACHINE_PRESETS}};

/* The presets of a sweep and of a cube. */
static const rank_list ranks_of_sweep = {1, {1}}, ranks_of_cube = {5, {1, 16, 256, 4096, 65536}};
static const double sample_of_sweep = 20;

static sal_err parse_ranks(const char *where, const char *list, void *value)
{
  rank_list *out = value;

  for (out->n = 0; list; ++out->n) {
    char word[MAX_WORD], *end;
    list = sal_text_item(list, sizeof word, word);
    const long ranks = strtol(word, &end, 10);
    if (end == word || *end != '\0' || ranks < 1 || ranks > SAL_CLI_MOST_RANKS)
      return sal_fail(SAL_ERR_USAGE, "%s: '%s' is not allowed; allowed: whole numbers from 1 to %d",
                      where, word, SAL_CLI_MOST_RANKS);
    if (out->n == SAL_PLAN_MOST_RUNS)
      return sal_fail(SAL_ERR_USAGE, "%s: more than %d numbers", where, SAL_PLAN_MOST_RUNS);
    out->rank[out->n] = (int)ranks;
  }
  return SAL_OK;
}

#define COUNT(most_) .least = 1, .most = (most_)

#define OPTIONS_OF_plan
#include "options.def"

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

static sal_err run_sample(double seconds, int ranks, sal_plan *p)
{
  const sal_sweep *s = p->sweep;
  const int64_t tile = sal_tiles_largest(s->n_cell, ranks, sal_tile_most(s));
  sight of = {s, &p->packed};
  const sal_estimate_effort effort = {.most = seconds,
                                      .enough = enough,
                                      .least = least,
                                      .report = report_sample,
                                      .see = see_tile,
                                      .with = &of};

  return seconds > 0 ? sal_estimate_run(s, tile, &effort, &p->estimate) : SAL_OK;
}

/* The time of the cells on these ranks, and how far it may be off. */
static void scale_sample(const sal_plan *p, sal_plan_run *run)
{
  const sal_estimate *e = &p->estimate;

  run->compute = fmax(e->cpu_seconds / run->threads, e->alone_seconds) / run->ranks *
                 sal_cli_machine_turns(p->machine, run->ranks, run->threads);
  run->spread = sal_scalar_hypot(e->uncertainty, noise + shared_noise * e->waited);
  run->busy = run->compute * run->ranks;
}

/* The measured times of the cells through the scheduler of these ranks. */
static sal_err play_cells(const sal_plan *p, sal_plan_run *run)
{
  const sal_cli_machine *at = p->machine;
  const sal_sweep *s = p->sweep;
  const sal_sim_machine machine = {.n_rank = run->ranks,
                                   .turns = sal_cli_machine_turns(at, run->ranks, run->threads),
                                   .per_node = (int)at->per_node,
                                   .pieces = sal_config_count(s) + 1, /* the references are one */
                                   .most = (int)sal_tile_most(s),
                                   .unit = (int)sal_run_cells_unit(s, run->ranks),
                                   .nap = 1e-9 * SAL_NAP,
                                   .latency = at->latency,
                                   .counter = counter_seconds,
                                   .answer = answer_seconds,
                                   .order = order_seconds,
                                   .bandwidth = at->bandwidth,
                                   .journal =
                                       run->sizes.bytes[SAL_BILL_JOURNAL] / (double)s->n_cell,
                                   .buffer = buffer_bytes};

  SAL_TRY(sal_sim_cells(&machine, p->cube->cells, p->cube->seconds, p->cube->scale, &run->sim));
  run->compute = run->sim.wall;
  run->busy = run->sim.busy;
  return SAL_OK;
}

static sal_err fill_run(const sal_plan *p, sal_plan_run *run)
{
  const sal_bill_machine at = sal_cli_machine_of(p->machine, run->ranks, run->threads);

  run->compute = run->spread = NAN;
  run->sizes = sal_plan_sizes(p->sweep, &p->packed, run->ranks, run->threads, p->machine->map);
  if (p->cube) SAL_TRY(play_cells(p, run));
  if (p->estimate.cells > 0) scale_sample(p, run);
  sal_bill_make(&run->sizes, &at, run->compute, &run->bill);
  if (p->cube) run->bill.phase[SAL_PHASE_JOURNAL].seconds = 0; /* it is in the schedule */
  return SAL_OK;
}

static sal_err print_plan(const options *o, const rank_list *ranks, int threads, sal_plan *p)
{
  for (; p->n < ranks->n; ++p->n) {
    p->run[p->n] = (sal_plan_run){.ranks = ranks->rank[p->n], .threads = threads};
    SAL_TRY(fill_run(p, &p->run[p->n]));
  }
  sal_report r = sal_report_begin(stdout, o->json);
  sal_plan_print(&r, p);
  sal_report_end(&r);
  return SAL_OK;
}

/* Journals are read by the ranks of a run; here by one. */
static sal_err count_there(const char *from, sal_plan *p)
{
  SAL_OWN_BY(sal_reuse_close) sal_reuse *reuse = NULL;
  int on, provided;

  MPI_Initialized(&on);
  if (!on) MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  SAL_TRY(sal_reuse_open(MPI_COMM_SELF, from, true, p->sweep, &reuse));
  p->from = from;
  return sal_reuse_all(reuse, &p->there);
}

static sal_err plan_sweep(const options *o)
{
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};
  const rank_list *ranks = o->ranks.n ? &o->ranks : &ranks_of_sweep;
  sal_plan p = {.sweep = &sweep, .machine = &o->machine};

  SAL_TRY(sal_sweep_read(o->path, o->set.n, o->set.text, &sweep));
  SAL_TRY(run_sample(isnan(o->sample) ? sample_of_sweep : o->sample, ranks->rank[0], &p));
  if (o->from) SAL_TRY(count_there(o->from, &p));
  return print_plan(o, ranks, o->threads ? (int)o->threads : sal_tile_threads(), &p);
}

static sal_err plan_cube(const options *o)
{
  SAL_OWN_BY(sal_cell_times_free) sal_cell_times cube = {0};
  sal_plan p = {.sweep = &cube.sweep, .machine = &o->machine, .cube = &cube};
  const int threads = o->threads ? (int)o->threads : 1;

  const sal_err err = sal_cell_times_read(o->path, o->scale ? o->scale : 1, &cube);
  if (err == SAL_ERR_USAGE) sal_err_add("; --scale makes them so many");
  SAL_TRY(err);
  p.packed = cube.packed;
  for (int64_t i = 0; i < cube.cells; ++i)
    cube.seconds[i] /= threads; /* which share a tile evenly */
  return print_plan(o, o->ranks.n ? &o->ranks : &ranks_of_cube, threads, &p);
}

static sal_err run_plan(void *given, sal_command_call *call)
{
  const options *o = given;
  const bool cube = sal_plain_file_is_hdf5(o->path);

  (void)call;
  if (cube && (o->set.n > 0 || o->from || !isnan(o->sample)))
    return sal_fail(SAL_ERR_USAGE, "%s: is a cube; a sweep alone takes --set, --from and --sample",
                    o->path);
  if (!cube && o->scale)
    return sal_fail(SAL_ERR_USAGE, "%s: is not a cube; a cube alone takes --scale", o->path);
  return cube ? plan_cube(o) : plan_sweep(o);
}

const sal_command_code sal_cmd_plan = {
    .table = {{rows, 0},
              {sal_cli_machine_options, offsetof(options, machine)},
              {sal_cli_petsc_options, 0}},
    SAL_COMMAND_OPTIONS(presets),
    .run = run_plan};
