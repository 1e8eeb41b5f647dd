/** @file src/app/cmd_refine.c
 *  saltus refine: more cells where the answers of a cube change.
 */
#include "atomic_file.h"
#include "cli_performance.h"
#include "cli_sweep.h"
#include "clock.h"
#include "collective_error.h"
#include "command.h"
#include "map_cube.h"
#include "memory.h"
#include "recommend.h"
#include "refine_cube.h"
#include "refine_print.h"
#include "stop.h"
#include "sweep_read.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_BUDGET = 1000000, KEY_SWEEP = 256, KEY_DRY };

typedef struct {
  const char           *cube, *error, *sweep;
  int64_t               budget;
  bool                  dry;
  sal_performance_words table;
  sal_run_options       run;
} options;

static const struct argp_option option_table[] = {
    {"budget", 'b', "N", 0, "cells to add, at most; required", 0},
    {"error", 'e', "E,..", 0, "largest errors to be asked for (1e-2,1e-4,1e-6)", 0},
    {"sweep", KEY_SWEEP, "FILE", 0, "the sweep file to write (that of -o with .yaml for .h5)", 0},
    {"dry-run", KEY_DRY, NULL, 0, "print the cells that would be added, and do no more", 0},
    {0}};

static int64_t read_budget(struct argp_state *state, const char *text)
{
  char      *end;
  const long n = strtol(text, &end, 10);

  if (end == text || *end != '\0' || n < 1 || n > MOST_BUDGET)
    argp_error(state, "--budget: '%s' is no whole number from 1 to %d", text, MOST_BUDGET);
  return n;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->run;
    state->child_inputs[1] = &o->table;
    break;
  case 'b':
    o->budget = read_budget(state, arg);
    break;
  case 'e':
    o->error = arg;
    break;
  case KEY_SWEEP:
    o->sweep = arg;
    break;
  case KEY_DRY:
    o->dry = true;
    break;
  case ARGP_KEY_ARG:
    if (o->cube) argp_error(state, "one cube at a time, found '%s' and '%s'", o->cube, arg);
    o->cube = arg;
    break;
  case ARGP_KEY_END:
    if (!o->cube) argp_error(state, "which cube?");
    if (o->budget == 0) argp_error(state, "how many cells?  --budget N says it");
    if (!o->run.out && !o->dry) argp_error(state, "where to?  -o FILE names the cube to write");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const char doc[] =
    "Add cells to a cube where the least work for an error changes from cell to cell, or the lead "
    "of the best contender is thin; run them, and write the whole as a new cube."
    "\vA new cell lies halfway between two neighbours.  It counts by what the best contender of "
    "one "
    "costs in the other, asked errors that it misses included, and less the closer it lies to one "
    "chosen before.  The sweep written is the old one with `cells.scattered`; `saltus run` of it "
    "gives the same cube, but anew.  A refined cube can be refined again; one that another version "
    "of "
    "this program made only with --force.  May run under mpirun; "
    "like `saltus run` it goes on when the same command is given again.\n\n"
    "Example:\n"
    "  saltus refine atlas.h5 --budget 400 -o atlas-400.h5 --error 1e-4";
static const struct argp_child children[] = {
    {.argp = &sal_cli_sweep_argp}, {.argp = &sal_cli_performance_argp}, {0}};
static const struct argp argp = {.options  = option_table,
                                 .parser   = parse_option,
                                 .children = children,
                                 .args_doc = "CUBE.h5",
                                 .doc      = doc};

/* What one rank makes of the cube for all. */
typedef struct {
  char   *text;   /* of the refined sweep */
  int64_t n_cell; /* of the cube */
} plan;

/* Axes of several quantities, or none that can be divided, leave nothing to add. */
static sal_err check_axes(const char *path, const sal_sweep *s)
{
  bool divides = false;

  for (int a = 0; a < s->n_axis; ++a) {
    const sal_axis *axis   = &s->axis[a];
    const int       option = axis->column[0] - s->model->n_param;
    if (sal_axis_joint(axis))
      return sal_fail(
          SAL_ERR_INPUT,
          "%s: one of its axes is %s, whose points have no neighbours; allowed: linear, "
          "log, list",
          path, sal_axis_kind_name(axis->kind));
    divides |= axis->n_point > 1 && !axis->whole[0] && (option < 0 || option >= s->model->n_option);
  }
  return divides ? SAL_OK
                 : sal_fail(SAL_ERR_INPUT,
                            "%s: has no axis of numbers with two points or more; nothing lies "
                            "between its cells",
                            path);
}

/* Prints the points, or makes the text. */
static sal_err use(const options *o, const sal_sweep *s, int64_t n, const sal_refine_point point[],
                   plan *p)
{
  if (n == 0)
    return sal_fail(SAL_ERR_INPUT, "%s: no neighbouring cells differ in an answer", o->cube);
  if (o->dry) {
    sal_refine_print(stdout, s, n, point);
    return SAL_OK;
  }
  if (!o->run.quiet && n < o->budget)
    fprintf(stderr, "%s: there are only %lld cells worth adding\n", o->cube, (long long)n);
  p->n_cell = s->n_cell;
  p->text   = sal_refine_text(s, n, point);
  return p->text ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a sweep");
}

static sal_err choose(const options *o, sal_performance_cube *cube, sal_map *map, plan *p)
{
  sal_refine_point *point = sal_alloc((size_t)o->budget, sizeof *point);
  int64_t           n     = 0;

  if (!point) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld cells", (long long)o->budget);
  memcpy(map->method, cube->method, sizeof map->method);
  memcpy(map->strategy, cube->strategy, sizeof map->strategy);
  sal_err err = sal_recommend(&cube->table, map);
  if (err == SAL_OK) err = sal_refine_choose(&cube->table, map, o->budget, point, &n);
  if (err == SAL_OK) err = use(o, &cube->sweep, n, point, p);
  sal_free(point);
  return err;
}

/* On one rank. */
static sal_err make_plan(const options *o, plan *p)
{
  sal_performance_cube cube;
  sal_map              map;

  sal_map_presets(&map);
  map.n_weights = 0;
  if (o->error) SAL_TRY(sal_performance_errors(o->error, &map.n_error, map.error));
  if (!o->dry) SAL_TRY(sal_atomic_file_claim(o->run.out, o->run.force));
  SAL_TRY(sal_performance_cube_open(o->cube, &o->table, false, &cube));
  sal_err err = check_axes(o->cube, &cube.sweep);
  if (err == SAL_OK && !cube.same_program && !o->dry && !o->run.force)
    err = sal_fail(SAL_ERR_EXISTS,
                   "%s: another version of this program made it, and its cells may differ from new "
                   "ones; --force takes them as they are",
                   o->cube);
  if (err == SAL_OK) err = choose(o, &cube, &map, p);
  sal_map_free(&map);
  sal_performance_cube_free(&cube);
  return err;
}

/* Collective.  The plan of rank 0 to all. */
static sal_err share(MPI_Comm comm, int rank, plan *p)
{
  int64_t size[2] = {p->text ? (int64_t)strlen(p->text) + 1 : 0, p->n_cell};

  SAL_TRY_MPI(MPI_Bcast(size, 2, MPI_INT64_T, 0, comm));
  p->n_cell = size[1];
  if (rank != 0) p->text = sal_alloc((size_t)size[0], 1);
  SAL_TRY(sal_collective_error(comm, p->text ? SAL_OK
                                             : sal_fail(SAL_ERR_MEMORY, "no memory for a sweep")));
  SAL_TRY_MPI(MPI_Bcast(p->text, (int)size[0], MPI_CHAR, 0, comm));
  return SAL_OK;
}

/* Where the sweep goes, unless --sweep says it. */
static char *sweep_path(const options *o)
{
  const size_t n    = strlen(o->run.out);
  const bool   h5   = n > 3 && strcmp(o->run.out + n - 3, ".h5") == 0;
  sal_text     path = {0};

  if (o->sweep)
    sal_text_add(&path, "%s", o->sweep);
  else
    sal_text_add(&path, "%.*s.yaml", (int)(h5 ? n - 3 : n), o->run.out);
  return sal_text_take(&path);
}

/* Collective.  Saves the sweep and runs what the cube lacks of it. */
static sal_err carry_out(MPI_Comm comm, int rank, double began, options *o, const plan *p,
                         const char *path)
{
  sal_refine_old old = {o->cube, p->n_cell};
  sal_sweep      sweep;

  SAL_TRY(sal_collective_error(comm, path ? sal_sweep_parse(path, p->text, 0, NULL, &sweep)
                                          : sal_fail(SAL_ERR_MEMORY, "no memory for a path")));
  o->run.seed = sal_refine_seed;
  o->run.with = &old;
  sal_err err =
      sal_collective_error(comm, rank == 0 ? sal_refine_save(path, p->text, o->run.force) : SAL_OK);
  if (err == SAL_OK) err = sal_run_sweep(comm, began, &o->run, &sweep);
  sal_sweep_free(&sweep);
  return err;
}

static sal_err whole(double began, options *o)
{
  const MPI_Comm comm = MPI_COMM_WORLD;
  plan           p    = {0};
  int            rank;

  SAL_TRY_MPI(MPI_Comm_rank(comm, &rank));
  sal_err err = sal_collective_error(comm, rank == 0 ? make_plan(o, &p) : SAL_OK);
  if (err == SAL_OK && !o->dry) {
    char *path = sweep_path(o);
    err        = share(comm, rank, &p);
    if (err == SAL_OK) err = carry_out(comm, rank, began, o, &p, path);
    sal_free(path);
  }
  sal_free(p.text);
  return err;
}

sal_err sal_cmd_refine(int argc, char *argv[], int *status)
{
  const double began = sal_clock_wall();
  options      o     = {0};
  int          provided;

  *status       = 0;
  char *command = sal_command_line(argc, argv);
  sal_parse(&argp, argc, argv, &o);
  o.run.command = command ? command : argv[0];
  sal_stop_catch();
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  const sal_err err =
      provided < MPI_THREAD_FUNNELED
          ? sal_fail(SAL_ERR_COMM, "this MPI allows no threads beside it (MPI_THREAD_FUNNELED)")
          : whole(began, &o);
  sal_free(command);
  return err;
}
