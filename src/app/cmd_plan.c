/** @file src/app/cmd_plan.c
 *  saltus plan: what a sweep would be, before it is run.
 */
#include "axes_name.h"
#include "command.h"
#include "contender.h"
#include "cube_size.h"
#include "plan_print.h"
#include "sweep_read.h"
#include "tile_run.h"
#include "tiles.h"
#include <math.h>
#include <stdlib.h>

enum { MAX_SET = 64, MOST_WORKERS = 1 << 20 };

/* What a rank takes before it has any work: the program, MPI and HDF5. */
static const double base_bytes = 28e6;

/* Two standard errors, as a share of the time, below which the sample is large enough. */
static const double enough = 0.1;

typedef struct {
  const char *path, *set[MAX_SET];
  int         n_set, ranks, threads;
  double      sample; /* [s] */
  bool        json;
} options;

static const struct argp_option option_table[] = {
    {"ranks", 'r', "N", 0, "MPI ranks of the run (1)", 0},
    {"threads", 't', "N", 0, "threads of each (OMP_NUM_THREADS, or all cores)", 0},
    {"set", 's', "KEY=VALUE", 0, "override a key of the sweep file, as in `saltus run`", 0},
    {"sample", 'S', "SECONDS", 0,
     "run cells for at most about this long to predict the time (20); 0: no prediction", 0},
    {"json", 'j', NULL, 0, "print one line of JSON", 0},
    {0}};

static int count_of(struct argp_state *state, const char *name, const char *text)
{
  char      *end;
  const long n = strtol(text, &end, 10);

  if (end == text || *end != '\0' || n < 1 || n > MOST_WORKERS)
    argp_error(state, "--%s: '%s' is no whole number from 1 to %d", name, text, MOST_WORKERS);
  return (int)n;
}

static double seconds_of(struct argp_state *state, const char *text)
{
  char        *end;
  const double value = strtod(text, &end);

  if (end == text || *end != '\0' || !(value >= 0) || !isfinite(value))
    argp_error(state, "--sample: '%s' is no number of seconds from 0", text);
  return value;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case 'r':
    o->ranks = count_of(state, "ranks", arg);
    break;
  case 't':
    o->threads = count_of(state, "threads", arg);
    break;
  case 'S':
    o->sample = seconds_of(state, arg);
    break;
  case 'j':
    o->json = true;
    break;
  case 's':
    if (o->n_set == MAX_SET) argp_error(state, "more than %d --set", MAX_SET);
    o->set[o->n_set++] = arg;
    break;
  case ARGP_KEY_ARG:
    if (o->path) argp_error(state, "one sweep file is enough, found '%s' and '%s'", o->path, arg);
    o->path = arg;
    break;
  case ARGP_KEY_END:
    if (!o->path) argp_error(state, "which sweep file?");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    .options  = option_table,
    .parser   = parse_option,
    .args_doc = "SWEEP.yaml",
    .doc =
        "Say what a sweep would be, without running it: axes, cells, contenders, trajectories, "
        "size "
        "of the cube, memory of a rank, and the time it takes on cores like those of this machine."
        "\vThe time is that of a sample of cells, spread evenly over all axes and run here, scaled "
        "up; "
        "it takes all cores to be busy to the end.  Behind +- stand two standard errors of the "
        "sample; cells are run until these are 10 % of the time, or the seconds are "
        "over.\n\nExample:\n"
        "  saltus plan sweeps/contacts.yaml --ranks 2 --threads 1"};

/* Of the records as they are in memory, which journals hold until the cube is there. */
static double journal_bytes(const sal_sweep *s)
{
  const size_t cell = sizeof(sal_cell_record) + (size_t)sal_contender_count(s) * sizeof(sal_record);

  return (double)s->n_cell * (double)cell;
}

static sal_err reckon(const options *o, const sal_sweep *s, sal_plan *p)
{
  const int64_t tile  = sal_tiles_largest(s->n_cell, o->ranks, sal_tile_most(s));
  const int64_t cells = (s->n_cell + o->ranks - 1) / o->ranks;

  *p = (sal_plan){.ranks         = o->ranks,
                  .threads       = o->threads,
                  .trajectories  = s->n_cell * sal_contender_count(s),
                  .cube_bytes    = sal_cube_bytes(s),
                  .journal_bytes = journal_bytes(s),
                  .rank_bytes    = base_bytes + (double)sal_tile_bytes(s, tile, o->threads) +
                                (double)sal_cube_memory(s, cells, true),
                  .stored_bytes =
                      sal_stored_bytes(&s->stored, sal_contender_count(s), s->model->n_state),
                  .seconds = NAN};
  if (o->sample == 0) return SAL_OK;
  SAL_TRY(sal_estimate_run(s, tile, o->sample, enough, &p->estimate));
  p->seconds = p->estimate.cpu_seconds / o->ranks / o->threads;
  return SAL_OK;
}

sal_err sal_cmd_plan(int argc, char *argv[], int *status)
{
  options   o = {.ranks = 1, .threads = sal_tile_threads(), .sample = 20};
  sal_sweep sweep;
  sal_plan  p;

  *status = 0;
  sal_parse(&argp, argc, argv, &o);
  SAL_TRY(sal_sweep_read(o.path, o.n_set, o.set, &sweep));
  const sal_err err = reckon(&o, &sweep, &p);
  if (err == SAL_OK) (o.json ? sal_plan_print_json : sal_plan_print)(&sweep, &p);
  sal_sweep_free(&sweep);
  return err;
}
