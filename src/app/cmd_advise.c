/** @file src/app/cmd_advise.c
 *  saltus advise: from a model and a point to an answer, without a sweep file.
 */
#include "advise_why.h"
#include "argument.h"
#include "around.h"
#include "atomic_file.h"
#include "cli_compile.h"
#include "cli_performance.h"
#include "cli_run.h"
#include "cli_trust.h"
#include "collective_error.h"
#include "command.h"
#include "contender.h"
#include "estimate.h"
#include "file_role.h"
#include "memory.h"
#include "recommend_point.h"
#include "recommend_print.h"
#include "run_sweep.h"
#include "solver_home.h"
#include "sweep_read.h"
#include "tile_run.h"
#include "units.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FEWEST = 24, MOST = 512, PATH = 4096 };

typedef struct {
  const char *model, *at, *physical, *error, *in, *solvers, *out, *keep, *t_end;
  double share, seconds;
  int64_t cells; /* 0: as many as fit into the seconds */
  bool force, quiet, json;
  sal_cli_compile compile;
} options;
static const options presets = {.share = 5, .seconds = 30};

#define AT(member) .offset = offsetof(options, member)

static const sal_cli_option rows[] = {
    {"model", 0, "MODEL", "a model's name (saltus list models), or FILE.yaml that describes one",
     SAL_CLI_ARGUMENT, AT(model), .missing = "which model?"},
    {"at", 0, "NAME=VALUE,..", "the point: parameters, options, initial states (presets)",
     SAL_CLI_TEXT, AT(at)},
    {"physical", 'P', "NAME=VALUE,..",
     "a real system, answered in metres and seconds: m=80kg,k=20kN/m,.. (saltus list NAME)",
     SAL_CLI_TEXT, AT(physical)},
    {"around", 0, "PERCENT", "half the width of the box of cells, of each value (5)",
     SAL_CLI_NUMBER, AT(share), .least = SAL_CLI_POSITIVE, .most = 90},
    {"error", 'e', "E", "the largest error that is allowed, 1e-3 or 1mm", SAL_CLI_TEXT, AT(error),
     .missing = "which error is allowed?  --error E says it"},
    {"in", 0, "PROGRAM",
     "solvers that can be run there: scipy, matlab, octave, julia, petsc or sundials (saltus)",
     SAL_CLI_TEXT, AT(in)},
    {"solver", 0, "FILE.yaml,..", "solvers in files that are asked, too (sweeps/solvers)",
     SAL_CLI_TEXT, AT(solvers)},
    {"t-end", 0, "T", "length of a run, 50 or 5s (the model's span)", SAL_CLI_TEXT, AT(t_end),
     .alias = "horizon"},
    {"seconds", 0, "S", "time that the runs may take, about (30)", SAL_CLI_NUMBER, AT(seconds),
     .least = SAL_CLI_POSITIVE},
    {"cells", 'c', "N", "cells in the box (as many as fit into the time)", SAL_CLI_WHOLE, AT(cells),
     .least = 1, .most = 100000},
    {"keep", 'k', "SWEEP.yaml", "write the sweep that it was", SAL_CLI_TEXT, AT(keep)},
    {"output", 'o', "CUBE.h5", "keep the cube", SAL_CLI_TEXT, AT(out)},
    {"force", 'f', NULL, "overwrite existing files", SAL_CLI_FLAG, AT(force)},
    {"quiet", 'q', NULL, "no progress", SAL_CLI_FLAG, AT(quiet)},
    {"json", 'j', NULL, "print one line of JSON", SAL_CLI_FLAG, AT(json)},
    {.help = NULL}};

/* What is being done. */
typedef struct {
  const options *o;
  const sal_command_call *call;
  sal_cli_run run; /* the model and the point */
  sal_around around;
  int home; /* of --in, -1: none */
  char *text;
  sal_sweep sweep;
  char folder[PATH], cube[PATH]; /* folder "": the cube stays */
} state;

static void drop(state *s)
{
  sal_sweep_free(&s->sweep);
  sal_free(s->text);
  sal_cli_run_free(&s->run);
  if (s->call->rank != 0 || !s->folder[0]) return;
  unlink(s->cube);
  rmdir(s->folder);
}

/* ---- the point ---- */

/* The items of --at whose names are those of states, or the other ones. */
static sal_err pick(const sal_model *m, const char *text, bool states, sal_text *out)
{
  while (text) {
    char name[SAL_MAX_ITEM] = "", value[SAL_MAX_ITEM] = "";
    bool is_state = false;
    SAL_TRY(sal_argument_item("--at", &text, name, value));
    for (int i = 0; i < m->n_state; ++i) is_state |= strcmp(name, m->state[i].name) == 0;
    if (is_state == states) sal_text_add(out, "%s%s=%s", out->length ? "," : "", name, value);
  }
  return SAL_OK;
}

/* The model has to be known before --at can be cut into parameters and states. */
static sal_err set_point(state *s)
{
  sal_cli_run_words words = {.model = s->o->model, SAL_CLI_RUN_PRESETS("dop853", "event", 1e-6)};

  SAL_TRY(sal_cli_run_check(&words, &s->run));
  const sal_model *m = s->run.setup.model;
  SAL_OWN_BY(sal_text_free) sal_text param = {0};
  SAL_OWN_BY(sal_text_free) sal_text initial = {0};

  if (s->o->at) SAL_TRY(pick(m, s->o->at, false, &param));
  if (s->o->at) SAL_TRY(pick(m, s->o->at, true, &initial));
  words.point = "--at";
  words.param = param.string;
  words.initial = initial.string;
  words.physical = s->o->physical;
  words.t_end = s->o->t_end;
  sal_cli_run_free(&s->run);
  return sal_cli_run_check(&words, &s->run);
}

/* ---- the sweep ---- */

/* Fewer cells have no plane through them: three for each quantity that varies, and some to judge it by. */
static int64_t fewest(const sal_around *around)
{
  const int n = sal_around_varies(around);

  return around->hurried ? FEWEST / 2 + 3 * n : FEWEST + 4 * n;
}

static sal_err parse(state *s, int64_t points)
{
  sal_sweep_free(&s->sweep);
  sal_free(s->text);
  s->around.points = points;
  SAL_TRY(sal_around_text(&s->around, &s->text));
  return sal_sweep_parse("saltus advise", s->text, 0, NULL, &s->sweep);
}

/* How many cells fit into what is left of the time, by a sample that takes a tenth of it at most, or a fifth where there is
 * enough; *each: seconds of a cell. */
static sal_err sample_cells(const state *s, double *left, double *fit, double *each)
{
  const sal_estimate_effort effort = {
      .most = s->o->seconds / (s->around.hurried ? 10 : 5), .enough = 0.1, .least = 0.2};
  const double cores = (double)sal_tile_threads() * s->call->n_rank;
  sal_estimate estimate;

  SAL_TRY(sal_estimate_run(&s->sweep, 192, &effort, &estimate));
  *left -= estimate.run_seconds;
  *each = estimate.cpu_seconds / (double)s->sweep.n_cell / cores;
  *fit = *left / *each;
  return SAL_OK;
}

/* On rank 0: how many cells there are to be; where there is no time for them, fewer and with fewer tolerances. */
static sal_err count_cells(state *s, int64_t *points)
{
  const options *o = s->o;
  double left = o->seconds, fit, each;

  *points = o->cells;
  if (o->cells) return SAL_OK;
  SAL_TRY(sample_cells(s, &left, &fit, &each));
  if (fit < (double)fewest(&s->around)) {
    s->around.hurried = true;
    SAL_TRY(parse(s, fewest(&s->around)));
    SAL_TRY(sample_cells(s, &left, &fit, &each));
  }
  const int64_t least = fewest(&s->around);
  *points = fit > MOST ? MOST : fit < (double)least ? least : (int64_t)fit;
  if (s->around.hurried && !o->quiet)
    fprintf(stderr,
            "saltus advise: in %g s there is no time for %d cells; %lld with fewer tolerances take "
            "about %.0f s%s\n",
            o->seconds, FEWEST + 4 * sal_around_varies(&s->around), (long long)*points,
            o->seconds - left + each * (double)*points,
            fit < (double)least ? ", the fewest for an answer" : "");
  return SAL_OK;
}

static sal_err make_sweep(state *s)
{
  const options *o = s->o;
  int64_t points = 0;
  double error;

  s->home = -1;
  if (o->in) SAL_TRY(sal_solver_home_find("--in", o->in, &s->home));

  SAL_TRY(set_point(s));
  const sal_model *m = s->run.setup.model;
  SAL_TRY(sal_measure_read("--error", "an error", o->error, &s->run.measure, sal_units_watched(m),
                           sal_units_watched(&s->run.measure.si), &error));
  s->around = (sal_around){.name = o->model,
                           .model = m,
                           .param = s->run.param,
                           .initial = s->run.initial,
                           .share = o->share / 100,
                           .t_end = s->run.setup.t_end,
                           .home = s->home == SAL_SOLVER_HOME_OURS ? -1 : s->home,
                           .solvers = o->solvers,
                           .error = error};
  SAL_TRY(parse(s, fewest(&s->around)));
  const sal_err err = s->call->rank == 0 ? count_cells(s, &points) : SAL_OK;
  SAL_TRY(sal_collective_error(s->call->comm, err));
  SAL_TRY_MPI(MPI_Bcast(&points, 1, MPI_INT64_T, 0, s->call->comm));
  SAL_TRY_MPI(MPI_Bcast(&s->around.hurried, 1, MPI_C_BOOL, 0, s->call->comm));
  return parse(s, points);
}

static sal_err keep_sweep(const state *s)
{
  FILE *file;

  SAL_TRY(sal_atomic_file_claim(s->o->keep, "the kept sweep", s->o->force));
  SAL_TRY(sal_atomic_file_open(s->o->keep, &file));
  fprintf(file, "%s", s->text);
  return sal_atomic_file_close(s->o->keep, file);
}

/* ---- the run ---- */

/* On rank 0: where the cube goes. */
static sal_err choose_place(state *s)
{
  const char *base = getenv("TMPDIR");

  if (s->o->out) SAL_TRY(sal_file_role_write(s->o->out, "the output"));
  if (s->o->keep) SAL_TRY(keep_sweep(s));
  if (s->o->out) {
    snprintf(s->cube, sizeof s->cube, "%s", s->o->out);
    return sal_atomic_file_claim(s->cube, "the output", s->o->force);
  }
  snprintf(s->folder, sizeof s->folder, "%.*s/saltus-advise-XXXXXX", PATH - 64,
           base && base[0] ? base : "/tmp");
  if (!mkdtemp(s->folder)) {
    const sal_err err = sal_atomic_file_fail(s->folder);
    s->folder[0] = '\0';
    return err;
  }
  snprintf(s->cube, sizeof s->cube, "%.*s/cube.h5", PATH - 32, s->folder);
  return SAL_OK;
}

static sal_err run_cells(state *s)
{
  const sal_run_options run = {.out = s->cube,
                               .command = s->call->line,
                               .part = {1, 1},
                               .every = 30,
                               .sync = 10,
                               .force = s->o->force,
                               .quiet = s->o->quiet,
                               .map = true};

  SAL_TRY(sal_collective_error(s->call->comm, s->call->rank == 0 ? choose_place(s) : SAL_OK));
  SAL_TRY_MPI(MPI_Bcast(s->cube, PATH, MPI_CHAR, 0, s->call->comm));
  SAL_TRY(sal_cli_compile_sweep(&s->o->compile, s->call, s->o->quiet, &s->sweep));
  return sal_run_sweep(s->call->comm, s->call->began, &run, &s->sweep);
}

/* ---- the answer, on rank 0 ---- */

static sal_err answer(state *s)
{
  const sal_model *m = s->around.model;
  const sal_cli_performance_words words = {.methods = NULL};
  const sal_performance_chooser chooser = sal_cli_performance_chooser(&words);
  SAL_OWN_BY(sal_recommend_point_free)
  sal_recommend_point a = {
      .path = s->o->out ? s->o->out : "the runs", .confidence = NAN, .promises = true};
  const int n = m->n_param + m->n_option;
  sal_report r;

  SAL_TRY(sal_performance_cube_begin(s->cube, &chooser, SAL_PERFORMANCE_ERRORS, &a.cube));
  a.measure = s->run.measure;
  a.cube.table.measure = &a.measure;
  SAL_TRY(sal_cli_performance_error(s->o->error, &a.cube.table, &a.question.error));
  memcpy(a.value, s->run.param, (size_t)n * sizeof *a.value);
  memcpy(a.value + n, s->run.initial, (size_t)m->n_state * sizeof *a.value);
  a.question.method = a.cube.method;
  a.question.strategy = a.cube.strategy;
  SAL_TRY(sal_recommend_point_find(&a));
  if (a.answer->best.pair < 0 && !s->o->json) return sal_recommend_point_unanswered(&a);
  sal_report_begin(&r, stdout, s->o->json);
  sal_recommend_print(&r, &a);
  if (s->home >= 0) sal_recommend_print_home(&r, &a, s->home);
  sal_setup like = s->run.setup;
  like.t_end = s->around.t_end;
  const sal_err err = sal_advise_why_print(&r, &a, &like, s->run.param, s->run.initial);
  sal_report_end(&r);
  return err;
}

static sal_err check_advise(void *given)
{
  const options *o = given;
  double error;

  if (!o->error) return sal_fail(SAL_ERR_USAGE, "which error is allowed?  --error E says it");
  if (o->in && o->solvers)
    return sal_fail(SAL_ERR_USAGE, "--solver %s: no program of --in has it; one of both",
                    o->solvers);
  return sal_cli_performance_error(o->error, NULL, &error);
}

static sal_err run_advise(void *given, sal_command_call *call)
{
  SAL_OWN_BY(drop) state s = {.o = given, .call = call};

  SAL_TRY(sal_collective_error(call->comm, make_sweep(&s)));
  SAL_TRY(run_cells(&s));
  return sal_collective_error(call->comm, call->rank == 0 ? answer(&s) : SAL_OK);
}

const sal_command sal_cmd_advise = {
    .name = "advise",
    .group = SAL_COMMAND_ASK,
    .summary = "say which solver to use for a model at a point, from runs made now",
    .description = "Say which solver, strategy and rtol to use for a model at a point, without a "
                   "sweep file: cells are drawn around the point, all solvers and strategies run "
                   "there, and the answer is that of `saltus recommend`.",
    .notes =
        "Cells are Sobol points in a box around the point: each parameter and initial state that "
        "has a range varies by --around percent of its value (of its range where it is 0), within "
        "what is allowed.  There are as many cells as a sample says fit into --seconds, up to 512, "
        "and no fewer than a plane through them needs; where there is little time, with fewer "
        "tolerances.  Runs that can win no question about the "
        "error are stopped.  The promise that stands below the answer was checked on cells left "
        "out.  --in leaves solvers "
        "that a user of SciPy, MATLAB, PETSc or SUNDIALS can run there, and says what to write.  "
        "Below "
        "stands why: stiffness, events, what the other solvers take.  --solver adds solvers of "
        "your own.  --keep writes the sweep, "
        "--output keeps the cube, which all other commands take; "
        "without them nothing is left.  May run under mpirun.",
    .examples = "  saltus advise monopod --error 1e-4\n"
                "  saltus advise monopod --error 1e-4 --in scipy\n"
                "  saltus advise vibro-impact --at w=1.3,e=0.7 --error 1e-3 --seconds 10\n"
                "  saltus advise rocker.yaml --error 1e-3 --keep rocker-sweep.yaml -o rocker.h5",
    .table = {{rows, 0},
              {sal_cli_compile_options, offsetof(options, compile)},
              {sal_cli_petsc_options, 0}},
    .size = sizeof(options),
    .presets = &presets,
    .parallel = true,
    .stops = true,
    .check = check_advise,
    .run = run_advise};
