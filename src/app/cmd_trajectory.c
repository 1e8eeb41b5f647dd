/** @file src/app/cmd_trajectory.c
 *  saltus trajectory: one trajectory, in full, as CSV or HDF5.
 */
#include "command.h"
#include "cube.h"
#include "memory.h"
#include "publish.h"
#include "registry.h"
#include "sweep.h"
#include "text.h"
#include "trajectory.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *model, *method, *strategy, *param, *initial, *jacobian, *out;
  double      rtol, atol, t_end, spacing, zone, step;
  bool        zone_in_gap;
  bool        force;
} options;

enum { RTOL = 256, ATOL, T_END, DT, JACOBIAN, ZONE, IN_GAP, STEP };

static const struct argp_option option_table[] = {
    {"model", 'm', "NAME", 0, "model (monopod); see `saltus list models`", 0},
    {"method", 'M', "NAME", 0, "method (ode45); see `saltus list methods`", 0},
    {"strategy", 'S', "NAME", 0, "strategy (event); see `saltus list strategies`", 0},
    {"rtol", RTOL, "R", 0, "relative tolerance (1e-6)", 0},
    {"atol", ATOL, "A", 0, "absolute tolerance (the relative one)", 0},
    {"param", 'p', "NAME=VALUE,..", 0, "parameters and options; presets where not given", 0},
    {"initial", 'i', "NAME=VALUE,..", 0, "initial state; presets where not given", 0},
    {"t-end", T_END, "T", 0, "end of the run (50)", 0},
    {"dt", DT, "D", 0, "spacing of the rows (0.01)", 0},
    {"jacobian", JACOBIAN, "WORD", 0, "differences (preset) or analytic", 0},
    {"zone", ZONE, "Z", 0, "half-width of the zone of ess and ess2, in time (5e-4)", 0},
    {"zone-in-gap", IN_GAP, NULL, 0, "the zone is in units of the gap instead", 0},
    {"step", STEP, "H", 0, "fixed step of ess (0.002)", 0},
    {"output", 'o', "FILE", 0, "FILE.csv or FILE.h5; required", 0},
    {"force", 'f', NULL, 0, "overwrite an existing output", 0},
    {0}};

static double number(struct argp_state *state, const char *name, const char *text)
{
  char *end;

  errno              = 0;
  const double value = strtod(text, &end);
  if (end == text || *end != '\0' || errno || !isfinite(value))
    argp_error(state, "--%s: '%s' is no number", name, text);
  return value;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case 'm':
    o->model = arg;
    break;
  case 'M':
    o->method = arg;
    break;
  case 'S':
    o->strategy = arg;
    break;
  case 'p':
    o->param = arg;
    break;
  case 'i':
    o->initial = arg;
    break;
  case 'o':
    o->out = arg;
    break;
  case 'f':
    o->force = true;
    break;
  case RTOL:
    o->rtol = number(state, "rtol", arg);
    break;
  case ATOL:
    o->atol = number(state, "atol", arg);
    break;
  case T_END:
    o->t_end = number(state, "t-end", arg);
    break;
  case DT:
    o->spacing = number(state, "dt", arg);
    break;
  case JACOBIAN:
    o->jacobian = arg;
    break;
  case ZONE:
    o->zone = number(state, "zone", arg);
    break;
  case IN_GAP:
    o->zone_in_gap = true;
    break;
  case STEP:
    o->step = number(state, "step", arg);
    break;
  case ARGP_KEY_ARG:
    argp_error(state, "what is '%s'?  everything here is an option", arg);
    break;
  case ARGP_KEY_END:
    if (!o->out) argp_error(state, "where to?  -o FILE.csv or -o FILE.h5");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    .options = option_table,
    .parser  = parse_option,
    .doc =
        "Integrate one trajectory; write its dense output at every multiple of D and every event."
        "\vCSV columns: t, the states, mode (1 while the contact is closed), event (empty, or the "
        "event's name; the row then holds the state behind it).  Exit status 1 when the "
        "trajectory ended before T; what there is of it is written all the same.\n\nExample:\n"
        "  saltus trajectory --model monopod --method ode45 --strategy event \\\n"
        "    --rtol 1e-6 --atol 1e-6 --param b=1951,m1=1.88,k=22.8,f=0.051 \\\n"
        "    --initial y1=0.5,v1=0,y2=1.5,v2=0 --t-end 50 --dt 0.01 -o hop.csv"};

static bool ends_with(const char *text, const char *end)
{
  const size_t n = strlen(text), m = strlen(end);

  return n >= m && strcmp(text + n - m, end) == 0;
}

static sal_err check_numbers(const options *o)
{
  enum { MOST_ROWS = 100000000 };

  SAL_TRY(sal_check_tolerance("--rtol", o->rtol));
  SAL_TRY(sal_check_tolerance("--atol", o->atol));
  if (!(o->t_end > 0)) return sal_fail(SAL_ERR_USAGE, "--t-end: %g must be above 0", o->t_end);
  if (!(o->spacing > 0)) return sal_fail(SAL_ERR_USAGE, "--dt: %g must be above 0", o->spacing);
  if (!(o->zone > 0)) return sal_fail(SAL_ERR_USAGE, "--zone: %g must be above 0", o->zone);
  if (!(o->step > 0)) return sal_fail(SAL_ERR_USAGE, "--step: %g must be above 0", o->step);
  if (o->t_end / o->spacing > MOST_ROWS)
    return sal_fail(SAL_ERR_USAGE, "--dt: %g makes more than %d rows of [0, %g]", o->spacing,
                    MOST_ROWS, o->t_end);
  return SAL_OK;
}

/* Fills the setup, the parameters and the initial state from the words of the command line. */
static sal_err resolve(const options *o, sal_setup *setup, double param[], double initial[])
{
  static const char *const jacobians[] = {"differences", "analytic", NULL};

  *setup = (sal_setup){.rtol = o->rtol, .atol = o->atol, .t_end = o->t_end};
  SAL_TRY(check_numbers(o));
  SAL_TRY(sal_find_model("--model", o->model, &setup->model));
  SAL_TRY(sal_find_method("--method", o->method, &setup->method));
  SAL_TRY(sal_find_strategy("--strategy", o->strategy, &setup->strategy));
  if (!sal_pair_works(setup->method, setup->strategy))
    return sal_fail(SAL_ERR_USAGE, "strategy %s works with one-step methods only, and %s is none",
                    o->strategy, o->method);
  if (!sal_strategy_meets(setup->strategy, setup->model))
    return sal_fail(SAL_ERR_USAGE,
                    "model %s resets its state at contacts, and strategy %s meets none", o->model,
                    o->strategy);
  setup->zone         = o->zone;
  setup->zone_in_time = !o->zone_in_gap;
  setup->fixed_step   = setup->strategy->fixed ? o->step : 0;
  if (o->jacobian && strcmp(o->jacobian, jacobians[1]) == 0)
    setup->jacobian = SAL_JACOBIAN_ANALYTIC;
  else if (o->jacobian && strcmp(o->jacobian, jacobians[0]) != 0)
    return sal_text_unknown(SAL_ERR_USAGE, "--jacobian", "word", o->jacobian, jacobians);
  sal_presets(setup->model, param, initial);
  if (o->param) SAL_TRY(sal_parse_param("--param", setup->model, o->param, param));
  setup->n_guard = sal_model_guards(setup->model, param);
  if (o->initial) SAL_TRY(sal_parse_initial("--initial", setup->model, o->initial, initial));
  if (!ends_with(o->out, ".csv") && !ends_with(o->out, ".h5"))
    return sal_fail(SAL_ERR_USAGE, "-o %s: the name must end with .csv or .h5", o->out);
  return SAL_OK;
}

static void csv_state(FILE *f, const sal_model *m, double t, const double y[], int mode)
{
  fprintf(f, "%.17g,", t);
  for (int i = 0; i < m->n_state; ++i) fprintf(f, "%.17g,", y[i]);
  fprintf(f, "%d,", mode);
}

static void csv_event(FILE *f, const sal_model *m, const sal_event *e)
{
  csv_state(f, m, e->t, e->y, e->closes);
  fprintf(f, "%s", e->closes ? m->closes : m->opens);
  if (m->n_guard > 1) fprintf(f, ":%d", e->guard);
  fprintf(f, "\n");
}

static void csv_rows(FILE *f, const sal_model *m, const sal_trajectory *tr)
{
  int64_t e = 0;

  fprintf(f, "t,");
  for (int i = 0; i < m->n_state; ++i) fprintf(f, "%s,", m->state[i].name);
  fprintf(f, "mode,event\n");
  for (int64_t j = 0; j < tr->n; ++j) {
    for (; e < tr->n_event && tr->event[e].t < tr->t[j]; ++e) csv_event(f, m, &tr->event[e]);
    csv_state(f, m, tr->t[j], tr->state + j * m->n_state, tr->closed[j]);
    fprintf(f, "\n");
  }
  for (; e < tr->n_event; ++e) csv_event(f, m, &tr->event[e]);
}

/* The file appears whole or not at all. */
static sal_err write_csv(const char *path, const sal_model *m, const sal_trajectory *tr)
{
  char part[PATH_MAX];

  SAL_TRY(sal_publish_name(path, part));
  FILE *f = fopen(part, "w");
  if (!f) return sal_fail(SAL_ERR_IO, "%s: %s", path, strerror(errno));
  csv_rows(f, m, tr);
  const bool bad = fflush(f) != 0 || ferror(f) != 0;
  if (fclose(f) != 0 || bad) {
    sal_fail(SAL_ERR_IO, "%s: %s", path, strerror(errno));
    sal_publish_discard(path);
    return SAL_ERR_IO;
  }
  return sal_publish(path);
}

static void report(const sal_trajectory *tr)
{
  const double *v = tr->record.value;
  const int     o = (int)v[SAL_METRIC_OUTCOME];

  fprintf(stderr, "%s at t = %.17g: %g steps, %g failed, %g evaluations of f, %g events\n",
          sal_outcomes[o].label, v[SAL_METRIC_T_REACHED], v[SAL_METRIC_STEPS], v[SAL_METRIC_FAILED],
          v[SAL_METRIC_RHS], v[SAL_METRIC_EVENTS]);
  if (o != SAL_OUT_DONE)
    fprintf(stderr, "saltus trajectory: the trajectory ended early: %s\n", sal_outcomes[o].what);
}

sal_err sal_cmd_trajectory(int argc, char *argv[], int *status)
{
  options        o = {.model    = "monopod",
                      .method   = "ode45",
                      .strategy = "event",
                      .rtol     = 1e-6,
                      .atol     = NAN,
                      .t_end    = 50,
                      .zone     = 5e-4,
                      .step     = 0.002,
                      .spacing  = 0.01};
  sal_setup      setup;
  sal_trajectory tr = {0};
  double         param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  sal_parse(&argp, argc, argv, &o);
  if (isnan(o.atol)) o.atol = o.rtol;
  SAL_TRY(resolve(&o, &setup, param, initial));
  SAL_TRY(sal_cube_claim(o.out, o.force));
  SAL_TRY(sal_trajectory_run(&setup, param, initial, o.spacing, &tr));
  const sal_err err = ends_with(o.out, ".csv")
                          ? write_csv(o.out, setup.model, &tr)
                          : sal_trajectory_write(o.out, &setup, param, tr.n, tr.t, tr.state,
                                                 tr.closed, tr.n_event, tr.event);
  if (err == SAL_OK) report(&tr);
  *status = tr.record.value[SAL_METRIC_OUTCOME] == SAL_OUT_DONE ? 0 : 1;
  sal_trajectory_free(&tr);
  return err;
}
