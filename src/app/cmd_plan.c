/** @file src/app/cmd_plan.c
 *  saltus plan: what a sweep would be, before it is run.
 */
#include "axes_name.h"
#include "command.h"
#include "contender.h"
#include "cube_size.h"
#include "estimate.h"
#include "sweep.h"
#include "text.h"
#include "tile_run.h"
#include "tiles.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_SET = 64, MOST_WORKERS = 1 << 20, SHOWN = 8 };

/* What a rank takes before it has any work: the program, MPI and HDF5. */
static const double base_bytes = 28e6;

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
     "run cells for about this long to predict the time (5); 0: no prediction", 0},
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
        "\vThe time is that of a sample of cells, spread over the sweep and run here, scaled up; "
        "it "
        "takes all cores to be busy to the end.\n\nExample:\n"
        "  saltus plan sweeps/contacts.yaml --ranks 2 --threads 1"};

/* What the sweep comes to. */
typedef struct {
  int64_t      trajectories, cube_bytes;
  double       stored_bytes;        /* of trajectories, beside the cube */
  double       rank_bytes, seconds; /* of the first rank, which has most; NaN: not predicted */
  sal_estimate estimate;
} plan;

static sal_err reckon(const options *o, const sal_sweep *s, plan *p)
{
  const int64_t tile  = sal_tiles_largest(s->n_cell, o->ranks, sal_tile_most(s));
  const int64_t cells = (s->n_cell + o->ranks - 1) / o->ranks;

  *p = (plan){.trajectories = s->n_cell * sal_contender_count(s),
              .cube_bytes   = sal_cube_bytes(s),
              .rank_bytes   = base_bytes + (double)sal_tile_bytes(s, tile, o->threads) +
                            (double)sal_cube_memory(s, cells, true),
              .stored_bytes =
                  sal_stored_bytes(&s->stored, sal_contender_count(s), s->model->n_state),
              .seconds = NAN};
  if (o->sample == 0) return SAL_OK;
  SAL_TRY(sal_estimate_run(s, tile, o->sample, &p->estimate));
  p->seconds = p->estimate.cpu_seconds / o->ranks / o->threads;
  return SAL_OK;
}

/* The first values of a list; an option's are words. */
static void print_list(const sal_model *m, const sal_axis *axis)
{
  const int option = axis->column[0] - m->n_param;

  for (int64_t i = 0; i < axis->n_point && i < SHOWN; ++i) {
    if (option >= 0 && option < m->n_option)
      printf(" %s", m->option[option].choice[(int)axis->value[i]]);
    else
      printf(" %g", axis->value[i]);
  }
  if (axis->n_point > SHOWN) printf(" ..");
}

static void print_range(const sal_model *m, const sal_axis *axis)
{
  if (axis->kind == SAL_AXIS_LIST) print_list(m, axis);
  if (axis->kind == SAL_AXIS_LIST || axis->kind == SAL_AXIS_ROWS) return;
  for (int c = 0; c < axis->n_column; ++c)
    printf("%s %g .. %g", c ? "," : "", axis->lo[c], axis->hi[c]);
}

static void print_axes(const sal_sweep *s)
{
  for (int a = 0; a < s->n_axis; ++a) {
    sal_text name = {0};
    sal_axes_name(s, a, &name);
    printf("%-13s%-10s %8lld points, %s", a ? "" : "axes", name.string ? name.string : "",
           (long long)s->axis[a].n_point, sal_axis_kind_name(s->axis[a].kind));
    print_range(s->model, &s->axis[a]);
    printf("\n");
    sal_text_free(&name);
  }
  if (s->n_cell > s->n_grid)
    printf("%-13s%-10s %8lld points, between those of the axes\n", "", "scattered",
           (long long)(s->n_cell - s->n_grid));
}

/* In the unit that gives a number from 1 on. */
static void print_size(const char *what, double value, int n, const double size[],
                       const char *const unit[])
{
  int i = 0;

  while (i < n - 1 && value >= size[i + 1]) ++i;
  printf("%s%.*f %s", what, value / size[i] < 10, value / size[i], unit[i]);
}

static void print_bytes(const char *what, double bytes)
{
  static const double      size[] = {1e3, 1e6, 1e9, 1e12, 1e15};
  static const char *const unit[] = {"kB", "MB", "GB", "TB", "PB"};

  print_size(what, bytes, 5, size, unit);
}

static void print_seconds(const char *what, double seconds)
{
  static const double      size[] = {1, 60, 3600, 86400, 86400 * 365.25};
  static const char *const unit[] = {"s", "min", "h", "days", "years"};

  print_size(what, seconds, 5, size, unit);
}

static void print_text(const options *o, const sal_sweep *s, const plan *p)
{
  const long    cores = sysconf(_SC_NPROCESSORS_ONLN);
  const int64_t more  = s->n_cell - s->n_grid;

  printf("%-13s%s%s%s\n%-13s%s, contacts: %d\n", "sweep", s->path, *s->title ? ": " : "", s->title,
         "model", s->model->name, s->n_guard);
  print_axes(s);
  printf("%-13s", "cells");
  for (int a = 0; s->n_axis > 1 && a < s->n_axis; ++a)
    printf("%s%lld%s", a ? " x " : "", (long long)s->axis[a].n_point,
           a == s->n_axis - 1 ? more ? "" : " = " : "");
  if (more && s->n_axis > 1) printf(" + %lld = ", (long long)more);
  if (more && s->n_axis == 1) printf("%lld + %lld = ", (long long)s->n_grid, (long long)more);
  printf("%lld\n%-13s%d methods x %d strategies x %d tolerances = %d\n", (long long)s->n_cell,
         "contenders", s->n_method, s->n_strategy, s->n_tolerance, sal_contender_count(s));
  printf("%-13s%lld\n", "trajectories", (long long)p->trajectories);
  print_bytes("cube         ", (double)p->cube_bytes);
  printf(", its map not counted");
  print_bytes("\nmemory       ", p->rank_bytes);
  printf(" a rank\n");
  if (s->stored.n_cell) {
    print_bytes("kept         ", p->stored_bytes);
    printf(" of trajectories, %lld cells at %lld points each\n", (long long)s->stored.n_cell,
           (long long)s->stored.n_mesh + 1);
  }
  if (isnan(p->seconds)) return;
  print_seconds("time         ", p->seconds);
  printf(" with %d ranks x %d threads, ", o->ranks, o->threads);
  print_seconds("", p->estimate.cpu_seconds);
  printf(" of one core (%lld of the cells were run, in %.1f s)\n", (long long)p->estimate.cells,
         p->estimate.run_seconds);
  if ((long)o->ranks * o->threads > cores)
    printf("%-13sthis machine has %ld cores; the time is that of %ld like them\n", "", cores,
           (long)o->ranks * o->threads);
}

static void print_json(const options *o, const sal_sweep *s, const plan *p)
{
  printf("{\"model\": \"%s\", \"axes\": [", s->model->name);
  for (int a = 0; a < s->n_axis; ++a) {
    sal_text name = {0};
    sal_axes_name(s, a, &name);
    printf("%s{\"name\": \"%s\", \"kind\": \"%s\", \"points\": %lld}", a ? ", " : "",
           name.string ? name.string : "", sal_axis_kind_name(s->axis[a].kind),
           (long long)s->axis[a].n_point);
    sal_text_free(&name);
  }
  printf("]");
  if (s->n_cell > s->n_grid) printf(", \"scattered\": %lld", (long long)(s->n_cell - s->n_grid));
  printf(", \"cells\": %lld, \"contenders\": %d, \"trajectories\": %lld, \"cube_bytes\": %lld, "
         "\"stored_bytes\": %.0f, \"ranks\": %d, \"threads\": %d, \"rank_bytes\": %.0f",
         (long long)s->n_cell, sal_contender_count(s), (long long)p->trajectories,
         (long long)p->cube_bytes, p->stored_bytes, o->ranks, o->threads, p->rank_bytes);
  if (!isnan(p->seconds))
    printf(
        ", \"seconds\": %.6g, \"cpu_seconds\": %.6g, \"sampled_cells\": %lld, \"sample_seconds\": "
        "%.6g",
        p->seconds, p->estimate.cpu_seconds, (long long)p->estimate.cells, p->estimate.run_seconds);
  printf("}\n");
}

sal_err sal_cmd_plan(int argc, char *argv[], int *status)
{
  options   o = {.ranks = 1, .threads = sal_tile_threads(), .sample = 5};
  sal_sweep sweep;
  plan      p;

  *status = 0;
  sal_parse(&argp, argc, argv, &o);
  SAL_TRY(sal_sweep_read(o.path, o.n_set, o.set, &sweep));
  const sal_err err = reckon(&o, &sweep, &p);
  if (err == SAL_OK) (o.json ? print_json : print_text)(&o, &sweep, &p);
  sal_sweep_free(&sweep);
  return err;
}
