/** saltus orbit: one periodic orbit and its stability. */
#include "atomic_file.h"
#include "base.h"
#include "cli_compile.h"
#include "orbit_print.h"
#include "table_file.h"
#include "trajectory_csv.h"

typedef struct {
  sal_cli_run_words run;
  const char *guess, *out;
  int64_t returns, visits, points;
  bool json, matrices, force;
  sal_cli_compile compile;
} options;
static const options presets = {
    .run = {SAL_CLI_RUN_PRESETS("dop853", "event", 1e-12)}, .visits = 500, .points = 2048};

#define OPTIONS_OF_orbit
#include "options.def"

static sal_err check_words(void *given)
{
  const options *o = given;

  if (o->out && !sal_cli_ends(o->out, ".csv") && !sal_cli_ends(o->out, ".h5"))
    return sal_fail(SAL_ERR_USAGE, "-o %s: the name must end with .csv or .h5", o->out);
  if (o->guess && o->run.initial)
    return sal_fail(SAL_ERR_USAGE, "--guess or --initial, not both: a guess lies on the section, a "
                                   "simulation starts anywhere");
  return SAL_OK;
}

static sal_err write_trajectory(const options *o, const sal_cli_run *run, const sal_orbit_search *s)
{
  const sal_trace *t = &s->trace;
  const sal_trajectory tr = {.n = t->n_mesh + 1,
                             .t = t->t,
                             .state = t->state,
                             .closed = t->mode,
                             .n_event = t->n_event,
                             .event = t->event};
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION];
  sal_setup setup;

  sal_si_units_run(run, &setup, param);
  if (sal_cli_ends(o->out, ".csv"))
    return sal_trajectory_csv(o->out, setup.model, run->measure.physical, &tr);
  setup.t_end = t->period;
  const sal_multipliers *f = &s->cycle.multipliers;
  const sal_trajectory_table table = {.n = tr.n,
                                      .t = tr.t,
                                      .state = tr.state,
                                      .closed = tr.closed,
                                      .n_event = tr.n_event,
                                      .event = tr.event,
                                      .n_guard = s->map.n_guard,
                                      .start_closed = t->start_closed,
                                      .event_closed = t->modes,
                                      .model_text = run->file ? run->file->text : NULL,
                                      .period = t->period,
                                      .n_multiplier = f->n,
                                      .re = f->re,
                                      .im = f->im};
  return sal_trajectory_write(o->out, &setup, param, &table);
}

/* Crossings, gaps and closures, which are neither states nor times, stay. */
static void put_si_units(const sal_measure *measure, sal_orbit_search *s)
{
  if (!measure->physical) return;
  sal_measure_states(measure, 1, NULL, s->y);
  s->cycle.period *= measure->scales.second;
  s->cycle.clearance_time *= measure->scales.second;
  sal_si_units_matrix(measure, s->map.n_unknown, s->map.unknown, s->dp);
  sal_si_units_trace(measure, &s->trace);
  const sal_section section = s->map.model.section; /* may be another one than the model's */
  s->map.model = measure->si;
  s->map.model.section = section;
}

static sal_err find_orbit(const options *o, const sal_cli_run *run, sal_orbit_search *s,
                          sal_command_call *call)
{
  const sal_orbit_request request = {.setup = &run->setup,
                                     .param = run->param,
                                     .initial = run->initial,
                                     .guessed = o->guess ? "--guess" : NULL,
                                     .scans = o->guess != NULL,
                                     .returns = o->returns,
                                     .visits = o->visits,
                                     .points = o->points};

  SAL_TRY(sal_orbit_search_run(&request, s));
  const bool found = s->cycle.why == SAL_CYCLE_FOUND;
  if (found) put_si_units(&run->measure, s);
  if (found && o->out) SAL_TRY(write_trajectory(o, run, s));
  sal_report r = sal_report_begin(stdout, o->json);
  sal_si_units_say(&r, &run->measure);
  sal_orbit_print(&r, s, o->matrices);
  sal_report_end(&r);
  call->status = found ? 0 : SAL_FINDING_NO_ORBIT;
  return SAL_OK;
}

static sal_err search(const options *o, sal_cli_run *run, sal_command_call *call)
{
  if (o->guess) SAL_TRY(sal_measure_initial("--guess", o->guess, &run->measure, run->initial));
  run->setup.t_end = isnan(run->t_end) ? 0 : run->t_end;
  if (o->out) SAL_TRY(sal_atomic_file_claim(o->out, "the output", o->force));
  SAL_OWN sal_orbit_search *s = sal_alloc(1, sizeof *s);
  if (!s) return sal_fail(SAL_ERR_MEMORY, "no memory for an orbit");
  const sal_err err = find_orbit(o, run, s, call);
  sal_orbit_search_free(s);
  return err;
}

static sal_err run_orbit(void *given, sal_command_call *call)
{
  const options *o = given;
  SAL_OWN_BY(sal_cli_run_free) sal_cli_run run = {0};

  SAL_TRY(sal_cli_compile_run(&o->compile, call, o->run, &run));
  return search(o, &run, call);
}

const sal_command_code sal_cmd_orbit = {
    .table = {{rows, 0},
              {sal_cli_run_options, offsetof(options, run)},
              {sal_cli_run_visit_budget, offsetof(options, run)},
              {sal_cli_run_physical, offsetof(options, run)},
              {sal_cli_compile_options, offsetof(options, compile)}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_words,
    .run = run_orbit};
