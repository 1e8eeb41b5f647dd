/** Options that say what to integrate. */
#include "cli_run.h"
#include "argument.h"
#include "base.h"
#include "compatibility.h"
#include "enum_words.h"
#include "model_check.h"
#include "parameter_column.h"
#include "physical.h"
#include "registry.h"
#include "stop.h"
#include "table_source.h"
#include "units.h"
#include "work.h"

static sal_err parse_jacobian(const char *where, const char *text, void *value)
{
  const char *names[SAL_MAX_WORD + 1]; /* in the order of sal_jacobian */

  sal_enum_words_gather(SAL_ENUM_JACOBIANS, NULL, names);
  return sal_cli_word(where, text, names, value);
}

sal_err sal_cli_tables_from(const char *where, const char *text, void *value)
{
  (void)where, (void)value;
  sal_table_source_allow(text);
  return SAL_OK;
}

#define AT(member) .offset = offsetof(sal_cli_run_words, member)
#define TOLERANCE .least = 1e-14, .most = 0.1

#define ROWS const sal_cli_option sal_cli_run_options[]
#define OPTIONS_OF_run_setup
#include "options.def"

#define ROWS const sal_cli_option sal_cli_run_physical[]
#define OPTIONS_OF_run_physical
#include "options.def"

#define ROWS const sal_cli_option sal_cli_run_budget[]
#define OPTIONS_OF_run_budget
#include "options.def"

#define ROWS const sal_cli_option sal_cli_run_visit_budget[]
#define OPTIONS_OF_run_visit_budget
#include "options.def"

const char *sal_cli_run_spent(int outcome)
{
  return outcome == SAL_OUT_OVER_BUDGET || outcome == SAL_OUT_STEP_CAP
             ? "; a larger --budget lets it go on"
             : "";
}

/* The text anew with the counts of --param, where these differ from its own. */
static sal_err count_members(const sal_cli_run_words *w, sal_cli_run *run)
{
  const sal_model *m = run->setup.model;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_provided *counted;

  if (m->n_count == 0 || !w->param) return SAL_OK;
  sal_parameter_presets(m, param, initial);
  SAL_TRY(sal_argument_values(w->point ? w->point : "--param", m, w->param, param));
  SAL_TRY(sal_provided_counted(run->file, w->model, param, &counted));
  sal_provided_free(run->file);
  run->file = counted;
  run->setup.model = counted->model;
  return SAL_OK;
}

/* A name of the registry, or a file. */
static sal_err read_model(const sal_cli_run_words *w, sal_cli_run *run)
{
  const char *name = w->model;

  run->setup.model = sal_registry_models[0];
  if (!name) return SAL_OK;
  if (sal_model_source_flaw(name))
    return sal_fail(SAL_ERR_USAGE, "--model %s: %s", name, sal_model_source_flaw(name));
  if (!w->text && !sal_model_source_is_file(name))
    return sal_argument_model("--model", name, &run->setup.model);
  SAL_TRY(w->text ? sal_provided_parse(SAL_PROVIDES_MODELS, name, w->text, &run->file)
                  : sal_model_source_read(name, &run->file));
  run->setup.model = run->file->model;
  if (run->file->note) fprintf(stderr, "%s\n", run->file->note);
  return count_members(w, run);
}

static sal_err read_solver(const char *name, sal_cli_run *run)
{
  if (!sal_model_source_is_file(name))
    return sal_argument_method("--solver", name, &run->setup.method);
  SAL_TRY(sal_solver_source_read(name, &run->solver));
  run->setup.method = run->solver->method;
  return SAL_OK;
}

void sal_cli_run_free(sal_cli_run *run)
{
  sal_provided_free(run->file);
  sal_provided_free(run->solver);
  run->file = NULL;
  run->solver = NULL;
}

static sal_err read_names(const sal_cli_run_words *w, sal_cli_run *run)
{
  char text[SAL_MODEL_CHECK_TEXT];
  sal_setup *setup = &run->setup;

  SAL_TRY(read_model(w, run));
  SAL_TRY(read_solver(w->method, run));
  if (!w->engines) SAL_TRY(sal_argument_own_method("--solver", setup->method));
  SAL_TRY(sal_argument_strategy("--strategy", w->strategy, &setup->strategy));
  const char *flaw = sal_model_check(setup->model, text);
  return flaw ? sal_fail(SAL_ERR_USAGE, "model %s cannot be run: %s", setup->model->name, flaw)
              : SAL_OK;
}

static sal_err check_pair(const sal_setup *setup)
{
  char text[SAL_COMPATIBILITY_TEXT];

  if (setup->strategy->in_gap && setup->zone_in_time)
    return sal_fail(SAL_ERR_USAGE,
                    "the zone of strategy %s is one in units of the gap: add --zone-in-gap",
                    setup->strategy->name);
  const char *flaw = sal_compatibility_flaw(setup, text);
  return flaw ? sal_fail(SAL_ERR_USAGE, "%s", flaw) : SAL_OK;
}

/* Parameters and start, in the units of the run.  A start in units of its own makes natural units, one without needs the
 * scales. */
static sal_err read_point(const sal_cli_run_words *w, sal_cli_run *run)
{
  const sal_model *m = run->setup.model;
  const bool late = m->physical != NULL;

  sal_parameter_presets(m, run->param, run->initial);
  sal_measure_begin(&run->measure, m);
  if (w->param)
    SAL_TRY(sal_argument_param(w->point ? w->point : "--param", m, w->param, run->param));
  if (w->initial && !(w->physical && late))
    SAL_TRY(sal_measure_initial(w->point ? w->point : "--initial", w->initial, &run->measure,
                                run->initial));
  if (w->physical)
    SAL_TRY(
        sal_physical_parse("--physical", m, w->physical, run->param, run->initial, &run->measure));
  if (w->initial && w->physical && late)
    SAL_TRY(sal_measure_initial(w->point ? w->point : "--initial", w->initial, &run->measure,
                                run->initial));
  return sal_parameter_begin("--initial", m, run->param, run->initial);
}

static sal_err read_times(const sal_cli_run_words *w, sal_cli_run *run)
{
  sal_setup *setup = &run->setup;
  const sal_measure *measure = &run->measure;

  run->t_end = NAN;
  if (w->t_end) SAL_TRY(sal_measure_time("--t-end", w->t_end, measure, &run->t_end));
  setup->t_end = w->t_end ? run->t_end : sal_measure_span(measure);
  if (w->max_step) SAL_TRY(sal_measure_time("--max-step", w->max_step, measure, &setup->max_step));
  SAL_TRY(sal_measure_time("--step", w->step, measure, &run->step));
  setup->fixed_step = setup->strategy->fixed ? run->step : 0;
  if (setup->zone_in_time) return sal_measure_time("--zone", w->zone, measure, &setup->zone);
  SAL_TRY(sal_units_read("--zone", "a zone in the gap", w->zone, "1", &setup->zone));
  return setup->zone > 0
             ? SAL_OK
             : sal_fail(SAL_ERR_USAGE, "--zone: '%s' is not allowed; allowed: greater than 0",
                        w->zone);
}

/* An attempt takes an evaluation of f, or is a projection, of which there may be no more. */
static void limit_work(double budget, sal_setup *setup)
{
  setup->reached = sal_cli_watch_run(setup, budget);
  if (!(budget > 0)) return;
  setup->work = sal_work_of_model(setup->model, setup->jacobian);
  setup->budget = budget;
  setup->max_attempts = (int64_t)fmin(budget, 1e18);
}

static sal_err check_run(const sal_cli_run_words *w, sal_cli_run *run)
{
  sal_setup *setup = &run->setup;
  char text[SAL_COMPATIBILITY_TEXT];
  const double atol = isnan(w->atol) ? w->rtol : w->atol;

  *setup = (sal_setup){.rtol = w->rtol,
                       .atol = atol,
                       .zone_in_time = !w->zone_in_gap,
                       .every_contact = w->every_contact,
                       .jacobian = w->jacobian};
  SAL_TRY(read_names(w, run));
  SAL_TRY(check_pair(setup));
  SAL_TRY(read_point(w, run));
  SAL_TRY(read_times(w, run));
  if (setup->method->captures) SAL_TRY(check_pair(setup)); /* the number of steps */
  setup->n_guard = sal_model_guards(setup->model, run->param);
  limit_work(w->budget, setup);
  if (w->seconds > 0) sal_stop_deadline(w->seconds);
  SAL_TRY(sal_model_check_start(w->initial || !run->file ? "--initial" : w->model, setup->model,
                                run->param, run->initial));
  if (!setup->strategy->zoned) return SAL_OK;
  const char *flaw = sal_compatibility_zone_flaw(
      setup->model, run->param, run->initial, setup->zone, setup->zone_in_time, setup->t_end, text);
  if (flaw) return sal_fail(SAL_ERR_USAGE, "--zone: %s", flaw);
  return SAL_OK;
}

sal_err sal_cli_run_check(const sal_cli_run_words *w, sal_cli_run *run)
{
  run->file = NULL;
  run->solver = NULL;
  const sal_err err = check_run(w, run);
  if (err != SAL_OK) sal_cli_run_free(run);
  return err;
}
