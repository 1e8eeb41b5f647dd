/** @file src/app/cmd_simulate.c
 *  saltus simulate: what the run of a cube would take on other numbers of ranks.
 */
#include "bill_sizes.h"
#include "cli_machine.h"
#include "cli_quantity.h"
#include "command.h"
#include "memory.h"
#include "pool.h"
#include "simulate_print.h"
#include "tile_run.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 32, MOST_RANKS = SAL_CLI_MOST_RANKS, MAX_WORD = 64 };

/* Memory of a node for data on the way to the disk [B]. */
static const double buffer_bytes = 1e9;

typedef struct {
  int n, rank[MOST_RUNS];
} rank_list;

typedef struct {
  const char *path;
  rank_list ranks;
  int64_t threads, scale;
  double latency, counter, answer, order; /* [s] */
  bool json, csv;
  sal_cli_machine machine;
} options;
static const options presets = {.ranks = {5, {1, 16, 256, 4096, 65536}},
                                .threads = 1,
                                .scale = 1,
                                .latency = 2e-6,
                                .counter = 1e-6,
                                .answer = 5e-6,
                                .order = 1e-7,
                                .machine = {SAL_CLI_MACHINE_PRESETS}};

static sal_err parse_ranks(const char *where, const char *list, void *value)
{
  rank_list *out = value;

  for (out->n = 0; list; ++out->n) {
    char word[MAX_WORD], *end;
    const size_t length = strcspn(list, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, list);
    const long ranks = strtol(word, &end, 10);
    if (end == word || *end != '\0' || ranks < 1 || ranks > MOST_RANKS)
      return sal_fail(SAL_ERR_USAGE, "%s: '%s' is not a whole number from 1 to %d", where, word,
                      MOST_RANKS);
    if (out->n == MOST_RUNS) return sal_fail(SAL_ERR_USAGE, "%s: more than %d", where, MOST_RUNS);
    out->rank[out->n] = (int)ranks;
    list = list[length] ? list + length + 1 : NULL;
  }
  return SAL_OK;
}

#define AT(member) .offset = offsetof(options, member)
#define TIME .parse = sal_cli_quantity_time
#define COUNT(most_) .least = 1, .most = (most_)

static const sal_cli_option rows[] = {
    {"cube", 0, "CUBE.h5", "the cube", SAL_CLI_ARGUMENT, AT(path), .missing = "CUBE.h5 is missing"},
    {"ranks", 'r', "N,..", "MPI ranks of the runs (1,16,256,4096,65536)", SAL_CLI_PARSED, AT(ranks),
     .parse = parse_ranks},
    {"threads", 0, "N", "threads of a rank, which share a tile evenly (1)", SAL_CLI_WHOLE,
     AT(threads), COUNT(MOST_RANKS)},
    {"scale", 0, "K", "a grid K times as large: the cells of the cube K times over (1)",
     SAL_CLI_WHOLE, AT(scale), COUNT(1e9)},
    {"latency", 0, "TIME", "latency of a message (2us)", SAL_CLI_PARSED, AT(latency), TIME},
    {"counter", 0, "TIME", "that a node's counter takes for a tile (1us)", SAL_CLI_PARSED,
     AT(counter), TIME},
    {"answer", 0, "TIME", "that the first node's leader takes for a message (5us)", SAL_CLI_PARSED,
     AT(answer), TIME},
    {"order", 0, "TIME", "that it takes for each tile it puts into order (0.1us)", SAL_CLI_PARSED,
     AT(order), TIME},
    {"json", 'j', NULL, "print one line of JSON; times in seconds, costs of all ranks",
     SAL_CLI_FLAG, AT(json)},
    {"csv", 0, NULL, "print comma-separated values", SAL_CLI_FLAG, AT(csv)},
    {.help = NULL}};

static sal_err check_format(void *given)
{
  const options *o = given;

  return o->json && o->csv ? sal_fail(SAL_ERR_USAGE, "--json or --csv, not both") : SAL_OK;
}

/* Size of a cell in the journals of a run on n_rank ranks [B]. */
static double journal_bytes(const options *o, const sal_simulated_work *work, int n_rank)
{
  const sal_bill_sweep sizes =
      sal_bill_sizes(&work->sweep, &work->packed, n_rank, work->threads, o->machine.map);

  return sizes.bytes[SAL_BILL_JOURNAL] / (double)work->sweep.n_cell;
}

static sal_sim_machine machine_of(const options *o, const sal_simulated_work *work, int n_rank)
{
  return (sal_sim_machine){.n_rank = n_rank,
                           .turns = sal_cli_machine_turns(&o->machine, n_rank, work->threads),
                           .per_node = (int)o->machine.per_node,
                           .pieces = work->configs + 1, /* the references are one */
                           .most = (int)sal_tile_most(&work->sweep),
                           .nap = 1e-9 * SAL_NAP,
                           .latency = o->latency,
                           .counter = o->counter,
                           .answer = o->answer,
                           .order = o->order,
                           .bandwidth = o->machine.bandwidth,
                           .journal = journal_bytes(o, work, n_rank),
                           .buffer = buffer_bytes};
}

/* The simulated schedule includes the time for which the journals delay the ranks. */
static void make_bill(const options *o, const sal_simulated_work *work, sal_simulated *run)
{
  const sal_bill_machine at = sal_cli_machine_of(&o->machine, run->machine.n_rank);
  const sal_bill_sweep sizes = sal_bill_sizes(&work->sweep, &work->packed, run->machine.n_rank,
                                              work->threads, o->machine.map);

  sal_bill_make(&sizes, &at, run->got.wall, &run->bill);
  run->bill.phase[SAL_PHASE_JOURNAL].seconds = 0;
}

static sal_err simulate_runs(const options *o, const sal_simulated_work *work, double seconds[],
                             sal_simulated run[])
{
  for (int64_t i = 0; i < work->cells; ++i) seconds[i] /= work->threads;
  for (int k = 0; k < o->ranks.n; ++k) {
    run[k].machine = machine_of(o, work, o->ranks.rank[k]);
    SAL_TRY(sal_sim_cells(&run[k].machine, work->cells, seconds, work->scale, &run[k].got));
    make_bill(o, work, &run[k]);
  }
  return SAL_OK;
}

static sal_err run_simulate(void *given, sal_command_call *call)
{
  const options *o = given;
  sal_simulated_work work = {.path = o->path, .scale = o->scale, .threads = (int)o->threads};
  SAL_OWN double *seconds = NULL;
  sal_simulated run[MOST_RUNS];

  (void)call;
  sal_err err = sal_simulate_cube_read(&work, &seconds);
  if (err == SAL_ERR_USAGE) sal_err_add("; --scale makes them so many");
  if (err == SAL_OK) err = simulate_runs(o, &work, seconds, run);
  if (err == SAL_OK && o->csv) sal_simulate_print_csv(stdout, &work, o->ranks.n, run);
  if (err == SAL_OK && !o->csv) {
    sal_report r;
    sal_report_begin(&r, stdout, o->json);
    sal_simulate_print(&r, &work, &o->machine, o->ranks.n, run);
    sal_report_end(&r);
  }
  sal_sweep_free(&work.sweep);
  return err;
}

const sal_command sal_cmd_simulate = {
    .name = "simulate",
    .group = SAL_COMMAND_RUN,
    .summary = "say how long the run of a cube takes on more ranks, and what holds it up",
    .description = "Say how long the run of a cube would take on other numbers of ranks, and what "
                   "would hold it up, before such a job is queued.",
    .table = {{rows, 0}, {sal_cli_machine_options, offsetof(options, machine)}},
    .size = sizeof(options),
    .presets = &presets,
    .check = check_format,
    .run = run_simulate};
