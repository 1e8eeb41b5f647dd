/** @file src/app/cmd_simulate.c
 *  saltus simulate: what the run of a cube would take on other numbers of ranks.
 */
#include "command.h"
#include "cube_file.h"
#include "cube_read.h"
#include "cube_size.h"
#include "memory.h"
#include "quantities.h"
#include "sched_constants.h"
#include "simulate_print.h"
#include "sweep_read.h"
#include "tile_run.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 32, MOST_RANKS = 1 << 20, BLOCK = 256, MAX_WORD = 64 };
enum { THREADS = 512, SCALE, LATENCY, COUNTER, ANSWER, ORDER, BANDWIDTH, JOURNAL, JSON, CSV };

static const double most_cells = 1e9;

typedef struct {
  const char           *path, *ranks, *latency, *counter, *answer, *order, *bandwidth;
  int64_t               per_node, threads, scale;
  bool                  journal;
  sal_simulate_printer *print;
} options;

static const struct argp_option option_table[] = {
    {"ranks", 'r', "N,..", 0, "MPI ranks of the runs (1,16,256,4096,65536)", 0},
    {"ranks-per-node", 'n', "N", 0, "ranks that share a node (64)", 0},
    {"threads", THREADS, "N", 0, "threads of a rank, which share a tile evenly (1)", 0},
    {"scale", SCALE, "K", 0, "a grid K times as large: the cells of the cube K times over (1)", 0},
    {"latency", LATENCY, "TIME", 0, "of a message between nodes (2us)", 0},
    {"counter", COUNTER, "TIME", 0, "that a node's counter takes for a tile (1us)", 0},
    {"answer", ANSWER, "TIME", 0, "that the first node's leader takes for a message (5us)", 0},
    {"order", ORDER, "TIME", 0, "that it takes for each tile it puts into order (0.1us)", 0},
    {"io-bandwidth", BANDWIDTH, "RATE", 0, "of the disk that all share (1GB/s)", 0},
    {"journal", JOURNAL, NULL, 0, "finished tiles are written at once and read at the end, too", 0},
    {"json", JSON, NULL, 0, "print one line of JSON; times in seconds, costs of all ranks", 0},
    {"csv", CSV, NULL, 0, "print comma-separated values", 0},
    {0}};

static int64_t count_of(struct argp_state *state, const char *name, const char *text, int64_t most)
{
  char           *end;
  const long long n = strtoll(text, &end, 10);

  if (end == text || *end != '\0' || n < 1 || n > most)
    argp_error(state, "--%s: '%s' is no whole number from 1 to %lld", name, text, (long long)most);
  return n;
}

static void print_as(struct argp_state *state, sal_simulate_printer *print)
{
  options *o = state->input;

  if (o->print != sal_simulate_print_text && o->print != print)
    argp_error(state, "--json or --csv, not both");
  o->print = print;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case 'r':
    o->ranks = arg;
    break;
  case 'n':
    o->per_node = count_of(state, "ranks-per-node", arg, MOST_RANKS);
    break;
  case THREADS:
    o->threads = count_of(state, "threads", arg, MOST_RANKS);
    break;
  case SCALE:
    o->scale = count_of(state, "scale", arg, (int64_t)most_cells);
    break;
  case LATENCY:
    o->latency = arg;
    break;
  case COUNTER:
    o->counter = arg;
    break;
  case ANSWER:
    o->answer = arg;
    break;
  case ORDER:
    o->order = arg;
    break;
  case BANDWIDTH:
    o->bandwidth = arg;
    break;
  case JOURNAL:
    o->journal = true;
    break;
  case JSON:
    print_as(state, sal_simulate_print_json);
    break;
  case CSV:
    print_as(state, sal_simulate_print_csv);
    break;
  default:
    return sal_option_cube(key, arg, state, &o->path);
  }
  return 0;
}

static const char doc[] =
    "Say how long the run of a cube would take on other numbers of ranks, and what would hold it "
    "up, before such a job is queued."
    "\vThe measured time of each cell (cell_seconds) is played through the scheduler: tiles, "
    "chunks and messages are those of `saltus run`; nodes, network and disk are modelled.  The "
    "same input gives the same answer.\n"
    "  busy      of the time of all ranks: the efficiency\n"
    "  counter   drawing tiles from the queue of the node, one rank after the other\n"
    "  chunks    waiting for tiles that a leader, busy itself, is to hand out\n"
    "  answers   of the first leader, who computes nothing while it hands them out\n"
    "  journal   writing finished tiles, and reading them again (with --journal)\n"
    "  tail      nothing left to do, but others compute\n"
    "  write     leaving, and writing the cube\n"
    "`breaks at` names the largest of them where less than 80 % are busy.  A tail may also be "
    "`heaviest`, a single tile that takes more than half of the run, or `cells`, less of them than "
    "ranks: both say that more ranks are of no use.\n"
    "Left out: that cells take longer in tiles too small to fill the lanes, that cores share "
    "memory, that machines differ.  Measure where the job will run; with a cube of a sample of "
    "cells, --scale gives the whole grid.\n\n"
    "Example:\n"
    "  saltus simulate atlas.h5 --ranks 64,1024 --ranks-per-node 128 --scale 100";
static const struct argp argp = {
    .options = option_table, .parser = parse_option, .args_doc = "CUBE.h5", .doc = doc};

/* ---- what was asked ---------------------------------------------------------------------------
 */

static const sal_quantity time_of = {
    "time", "time", {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}, NAN};
static const sal_quantity rate_of = {
    "rate", "rate", {{"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}, {"B/s", 1}}, NAN};

/* "2us"; 0 needs no unit. */
static sal_err read_quantity(const char *where, const sal_quantity *quantity, const char *text,
                             double *value)
{
  char item[MAX_WORD];

  if (strcmp(text, "0") == 0 && quantity == &time_of) {
    *value = 0;
    return SAL_OK;
  }
  snprintf(item, sizeof item, "%s=%s", quantity->name, text);
  return sal_quantities_parse(where, 1, quantity, item, value);
}

static sal_err read_ranks(const char *list, int *n, sal_simulated run[])
{
  for (*n = 0; list; ++*n) {
    char         word[MAX_WORD], *end;
    const size_t length = strcspn(list, ",");
    snprintf(word, sizeof word, "%.*s", (int)length, list);
    const long ranks = strtol(word, &end, 10);
    if (end == word || *end != '\0' || ranks < 1 || ranks > MOST_RANKS)
      return sal_fail(SAL_ERR_USAGE, "--ranks: '%s' is no whole number from 1 to %d", word,
                      MOST_RANKS);
    if (*n == MOST_RUNS) return sal_fail(SAL_ERR_USAGE, "--ranks: more than %d", MOST_RUNS);
    run[*n].machine.n_rank = (int)ranks;
    list                   = list[length] ? list + length + 1 : NULL;
  }
  return SAL_OK;
}

static sal_err read_machine(const options *o, sal_sim_machine *at)
{
  *at = (sal_sim_machine){.per_node = (int)o->per_node, .nap = 1e-9 * SAL_NAP};
  SAL_TRY(read_quantity("--latency", &time_of, o->latency, &at->latency));
  SAL_TRY(read_quantity("--counter", &time_of, o->counter, &at->counter));
  SAL_TRY(read_quantity("--answer", &time_of, o->answer, &at->answer));
  SAL_TRY(read_quantity("--order", &time_of, o->order, &at->order));
  return read_quantity("--io-bandwidth", &rate_of, o->bandwidth, &at->bandwidth);
}

/* ---- what was measured ------------------------------------------------------------------------
 */

/* CPU time of each cell, a few cells at a time. */
static sal_err read_blocks(sal_cube_file *file, const sal_cube *frame, double seconds[])
{
  const int64_t   contenders = (int64_t)frame->n_tolerance * frame->n_strategy * frame->n_method;
  sal_tile_result result     = {.cell = sal_alloc(BLOCK, sizeof *result.cell),
                                .record =
                                    sal_alloc((size_t)(BLOCK * contenders), sizeof *result.record)};

  sal_err err = result.cell && result.record
                    ? SAL_OK
                    : sal_fail(SAL_ERR_MEMORY, "no memory for %d cells", BLOCK);
  for (; err == SAL_OK && result.first < frame->n_cell; result.first += BLOCK) {
    result.count = frame->n_cell - result.first < BLOCK ? frame->n_cell - result.first : BLOCK;
    err          = sal_cube_file_read(file, 0, NULL, &result);
    for (int64_t i = 0; err == SAL_OK && i < result.count; ++i)
      seconds[result.first + i] = result.cell[i].value[SAL_CELL_SECONDS];
  }
  sal_free(result.cell);
  sal_free(result.record);
  return err;
}

static sal_err check_seconds(sal_simulated_work *work, const double seconds[])
{
  int64_t missing = 0;

  for (int64_t i = 0; i < work->cells; ++i) {
    if (!(seconds[i] >= 0) || isinf(seconds[i]))
      ++missing;
    else
      work->sum += seconds[i];
    work->heaviest = fmax(work->heaviest, seconds[i]);
  }
  if (missing)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: %lld of its %lld cells have no measured time (cell_seconds); only a run "
                    "that measured all of them can be simulated",
                    work->path, (long long)missing, (long long)work->cells);
  if (work->sum > 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: its cells took no time at all", work->path);
}

static sal_err size_cube(const options *o, const sal_cube *frame, sal_sim_machine *at)
{
  const int    contenders = frame->n_tolerance * frame->n_strategy * frame->n_method;
  const double record     = sizeof(sal_cell_record) + contenders * (double)sizeof(sal_record);
  sal_sweep    sweep;

  SAL_TRY(sal_sweep_parse(o->path, frame->sweep_text, 0, NULL, &sweep));
  at->cube    = (double)sal_cube_bytes(&sweep) * (double)o->scale;
  at->most    = (int)sal_tile_most(&sweep);
  at->journal = o->journal ? record : 0;
  at->pieces  = contenders + 1; /* the references are one */
  sal_sweep_free(&sweep);
  return SAL_OK;
}

/* *seconds is the caller's. */
static sal_err read_cube(const options *o, sal_sim_machine *at, sal_simulated_work *work,
                         double **seconds)
{
  sal_cube_file *file;
  sal_cube       frame;

  SAL_TRY(sal_cube_file_open(o->path, &file, &frame));
  work->cells = frame.n_cell;
  *seconds    = sal_alloc((size_t)frame.n_cell, sizeof **seconds);
  sal_err err = *seconds ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for the times of cells");
  if (err == SAL_OK) err = size_cube(o, &frame, at);
  if (err == SAL_OK) err = read_blocks(file, &frame, *seconds);
  sal_cube_file_close(&file);
  sal_cube_free(&frame);
  if (err == SAL_OK) err = check_seconds(work, *seconds);
  if (err == SAL_OK && (double)work->cells * (double)work->scale > most_cells)
    err = sal_fail(SAL_ERR_USAGE, "--scale: %lld times %lld cells are more than %g",
                   (long long)work->scale, (long long)work->cells, most_cells);
  return err;
}

static sal_err play(const sal_simulated_work *work, const sal_sim_machine *at, int n,
                    sal_simulated run[], double seconds[])
{
  for (int64_t i = 0; i < work->cells; ++i) seconds[i] /= work->threads;
  for (int k = 0; k < n; ++k) {
    const int n_rank      = run[k].machine.n_rank;
    run[k].machine        = *at;
    run[k].machine.n_rank = n_rank;
    SAL_TRY(sal_sim_cells(&run[k].machine, work->cells, seconds, work->scale, &run[k].got));
  }
  return SAL_OK;
}

sal_err sal_cmd_simulate(int argc, char *argv[], int *status)
{
  options         o       = {.ranks     = "1,16,256,4096,65536",
                             .latency   = "2us",
                             .counter   = "1us",
                             .answer    = "5us",
                             .order     = "0.1us",
                             .bandwidth = "1GB/s",
                             .per_node  = 64,
                             .threads   = 1,
                             .scale     = 1,
                             .print     = sal_simulate_print_text};
  double         *seconds = NULL;
  sal_simulated   run[MOST_RUNS];
  sal_sim_machine at;
  int             n;

  *status = 0;
  sal_parse(&argp, argc, argv, &o);
  SAL_TRY(read_ranks(o.ranks, &n, run));
  SAL_TRY(read_machine(&o, &at));
  sal_simulated_work work = {.path = o.path, .scale = o.scale, .threads = (int)o.threads};
  sal_err            err  = read_cube(&o, &at, &work, &seconds);
  if (err == SAL_OK) err = play(&work, &at, n, run, seconds);
  if (err == SAL_OK) o.print(stdout, &work, n, run);
  sal_free(seconds);
  return err;
}
