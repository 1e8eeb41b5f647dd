/** saltus calibrate-eps: the zone at which a projecting strategy is as wrong as something else, and
 *  what every strategy achieves for its cost.
 */
#include "atomic_file.h"
#include "base.h"
#include "calibrate_request.h"
#include "command.h"
#include "config.h"

static const sal_calibrate_request presets = {.run = {SAL_CLI_RUN_PRESETS("ode45", NULL, 1e-6)},
                                              .rms = NAN,
                                              .least = NAN,
                                              .most = NAN,
                                              .seed = 1};

#define AT(member) .offset = offsetof(sal_calibrate_request, member)
#define POSITIVE .least = SAL_CLI_POSITIVE

#define OPTIONS_OF_calibrate_eps
#include "options.def"

/* Which of the options belong together. */
static sal_err check_calibrate(void *given)
{
  const sal_calibrate_request *o = given;
  const bool asked = o->against || !isnan(o->rms);

  if (o->curve && asked)
    return sal_fail(SAL_ERR_USAGE, "--curve reaches for no error: leave out --against and --rms");
  if (!o->curve && !asked)
    return sal_fail(SAL_ERR_USAGE, "--against S:M:R or --rms X is required: the error to reach");
  if (o->against && !isnan(o->rms)) return sal_fail(SAL_ERR_USAGE, "--against or --rms, not both");
  if (!o->curve && o->starts) return sal_fail(SAL_ERR_USAGE, "--starts goes with --curve only");
  return SAL_OK;
}

static sal_err print_curve(const sal_calibrate_request *o, sal_work_precision_study *w)
{
  double given[SAL_MAX_STATE];

  for (int i = 0; i < SAL_MAX_STATE; ++i) given[i] = NAN;
  if (o->run.initial)
    SAL_TRY(sal_measure_initial("--initial", o->run.initial, &w->run.measure, given));
  w->given = given;
  return sal_work_precision_print(w, o->csv);
}

static void drop_study(sal_work_precision_study *w) { sal_cli_run_free(&w->run); }

static sal_err run_calibrate(void *given, sal_command_call *call)
{
  const sal_calibrate_request *o = given;
  SAL_OWN_BY(drop_study) sal_work_precision_study w = {0};
  sal_setup against;

  SAL_TRY(sal_calibrate_request_study(o, &w));
  if (o->against) SAL_TRY(sal_config_parse("--against", o->against, &w.run.setup, &against));
  if (o->csv) SAL_TRY(sal_atomic_file_claim(o->csv, "the table", o->force));
  return o->curve ? print_curve(o, &w) : sal_calibrate_run(o, &w, &against, &call->status);
}

const sal_command_code sal_cmd_calibrate_eps = {
    .table = {{rows, 0}, {sal_cli_run_options, offsetof(sal_calibrate_request, run)}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_calibrate,
    .run = run_calibrate};
