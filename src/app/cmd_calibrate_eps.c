/** saltus calibrate-eps: the zone at which a projecting strategy is as wrong as something else, and
 *  what every strategy achieves for its cost.
 */
#include "atomic_file.h"
#include "base.h"
#include "calibrate_request.h"
#include "command.h"
#include "config.h"

enum { WHERE = 256 };

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

/* A certified trajectory, the error to be reached, and the zone that has it. */
typedef struct {
  const sal_calibrate_request *o;
  const sal_work_precision_study *w;
  sal_certified_run y;
  sal_certified_measurement target; /* its record counts when --against is given */
  sal_calibration found;
} search;

static void free_search(search *t)
{
  sal_calibration_free(&t->found);
  sal_certified_run_free(&t->y);
}

static const char *measure_name(const search *t)
{
  return t->w->run.setup.zone_in_time ? "in time" : "in units of the gap";
}

static void print_calibration_head(const search *t)
{
  const sal_setup *s = &t->w->run.setup;
  const int watch = t->y.watch;

  printf("%s: RMS error of %s over %lld points of [0, %g], itself known to %.2g\n", s->model->name,
         watch == SAL_ALL_STATES ? "all states" : s->model->state[watch].name,
         (long long)t->y.n_mesh + 1, s->t_end, t->y.error);
  printf("%s with %s, ", s->strategy->name, s->method->name);
  if (s->strategy->fixed)
    printf("steps of %g, ", s->fixed_step);
  else
    printf("rtol %g, ", s->rtol);
  printf("zone %s\n\n", measure_name(t));
}

static void print_costs(const sal_record *r)
{
  const double *v = r->value;

  printf(" %11g %12g %13.3g\n", v[SAL_METRIC_RHS], v[SAL_METRIC_PROJECTIONS], v[SAL_METRIC_SD]);
}

static void print_eps(const char *role, const sal_calibration_point *p)
{
  printf("%-24s %11.6g %11.6g", role, p->eps, p->measured.rms);
  print_costs(&p->measured.record);
}

static void print_target(const search *t)
{
  printf("%-24s %11s %11.6g", t->o->against ? t->o->against : "target", "", t->target.rms);
  if (t->o->against)
    print_costs(&t->target.record);
  else
    printf("\n");
}

/* Least and largest finite error of the scan. */
static void error_range(const sal_calibration *c, const sal_calibration_point **least,
                        const sal_calibration_point **most)
{
  *least = *most = NULL;
  for (int i = 0; i < c->n; ++i) {
    const sal_calibration_point *p = &c->scan[i];
    if (isinf(p->measured.rms)) continue;
    if (!*least || p->measured.rms < (*least)->measured.rms) *least = p;
    if (!*most || p->measured.rms > (*most)->measured.rms) *most = p;
  }
}

static void print_failure(const search *t)
{
  const sal_calibration *c = &t->found;
  const sal_calibration_point *least, *most;

  fflush(stdout);
  error_range(c, &least, &most);
  fprintf(stderr,
          "saltus calibrate-eps: no eps from %g to %g reaches an RMS error of %g: ", c->scan[0].eps,
          c->scan[c->n - 1].eps, c->target);
  if (least)
    fprintf(stderr, "%s has from %.3g (eps = %.3g) to %.3g (eps = %.3g)\n",
            t->w->run.setup.strategy->name, least->measured.rms, least->eps, most->measured.rms,
            most->eps);
  else
    fprintf(stderr, "every run ended early\n");
}

static void print_curve_remarks(const sal_calibration *c)
{
  int first = 0, last = 0;

  if (sal_calibration_jumps(c))
    printf("The curve steps over the target here: no eps has exactly this error.\n");
  if (c->crossings > 1)
    printf("The scan passes the target %d times; this is the one at the smallest eps.\n",
           c->crossings);
  for (; sal_calibration_falls(c, &first, &last); first = last)
    printf("The error falls as eps grows from %.3g to %.3g: %.3g to %.3g.\n", c->scan[first].eps,
           c->scan[last].eps, c->scan[first].measured.rms, c->scan[last].measured.rms);
}

/* On stdout; on stderr why nothing was found. */
static void print_calibration(const search *t)
{
  const sal_calibration *c = &t->found;

  if (!c->crossings) {
    print_failure(t);
    return;
  }
  print_calibration_head(t);
  printf("%-24s %11s %11s %11s %12s %13s\n", "", "eps", "RMS", "evals of f", "projections",
         "CPU time [s]");
  print_target(t);
  print_eps("lower eps", &c->low);
  print_eps("upper eps", &c->high);
  printf("\neps = %.4g %s\n", sal_calibration_best(c)->eps, measure_name(t));
  print_curve_remarks(c);
}

/* Writes an empty field for a value that is not finite. */
static void csv_field(FILE *f, double value, char end)
{
  if (isfinite(value)) fprintf(f, "%.17g", value);
  fputc(end, f);
}

static void csv_eps_row(FILE *f, const char *role, double eps, const sal_certified_measurement *s,
                        bool ran)
{
  const double *v = s->record.value;

  fprintf(f, "%s,", role);
  csv_field(f, eps, ',');
  csv_field(f, s->rms, ',');
  csv_field(f, ran ? v[SAL_METRIC_RHS] : NAN, ',');
  csv_field(f, ran ? v[SAL_METRIC_PROJECTIONS] : NAN, ',');
  csv_field(f, ran ? v[SAL_METRIC_SD] : NAN, '\n');
}

/* One row per point: role (target, scan, lower, upper), eps, RMS error, evaluations of f, projections, CPU time; empty where a
 * figure is not known. */
static sal_err write_csv(const search *t)
{
  const sal_calibration *c = &t->found;
  FILE *f;

  SAL_TRY(sal_atomic_file_open(t->o->csv, &f));
  fprintf(f, "role,eps,rms,rhs_evaluations,projections,seconds\n");
  csv_eps_row(f, "target", NAN, &t->target, t->o->against != NULL);
  for (int i = 0; i < c->n; ++i) csv_eps_row(f, "scan", c->scan[i].eps, &c->scan[i].measured, true);
  if (c->crossings) {
    csv_eps_row(f, "lower", c->low.eps, &c->low.measured, true);
    csv_eps_row(f, "upper", c->high.eps, &c->high.measured, true);
  }
  return sal_atomic_file_close(t->o->csv, f);
}

static sal_err find_zone(search *t, const sal_setup *against)
{
  const sal_work_precision_study *w = t->w;
  char where[WHERE];

  snprintf(where, sizeof where, "--against: %s", t->o->against ? t->o->against : "");
  SAL_TRY(sal_calibration_target(where, &t->y, t->o->against ? against : NULL,
                                 SAL_CALIBRATE_REPEATS, &t->target));
  SAL_TRY(sal_calibration_find(&t->y, &w->run.setup, t->target.rms, w->least, w->most, w->points,
                               SAL_CALIBRATE_REPEATS, &t->found));
  print_calibration(t);
  return t->o->csv ? write_csv(t) : SAL_OK;
}

static sal_err search_zone(const sal_calibrate_request *o, const sal_work_precision_study *w,
                           const sal_setup *against, int *status)
{
  SAL_OWN_BY(free_search) search t = {.o = o, .w = w, .target = {.rms = o->rms}};

  SAL_TRY(sal_certified_run_create(&w->run.setup, w->run.param, w->run.initial, w->watch, w->n_mesh,
                                   &t.y));
  const double *v = t.y.record.value;
  if (!isfinite(t.y.error))
    return sal_fail(SAL_ERR_INPUT, "the certified trajectory ended at t = %g: %s",
                    v[SAL_METRIC_T_REACHED], sal_metric_outcomes[(int)v[SAL_METRIC_OUTCOME]].what);
  SAL_TRY(find_zone(&t, against));
  *status = t.found.crossings ? 0 : SAL_FINDING_NO_ZONE;
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
  return o->curve ? print_curve(o, &w) : search_zone(o, &w, &against, &call->status);
}

const sal_command_code sal_cmd_calibrate_eps = {
    .table = {{rows, 0}, {sal_cli_run_options, offsetof(sal_calibrate_request, run)}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_calibrate,
    .run = run_calibrate};
