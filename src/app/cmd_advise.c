/** saltus advise: from a model and a point to an answer, without a sweep file. */
#include "advise_runs.h"
#include "argument.h"
#include "atomic_file.h"
#include "base.h"
#include "cli_compile.h"
#include "cli_performance.h"
#include "clock.h"
#include "collective_error.h"
#include "recommend_print.h"
#include "run_sweep.h"
#include "solver_home.h"
#include "stiffness.h"
#include "stop.h"

enum { SECONDS = 30, MOST_CELLS = 10000 };

typedef struct {
  const char *model, *at, *physical, *error, *in, *solvers, *out, *keep, *t_end;
  double share, seconds;
  int64_t cells; /* 0: as many as fit into the seconds */
  bool force, quiet, json;
  sal_cli_compile compile;
} options;
static const options presets = {.share = 5, .seconds = NAN};

#define OPTIONS_OF_advise
#include "options.def"

/* Where cells are counted, time is not, unless it is asked for. */
static double seconds_of(const options *o)
{
  return !isnan(o->seconds) ? o->seconds : o->cells ? INFINITY : SECONDS;
}

/* State of the command. */
typedef struct {
  const options *o;
  const sal_command_call *call;
  sal_cli_run run; /* the model and the point */
  int home;        /* of --in, -1: none */
  sal_advise_runs runs;
} state;

static void drop(state *s)
{
  sal_advise_runs_free(&s->runs);
  sal_cli_run_free(&s->run);
}

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

/* [s] that runs have at least, however long the start of the program has taken. */
static const double least_time = 0.5;

static sal_err compile(void *with, sal_sweep *sweep, double expected)
{
  const state *s = with;

  return sal_cli_compile_sweep(&s->o->compile, s->call, s->o->quiet, sweep, expected);
}

static sal_err set_around(state *s)
{
  const options *o = s->o;
  const sal_model *m = s->run.setup.model;
  double error;

  SAL_TRY(sal_measure_read("--error", "an error", o->error, &s->run.measure, sal_units_watched(m),
                           sal_units_watched(&s->run.measure.si), &error));
  s->runs =
      (sal_advise_runs){.comm = &s->call->comm,
                        .prepare = compile,
                        .with = s,
                        .cells = o->cells,
                        .seconds = seconds_of(o),
                        .until = fmax(s->call->began + (1 - SAL_ADVISE_ANSWER) * seconds_of(o),
                                      sal_clock_wall() + least_time),
                        .quiet = o->quiet,
                        .cube = o->out};
  s->runs.around = (sal_around){.name = o->model,
                                .model = m,
                                .param = s->run.param,
                                .initial = s->run.initial,
                                .share = o->share / 100,
                                .t_end = s->run.setup.t_end,
                                .home = s->home == SAL_SOLVER_HOME_OURS ? -1 : s->home,
                                .solvers = o->solvers,
                                .error = error};
  return SAL_OK;
}

/* Share of the time for the runs at the point that are tried before all others; those that it cuts have nothing to say. */
static const double trying = 0.1;

static sal_err try_point(state *s)
{
  const sal_setup *of = &s->run.setup;

  if (isfinite(seconds_of(s->o))) sal_stop_deadline(trying * seconds_of(s->o));
  sal_err err = sal_chatter_try(of->model, s->run.param, s->run.initial, of->t_end, 20000);
  if (err == SAL_OK)
    err = sal_stiffness_felt(of->model, s->run.param, s->run.initial, of->t_end,
                             &s->runs.around.stiff);
  sal_stop_deadline_end();
  return err;
}

static sal_err prepare(state *s)
{
  const options *o = s->o;

  s->home = -1;
  if (o->in) SAL_TRY(sal_solver_home_find("--in", o->in, &s->home));
  SAL_TRY(set_point(s));
  SAL_TRY(set_around(s));
  SAL_TRY(try_point(s));
  if (s->call->rank > 0) return SAL_OK;
  if (o->keep) SAL_TRY(sal_atomic_file_claim(o->keep, "the kept sweep", o->force));
  return o->out ? sal_atomic_file_claim(o->out, "the output", o->force) : SAL_OK;
}

static sal_err keep_sweep(const state *s)
{
  FILE *file;

  SAL_TRY(sal_atomic_file_open(s->o->keep, &file));
  fprintf(file, "%s", s->runs.text);
  return sal_atomic_file_close(s->o->keep, file);
}

/* The cube is made as that of `saltus run`, whose journals have all cells. */
static sal_err keep_cube(state *s)
{
  const sal_run_options run = {.out = s->o->out,
                               .command = s->call->line,
                               .part = {1, 1},
                               .every = 30,
                               .sync = 10,
                               .force = s->o->force,
                               .quiet = true,
                               .once = true,
                               .map = true,
                               .seed = sal_timed_runs_seed,
                               .with = &s->runs.runs};

  return sal_run_sweep(s->call->comm, s->call->began, &run, &s->runs.sweep);
}

static sal_err make_runs(state *s)
{
  SAL_TRY(sal_advise_runs_make(&s->runs));
  const sal_err kept = s->o->keep && s->call->rank == 0 ? keep_sweep(s) : SAL_OK;
  SAL_TRY(sal_collective_error(s->call->comm, kept));
  if (s->o->out && s->runs.alone)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: too few cells could be run for a cube; allowed: a larger "
                    "--seconds, a shorter --t-end, or a larger --error",
                    s->o->out);
  return s->o->out ? keep_cube(s) : SAL_OK;
}

static sal_err answer(state *s)
{
  const sal_model *m = s->run.setup.model;
  const sal_cli_performance_words words = {.points = NULL};
  const sal_performance_chooser chooser = sal_cli_performance_chooser(&words);
  SAL_OWN_BY(sal_ask_free)
  sal_advice a = {
      .path = s->o->out ? s->o->out : "the runs", .probability = NAN, .calibrated = true};
  const int n = m->n_param + m->n_option;
  double error, point[SAL_MAX_QUANTITY];

  SAL_TRY(sal_performance_runs_made(&s->runs.sweep, &chooser, &s->runs.runs.result,
                                    s->runs.alone ? NULL : &s->runs.runs.fate, &a.cube));
  a.runs = &s->runs.runs.result;
  a.measure = s->run.measure;
  a.cube.table.measure = &a.measure;
  SAL_TRY(sal_cli_performance_error(s->o->error, &a.cube.table, &error));
  if (!s->runs.alone) /* else the time is for the answer */
    SAL_TRY(sal_recommend_growth(&a, m, s->run.param, s->run.initial, s->runs.around.t_end));
  memcpy(point, s->run.param, (size_t)n * sizeof *point);
  memcpy(point + n, s->run.initial, (size_t)m->n_state * sizeof *point);
  SAL_TRY(
      sal_ask(&a, (sal_question){.error = error}, point,
              (s->runs.alone ? SAL_ASK_ALONE : SAL_ASK_RUN) | (s->o->json ? SAL_ASK_ALLOW : 0)));
  sal_report r = sal_report_begin(stdout, s->o->json);
  sal_recommend_print(&r, &a);
  if (s->home >= 0) sal_recommend_print_home(&r, &a, s->home);
  sal_setup like = s->run.setup;
  like.t_end = s->runs.around.t_end;
  like.halt = sal_stop_halt();
  const sal_err err = sal_advise_why_print(&r, &a, &like, s->run.param, s->run.initial);
  sal_report_end(&r);
  return err;
}

static sal_err answer_in_time(state *s)
{
  if (isfinite(seconds_of(s->o)))
    sal_stop_deadline(s->call->began + seconds_of(s->o) - sal_clock_wall());
  const sal_err err = answer(s);
  sal_stop_deadline_end();
  return err;
}

static sal_err check_advise(void *given)
{
  const options *o = given;
  double error;

  if (!o->error) return sal_fail(SAL_ERR_USAGE, "--error E is required");
  if (o->in && o->solvers)
    return sal_fail(SAL_ERR_USAGE, "--solver %s: no program of --in has it; one of both",
                    o->solvers);
  return sal_cli_performance_error(o->error, NULL, &error);
}

static sal_err run_advise(void *given, sal_command_call *call)
{
  SAL_OWN_BY(drop) state s = {.o = given, .call = call};

  SAL_TRY(sal_collective_error(call->comm, prepare(&s)));
  SAL_TRY(sal_collective_share(call->comm, &s.runs.around.stiff, sizeof(bool))); /* it may be cut */
  SAL_TRY(make_runs(&s));
  return sal_collective_first(call->comm, answer_in_time(&s));
}

const sal_command_code sal_cmd_advise = {
    .table = {{rows, 0},
              {sal_cli_compile_options, offsetof(options, compile)},
              {sal_cli_petsc_options, 0}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_advise,
    .run = run_advise};
