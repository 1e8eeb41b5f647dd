/** @file src/app/cmd_calibrate_eps.c
 *  saltus calibrate-eps: the zone at which a projecting strategy is as wrong as something else, and
 *  what every strategy achieves for its cost.
 */
#include "argument.h"
#include "atomic_file.h"
#include "calibrate_print.h"
#include "calibration.h"
#include "cli_run.h"
#include "command.h"
#include "contender.h"
#include "enum_words.h"
#include "registry.h"
#include "sweep.h"
#include "text.h"
#include "work_precision_print.h"
#include <math.h>
#include <string.h>

enum {
  REPEATS      = 5,
  SCAN_POINTS  = 41,
  CURVE_POINTS = 11,
  MOST_STARTS  = 10000,
  MOST_MESH    = 10000000
};
static const int64_t most_attempts = 10000000; /* a zone may be so wide that nothing moves */

typedef struct {
  sal_cli_run_words run;
  const char       *against, *state, *csv;
  double            rms, spacing, least, most; /* NaN: not given */
  int               points, starts;            /* 0: not given */
  double            seed;
  bool              curve, force;
} options;

enum { AGAINST = 256, RMS, STATE, DT, LEAST, MOST, POINTS, CURVE, STARTS, SEED, CSV };

static const struct argp_option option_table[] = {
    {"against", AGAINST, "S:M:TOL", 0,
     "the error to be reached is that of strategy S with method M at tolerance TOL, or with fixed "
     "steps: S:M:step=H",
     0},
    {"rms", RMS, "X", 0, "the error to be reached is X", 0},
    {"state", STATE, "NAME", 0, "state the error is taken of, or all (what the model scores)", 0},
    {"dt", DT, "D", 0, "spacing of the mesh the error is taken on (a thousandth of T)", 0},
    {"eps-min", LEAST, "E", 0, "least half-width (1e-5 of the largest)", 0},
    {"eps-max", MOST, "E", 0,
     "largest half-width (a tenth of T, or half the gap of the nearest contact at the start)", 0},
    {"points", POINTS, "N", 0, "points of the scan (41), or of each curve (11)", 0},
    {"curve", CURVE, NULL, 0, "error and cost of every strategy instead", 0},
    {"starts", STARTS, "N", 0,
     "curve: medians over N random starts; what --initial names is kept (one start, no medians)",
     0},
    {"seed", SEED, "S", 0, "curve: number that the starts depend on (1)", 0},
    {"csv", CSV, "FILE", 0, "write what was measured to FILE, too", 0},
    {"force", 'f', NULL, 0, "overwrite an existing FILE", 0},
    {0}};

static int whole(struct argp_state *state, const char *name, const char *text, int least, int most)
{
  const double value = sal_option_number(state, name, text);

  if (value != floor(value) || value < least || value > most)
    argp_error(state, "--%s: %s is not allowed; allowed: whole numbers from %d to %d", name, text,
               least, most);
  return (int)value;
}

static double seed(struct argp_state *state, const char *text)
{
  const double value = sal_option_number(state, "seed", text);

  if (value != floor(value) || value < 0 || value > 0x1p53)
    argp_error(state, "--seed: %s is not allowed; allowed: whole numbers from 0 to 2^53", text);
  return value;
}

/* Which of the options belong together. */
static void check_options(const options *o, struct argp_state *state)
{
  const bool asked = o->against || !isnan(o->rms);

  if (o->curve && asked)
    argp_error(state, "--curve reaches for no error: leave out --against and --rms");
  if (!o->curve && !asked)
    argp_error(state, "which error is to be reached?  --against S:M:TOL or --rms X");
  if (o->against && !isnan(o->rms)) argp_error(state, "--against or --rms, not both");
  if (!o->curve && o->starts) argp_error(state, "--starts goes with --curve only");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->run;
    break;
  case AGAINST:
    o->against = arg;
    break;
  case RMS:
    o->rms = sal_option_number(state, "rms", arg);
    break;
  case STATE:
    o->state = arg;
    break;
  case DT:
    o->spacing = sal_option_number(state, "dt", arg);
    break;
  case LEAST:
    o->least = sal_option_number(state, "eps-min", arg);
    break;
  case MOST:
    o->most = sal_option_number(state, "eps-max", arg);
    break;
  case POINTS:
    o->points = whole(state, "points", arg, 2, 10000);
    break;
  case CURVE:
    o->curve = true;
    break;
  case STARTS:
    o->starts = whole(state, "starts", arg, 1, MOST_STARTS);
    break;
  case SEED:
    o->seed = seed(state, arg);
    break;
  case CSV:
    o->csv = arg;
    break;
  case 'f':
    o->force = true;
    break;
  case ARGP_KEY_ARG:
    argp_error(state, "what is '%s'?  everything here is an option", arg);
    break;
  case ARGP_KEY_END:
    check_options(o, state);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp_child children[] = {{.argp = &sal_cli_run_argp}, {0}};
static const struct argp       argp       = {
                .options  = option_table,
                .parser   = parse_option,
                .children = children,
                .doc =
                    "Find the half-width eps of the zone at which a projecting strategy (--strategy ess, say) "
                                "has the same error as another contender, or a given one; or, with --curve, print what "
                                "error each strategy reaches at what cost."
                                "\vErrors are root mean squares over a uniform mesh, against dop853 with event at 1e-13. "
                                "The zone is scanned on a logarithmic grid, and the first pair of neighbours with the "
                                "error between them is bisected: with fixed steps the error may jump, or fall in places, "
                                "and both are reported.  --strategy "
                                "must be given; with --curve it may be, and then it is the only one.  --zone is that of "
                                "--against, when that has one.  CPU times are at "
                                "width 1, the least of five.  Exit status 1 when no zone reaches the error; the scan is "
                                "written to --csv all the same.\n\n"
                                "Example: which zone makes steps of 2 ms on Anderson and Revzen's hopper as wrong as "
                                "2.87e-3, or as ode45 at 1e-3 that knows nothing of contacts?  And which strategy gives "
                                "which error at what cost, from ten heights?\n"
                                "  saltus calibrate-eps --model hopper1d --t-end 2 -S ess --step 0.002 \\\n"
                                "    --zone-in-gap --rms 2.87e-3 --csv eps.csv\n"
                                "  saltus calibrate-eps --model hopper1d --t-end 2 -S ess --step 0.002 \\\n"
                                "    --zone-in-gap --against switch:ode45:1e-3\n"
                                "  saltus calibrate-eps --model hopper1d --t-end 2 --initial v=0 \\\n"
                                "    --curve --starts 10"};

/* --strategy: one that has a zone. */
static sal_err check_zoned(const options *o)
{
  const char         *names[SAL_MAX_WORD + 1];
  const sal_strategy *found = o->run.strategy ? sal_registry_strategy(o->run.strategy) : NULL;
  sal_text            text  = {0};
  int                 n     = 0;

  if (o->curve || (o->run.strategy && (!found || found->zoned))) return SAL_OK;
  for (const sal_strategy *const *s = sal_registry_strategies; *s; ++s)
    if ((*s)->zoned) names[n++] = (*s)->name;
  names[n] = NULL;
  sal_text_join(&text, ", ", names);
  const char   *list = text.string ? text.string : "";
  const sal_err err =
      found ? sal_fail(SAL_ERR_USAGE, "--strategy: %s has no zone; allowed: %s", found->name, list)
            : sal_fail(SAL_ERR_USAGE, "which strategy?  --strategy with one of: %s", list);
  sal_text_free(&text);
  return err;
}

static sal_err check_numbers(const options *o)
{
  if (o->rms <= 0) return sal_fail(SAL_ERR_USAGE, "--rms: %g must be above 0", o->rms);
  if (o->spacing <= 0) return sal_fail(SAL_ERR_USAGE, "--dt: %g must be above 0", o->spacing);
  if (o->least <= 0) return sal_fail(SAL_ERR_USAGE, "--eps-min: %g must be above 0", o->least);
  if (o->most <= 0) return sal_fail(SAL_ERR_USAGE, "--eps-max: %g must be above 0", o->most);
  return SAL_OK;
}

/* As fine as asked for or a little finer, so that the mesh ends at t_end. */
static sal_err settle_mesh(const options *o, double t_end, int64_t *n_mesh)
{
  const double wanted = isnan(o->spacing) ? 1000 : t_end / o->spacing;

  if (wanted < 1 - 1e-12)
    return sal_fail(SAL_ERR_USAGE, "--dt: %g is wider than [0, %g]", o->spacing, t_end);
  if (wanted > MOST_MESH)
    return sal_fail(SAL_ERR_USAGE, "--dt: %g makes more than %d points of [0, %g]", o->spacing,
                    MOST_MESH, t_end);
  *n_mesh = (int64_t)ceil(wanted * (1 - 1e-12));
  return SAL_OK;
}

static sal_err settle_state(const options *o, const sal_model *m, int *watch)
{
  const char *names[SAL_MAX_STATE + 2] = {NULL};

  *watch = m->watch;
  for (int i = 0; i < m->n_state; ++i) {
    names[i] = m->state[i].name;
    if (o->state && strcmp(o->state, names[i]) == 0) *watch = i;
  }
  names[m->n_state] = "all";
  if (!o->state || strcmp(o->state, names[*watch]) == 0) return SAL_OK;
  *watch = SAL_ALL_STATES;
  if (strcmp(o->state, "all") == 0) return SAL_OK;
  return sal_text_unknown(SAL_ERR_USAGE, "--state", "state", o->state, names);
}

/* Distance of the nearest contact at the start; those that touch do not count. */
static double nearest_gap(const sal_cli_run *run)
{
  double gap[SAL_MAX_GUARD], nearest = INFINITY;

  sal_model_gaps(run->setup.model, run->param, 0, run->initial, gap);
  for (int k = 0; k < run->setup.n_guard; ++k)
    if (gap[k] != 0) nearest = fmin(nearest, fabs(gap[k]));
  return nearest;
}

/* The widths to be tried.  A zone that holds the start is no zone. */
static sal_err settle_range(const options *o, const sal_cli_run *run, double *least, double *most)
{
  const bool   timed = run->setup.zone_in_time;
  const double limit = timed ? run->setup.t_end : nearest_gap(run);

  if (run->setup.n_guard == 0)
    return sal_fail(SAL_ERR_USAGE, "--model: %s has no contacts, and so no zone",
                    run->setup.model->name);
  if (isinf(limit) && isnan(o->most))
    return sal_fail(SAL_ERR_USAGE, "all contacts touch at the start: --eps-max must be given");
  *most  = !isnan(o->most) ? o->most : limit * (timed ? 0.1 : 0.5);
  *least = !isnan(o->least) ? o->least : *most * 1e-5;
  if (*most >= limit && timed)
    return sal_fail(SAL_ERR_USAGE, "--eps-max: %g must be below --t-end, %g", *most, limit);
  if (*most >= limit)
    return sal_fail(SAL_ERR_USAGE,
                    "--eps-max: %g: the start would lie in the zone; the nearest contact has a gap "
                    "of %g there, and the zone must be narrower",
                    *most, limit);
  if (!(*least < *most))
    return sal_fail(SAL_ERR_USAGE, "--eps-min: %g must be below the largest zone, %g", *least,
                    *most);
  return SAL_OK;
}

/* Everything but --against, for both jobs of the command. */
static sal_err settle(options *o, sal_work_precision_study *w)
{
  SAL_TRY(check_zoned(o));
  SAL_TRY(check_numbers(o));
  w->one_strategy = o->run.strategy != NULL;
  if (!w->one_strategy) o->run.strategy = sal_cli_run_presets.strategy;
  SAL_TRY(sal_cli_run_check(&o->run, &w->run));
  w->run.setup.max_attempts = most_attempts;
  SAL_TRY(settle_mesh(o, w->run.setup.t_end, &w->n_mesh));
  SAL_TRY(settle_state(o, w->run.setup.model, &w->watch));
  w->step    = o->run.step;
  w->repeats = REPEATS;
  w->points  = o->points ? o->points : o->curve ? CURVE_POINTS : SCAN_POINTS;
  w->n_start = o->starts;
  w->seed    = (uint64_t)o->seed;
  return settle_range(o, &w->run, &w->least, &w->most);
}

static sal_err show_curve(const options *o, sal_work_precision_study *w)
{
  double given[SAL_MAX_STATE];

  for (int i = 0; i < SAL_MAX_STATE; ++i) given[i] = NAN;
  if (o->run.initial)
    SAL_TRY(sal_argument_initial("--initial", w->run.setup.model, o->run.initial, given));
  w->given = given;
  return sal_work_precision_print(w, o->csv);
}

/* The target's own run, or the number given. */
static sal_err find_target(const options *o, const sal_certified_run *y, const sal_setup *against,
                           sal_certified_measurement *target)
{
  *target = (sal_certified_measurement){.rms = o->rms};
  if (o->against) {
    SAL_TRY(sal_certified_run_measure(y, against, REPEATS, target));
    const sal_outcome end = (sal_outcome)target->record.value[SAL_METRIC_OUTCOME];
    if (end != SAL_OUT_DONE)
      return sal_fail(SAL_ERR_INPUT, "--against: %s ended at t = %g: %s", o->against,
                      target->record.value[SAL_METRIC_T_REACHED], sal_metric_outcomes[end].what);
  }
  if (!(target->rms > y->error))
    return sal_fail(
        SAL_ERR_INPUT,
        "an RMS error of %.3g cannot be told: the certified trajectory is known to %.3g",
        target->rms, y->error);
  return SAL_OK;
}

static sal_err calibrate(const options *o, const sal_work_precision_study *w,
                         const sal_certified_run *y, const sal_setup *against, int *status)
{
  sal_calibration           c;
  sal_certified_measurement target;
  sal_calibrate_table       table = {
            .run = &w->run, .certified = y, .target = &target, .against = o->against, .found = &c};

  SAL_TRY(find_target(o, y, against, &target));
  SAL_TRY(sal_calibration_find(y, &w->run.setup, target.rms, w->least, w->most, w->points, REPEATS,
                               &c));
  sal_calibrate_print(&table);
  const sal_err err = o->csv ? sal_calibrate_print_csv(&table, o->csv) : SAL_OK;
  *status           = c.crossings ? 0 : 1;
  sal_calibration_free(&c);
  return err;
}

static sal_err calibrate_eps(const options *o, const sal_work_precision_study *w,
                             const sal_setup *against, int *status)
{
  sal_certified_run y;

  SAL_TRY(sal_certified_run_create(&w->run.setup, w->run.param, w->run.initial, w->watch, w->n_mesh,
                                   &y));
  const double *v   = y.record.value;
  const int     e   = (int)v[SAL_METRIC_OUTCOME];
  const sal_err err = isfinite(y.error)
                          ? calibrate(o, w, &y, against, status)
                          : sal_fail(SAL_ERR_INPUT, "the certified trajectory ended at t = %g: %s",
                                     v[SAL_METRIC_T_REACHED], sal_metric_outcomes[e].what);
  sal_certified_run_free(&y);
  return err;
}

sal_err sal_cmd_calibrate_eps(int argc, char *argv[], int *status)
{
  options o = {
      .run = sal_cli_run_presets, .rms = NAN, .spacing = NAN, .least = NAN, .most = NAN, .seed = 1};
  sal_work_precision_study w = {0};
  sal_setup                against;

  *status        = 0;
  o.run.strategy = NULL;
  sal_parse(&argp, argc, argv, &o);
  SAL_TRY(settle(&o, &w));
  if (o.against) SAL_TRY(sal_contender_parse("--against", o.against, &w.run.setup, &against));
  if (o.csv) SAL_TRY(sal_atomic_file_claim(o.csv, o.force));
  return o.curve ? show_curve(&o, &w) : calibrate_eps(&o, &w, &against, status);
}
