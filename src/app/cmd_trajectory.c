/** saltus trajectory: one trajectory, in full, as CSV or HDF5. */
#include "atomic_file.h"
#include "base.h"
#include "cli_compile.h"
#include "lost_place.h"
#include "measure_print.h"
#include "providers.h"
#include "stiffness.h"
#include "table_file.h"
#include "trajectory_csv.h"

typedef struct {
  sal_cli_run_words run;
  const char *out;
  const char *spacing; /* NULL: a 2000th of the run */
  const char *measure;
  bool accepted, force;
  sal_cli_compile compile;
} options;
static const options presets = {.run = {SAL_CLI_RUN_PRESETS("ode45", "event", 1e-6),
                                        .engines = true, .budget = SAL_CLI_RUN_BUDGET}};

#define OPTIONS_OF_trajectory
#include "options.def"

static sal_err check_output(const options *o, double spacing, double t_end)
{
  enum { MOST_ROWS = 100000000 };

  if (o->spacing && o->accepted)
    return sal_fail(SAL_ERR_USAGE, "--accepted-steps: rows are those of the steps; allowed: "
                                   "without --dt");
  if (spacing > 0 && t_end / spacing > MOST_ROWS)
    return sal_fail(SAL_ERR_USAGE, "--dt: %g makes more than %d rows of [0, %g]", spacing,
                    MOST_ROWS, t_end);
  if (!sal_cli_ends(o->out, ".csv") && !sal_cli_ends(o->out, ".h5"))
    return sal_fail(SAL_ERR_USAGE, "-o %s: the name must end with .csv or .h5", o->out);
  return SAL_OK;
}

/* How it ended, in units of the run. */
typedef struct {
  int contact; /* that ended it; -1: none */
  char fault[SAL_LOST_FAULT], place[SAL_LOST_PLACE];
  char sentence[2 * SAL_LOST_FAULT + SAL_LOST_PLACE]; /* of a run that ended early; else empty */
} ending;

static sal_err find_ending(const sal_cli_run *run, const char *path, const sal_trajectory *tr,
                           ending *end)
{
  const sal_model *m = run->setup.model;
  char text[SAL_LOST_FAULT];
  sal_lost lost;

  end->contact = sal_trajectory_ending(tr, m, run->param, run->initial);
  snprintf(end->fault, sizeof end->fault, "%s", sal_lost_fault(tr, m, run->param, text));
  sal_lost_find(tr, m, run->param, &lost);
  SAL_TRY(sal_lost_place(&lost, run, path, end->place));
  const int o = (int)tr->record.value[SAL_METRIC_OUTCOME];
  if (!sal_metric_finished(o))
    snprintf(end->sentence, sizeof end->sentence, "%s%s%s%s%s", sal_metric_outcomes[o].what,
             end->fault[0] ? "; " : "", end->fault, end->place[0] ? "; " : "", end->place);
  return SAL_OK;
}

static sal_err write_h5(const char *path, const sal_cli_run *run, const sal_setup *setup,
                        const double param[], const sal_trajectory *tr, const ending *end)
{
  const double *v = tr->record.value;
  const sal_trajectory_table table = {.n = tr->n,
                                      .t = tr->t,
                                      .state = tr->state,
                                      .closed = tr->closed,
                                      .n_event = tr->n_event,
                                      .event = tr->event,
                                      .n_guard = tr->n_guard,
                                      .start_closed = tr->start_closed,
                                      .event_closed = tr->event_closed,
                                      .sides = tr->sides,
                                      .model_text = run->file ? run->file->text : NULL,
                                      .outcome =
                                          sal_metric_outcomes[(int)v[SAL_METRIC_OUTCOME]].label,
                                      .ending = end->sentence[0] ? end->sentence : NULL,
                                      .t_reached = v[SAL_METRIC_T_REACHED]};

  return sal_trajectory_write(path, setup, param, &table);
}

/* Turned into metres and seconds. */
static sal_err write_it(const char *path, const sal_cli_run *run, sal_trajectory *tr,
                        const ending *end)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION];
  sal_setup setup;

  sal_si_units_run(run, &setup, param);
  sal_si_units_trajectory(&run->measure, tr);
  return sal_cli_ends(path, ".csv")
             ? sal_trajectory_csv(path, setup.model, run->measure.physical, tr)
             : write_h5(path, run, &setup, param, tr, end);
}

static void report_end(const sal_trajectory *tr, const sal_cli_run *run, const ending *end)
{
  const double *v = tr->record.value;
  const sal_model *m = run->setup.model;
  const int o = (int)v[SAL_METRIC_OUTCOME];
  const int k = end->contact;

  fprintf(stderr, "%s at t = %.17g", sal_metric_outcomes[o].label, v[SAL_METRIC_T_REACHED]);
  if (k >= 0) fprintf(stderr, ": %s (contact %d)", sal_model_contact(m, k)->closes, k);
  fprintf(stderr, "%c %g steps, %g failed, %g evaluations of f", k >= 0 ? ';' : ':',
          v[SAL_METRIC_STEPS], v[SAL_METRIC_FAILED], v[SAL_METRIC_RHS]);
  if (!isnan(v[SAL_METRIC_EVENTS])) fprintf(stderr, ", %g events", v[SAL_METRIC_EVENTS]);
  fprintf(stderr, "\n");
  if (sal_metric_finished(o)) return;
  fprintf(stderr, "saltus trajectory: the trajectory ended early: %s%s\n", end->sentence,
          sal_cli_run_spent(o));
}

/* On a surface that both sides lead back to steps would become ever smaller for hours: a run is looked at after so many. */
static sal_err integrate(const sal_cli_run *run, double spacing, sal_trajectory *tr)
{
  enum { FIRST_LOOK = 300000 };
  sal_setup first = run->setup;

  if (first.fixed_step > 0 || (first.max_attempts > 0 && first.max_attempts <= FIRST_LOOK))
    return sal_trajectory_run(&first, run->param, run->initial, spacing, tr);
  first.max_attempts = FIRST_LOOK;
  SAL_TRY(sal_trajectory_run(&first, run->param, run->initial, spacing, tr));
  const double *v = tr->record.value;
  if (v[SAL_METRIC_OUTCOME] != SAL_OUT_STEP_CAP ||
      sal_chatter_find(first.model, run->param, v[SAL_METRIC_T_REACHED], tr->end).state >= 0)
    return SAL_OK;
  sal_trajectory_free(tr);
  return sal_trajectory_run(&run->setup, run->param, run->initial, spacing, tr);
}

static sal_err integrate_and_write(const options *o, const sal_cli_run *run,
                                   const sal_measured_list *measures, sal_command_call *call)
{
  enum { ROWS = 2000 };
  SAL_OWN_BY(sal_trajectory_free) sal_trajectory tr = {0};
  double spacing;

  spacing = o->accepted ? 0 : run->setup.t_end / ROWS;
  if (o->spacing) SAL_TRY(sal_measure_time("--dt", o->spacing, &run->measure, &spacing));
  SAL_TRY(check_output(o, spacing, run->setup.t_end));
  SAL_TRY(sal_atomic_file_claim(o->out, "the output", o->force));
  SAL_TRY(integrate(run, spacing, &tr));
  ending end;
  SAL_TRY(find_ending(run, o->run.model, &tr, &end));
  const sal_err err = write_it(o->out, run, &tr, &end);
  if (err == SAL_OK) report_end(&tr, run, &end);
  SAL_TRY(err);
  call->status = sal_metric_finished(tr.record.value[SAL_METRIC_OUTCOME]) ? 0 : SAL_FINDING_EARLY;
  return sal_measure_print_run(run, measures);
}

static sal_err run_trajectory(void *given, sal_command_call *call)
{
  const options *o = given;
  SAL_OWN_BY(sal_cli_run_free) sal_cli_run run = {0};

  SAL_TRY(sal_cli_compile_run(&o->compile, call, o->run, &run));
  const sal_measured_list *measures;
  SAL_TRY(sal_measure_print_open("--measure", o->measure, &run, &measures));
  sal_err err = sal_providers_measure_within(measures, run.setup.t_end);
  if (err == SAL_OK) err = integrate_and_write(o, &run, measures, call);
  sal_providers_drop_measures(measures);
  return err;
}

const sal_command_code sal_cmd_trajectory = {
    .table = {{rows, 0},
              {sal_cli_run_options, offsetof(options, run)},
              {sal_cli_run_budget, offsetof(options, run)},
              {sal_cli_run_physical, offsetof(options, run)},
              {sal_cli_compile_options, offsetof(options, compile)}},
    SAL_COMMAND_OPTIONS(presets),
    .run = run_trajectory};
