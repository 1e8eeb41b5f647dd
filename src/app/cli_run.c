/** @file src/app/cli_run.c
 *  Options that say what to integrate.
 */
#include "cli_run.h"
#include "argument.h"
#include "command.h"
#include "compatibility.h"
#include "enum_words.h"
#include "parameter_column.h"
#include "registry.h"
#include "sweep.h"
#include "text.h"
#include <math.h>
#include <string.h>

const sal_cli_run_words sal_cli_run_presets = {.method   = "ode45",
                                               .strategy = "event",
                                               .rtol     = 1e-6,
                                               .atol     = NAN,
                                               .t_end    = 50,
                                               .zone     = 5e-4,
                                               .step     = 0.002};

enum { RTOL = 256, ATOL, T_END, JACOBIAN, ZONE, IN_GAP, STEP, EVERY };

static const struct argp_option option_table[] = {
    {"model", 'm', "NAME", 0, "model; see `saltus list models`, of which the first is the preset",
     0},
    {"method", 'M', "NAME", 0, "method (ode45); see `saltus list methods`", 0},
    {"strategy", 'S', "NAME", 0, "strategy (event); see `saltus list strategies`", 0},
    {"rtol", RTOL, "R", 0, "relative tolerance (1e-6)", 0},
    {"atol", ATOL, "A", 0, "absolute tolerance (the relative one)", 0},
    {"param", 'p', "NAME=VALUE,..", 0, "parameters and options; presets where not given", 0},
    {"initial", 'i', "NAME=VALUE,..", 0, "initial state; presets where not given", 0},
    {"t-end", T_END, "T", 0, "end of the run (50)", 0},
    {"jacobian", JACOBIAN, "WORD", 0, "differences (preset) or analytic", 0},
    {"zone", ZONE, "Z", 0, "half-width of the zone of ess and ess2, in time (5e-4)", 0},
    {"zone-in-gap", IN_GAP, NULL, 0, "the zone is in units of the gap instead", 0},
    {"step", STEP, "H", 0, "fixed step of ess (0.002)", 0},
    {"every-contact", EVERY, NULL, 0, "look at each, even where the model keeps them in order", 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  sal_cli_run_words *w = state->input;

  switch (key) {
  case 'm':
    w->model = arg;
    break;
  case 'M':
    w->method = arg;
    break;
  case 'S':
    w->strategy = arg;
    break;
  case 'p':
    w->param = arg;
    break;
  case 'i':
    w->initial = arg;
    break;
  case RTOL:
    w->rtol = sal_option_number(state, "rtol", arg);
    break;
  case ATOL:
    w->atol = sal_option_number(state, "atol", arg);
    break;
  case T_END:
    w->t_end = sal_option_number(state, "t-end", arg);
    break;
  case JACOBIAN:
    w->jacobian = arg;
    break;
  case ZONE:
    w->zone = sal_option_number(state, "zone", arg);
    break;
  case IN_GAP:
    w->zone_in_gap = true;
    break;
  case EVERY:
    w->every_contact = true;
    break;
  case STEP:
    w->step = sal_option_number(state, "step", arg);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp sal_cli_run_argp = {.options = option_table, .parser = parse_option};

static sal_err check_numbers(const sal_cli_run_words *w, double atol)
{
  SAL_TRY(sal_argument_tolerance("--rtol", w->rtol));
  SAL_TRY(sal_argument_tolerance("--atol", atol));
  if (!(w->t_end > 0)) return sal_fail(SAL_ERR_USAGE, "--t-end: %g must be above 0", w->t_end);
  if (!(w->zone > 0)) return sal_fail(SAL_ERR_USAGE, "--zone: %g must be above 0", w->zone);
  if (!(w->step > 0)) return sal_fail(SAL_ERR_USAGE, "--step: %g must be above 0", w->step);
  return SAL_OK;
}

static sal_err settle_names(const sal_cli_run_words *w, sal_setup *setup)
{
  char text[SAL_COMPATIBILITY_TEXT];

  setup->model = sal_registry_models[0];
  if (w->model) SAL_TRY(sal_argument_model("--model", w->model, &setup->model));
  SAL_TRY(sal_argument_method("--method", w->method, &setup->method));
  SAL_TRY(sal_argument_strategy("--strategy", w->strategy, &setup->strategy));
  const char *flaw = sal_compatibility_flaw(setup->model, setup->method, setup->strategy, text);
  return flaw ? sal_fail(SAL_ERR_USAGE, "%s", flaw) : SAL_OK;
}

static sal_err settle_jacobian(const char *word, sal_jacobian *out)
{
  const char *names[SAL_MAX_WORD + 1]; /* in the order of sal_jacobian */
  const int   n = sal_enum_words_gather(SAL_ENUM_JACOBIANS, NULL, names);

  for (int i = 0; i < n; ++i)
    if (!word || strcmp(word, names[i]) == 0) {
      *out = (sal_jacobian)i;
      return SAL_OK;
    }
  return sal_text_unknown(SAL_ERR_USAGE, "--jacobian", "word", word, names);
}

sal_err sal_cli_run_check(const sal_cli_run_words *w, sal_cli_run *run)
{
  sal_setup   *setup = &run->setup;
  char         text[SAL_COMPATIBILITY_TEXT];
  const double atol = isnan(w->atol) ? w->rtol : w->atol;

  SAL_TRY(check_numbers(w, atol));
  *setup = (sal_setup){.rtol          = w->rtol,
                       .atol          = atol,
                       .t_end         = w->t_end,
                       .zone          = w->zone,
                       .zone_in_time  = !w->zone_in_gap,
                       .every_contact = w->every_contact};
  SAL_TRY(settle_names(w, setup));
  if (setup->strategy->in_gap && setup->zone_in_time)
    return sal_fail(SAL_ERR_USAGE,
                    "the zone of strategy %s is one in units of the gap: add --zone-in-gap",
                    setup->strategy->name);
  SAL_TRY(settle_jacobian(w->jacobian, &setup->jacobian));
  setup->fixed_step = setup->strategy->fixed ? w->step : 0;
  sal_parameter_presets(setup->model, run->param, run->initial);
  if (w->param) SAL_TRY(sal_argument_param("--param", setup->model, w->param, run->param));
  if (w->initial)
    SAL_TRY(sal_argument_initial("--initial", setup->model, w->initial, run->initial));
  setup->n_guard = sal_model_guards(setup->model, run->param);
  if (!setup->strategy->zoned) return SAL_OK;
  const char *flaw = sal_compatibility_zone_flaw(
      setup->model, run->param, run->initial, setup->zone, setup->zone_in_time, setup->t_end, text);
  if (flaw) return sal_fail(SAL_ERR_USAGE, "--zone: %s", flaw);
  return SAL_OK;
}
