/** Calibrations as text and CSV. */
#include "atomic_file.h"
#include "calibrate_request.h"

static const char *measure_name(const sal_calibrate_table *t)
{
  return t->run->setup.zone_in_time ? "in time" : "in units of the gap";
}

static void print_calibration_head(const sal_calibrate_table *t)
{
  const sal_setup *s = &t->run->setup;
  const int watch = t->certified->watch;

  printf("%s: RMS error of %s over %lld points of [0, %g], itself known to %.2g\n", s->model->name,
         watch == SAL_ALL_STATES ? "all states" : s->model->state[watch].name,
         (long long)t->certified->n_mesh + 1, s->t_end, t->certified->error);
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

static void print_target(const sal_calibrate_table *t)
{
  printf("%-24s %11s %11.6g", t->against ? t->against : "target", "", t->target->rms);
  if (t->against)
    print_costs(&t->target->record);
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

static void print_failure(const sal_calibrate_table *t)
{
  const sal_calibration *c = t->found;
  const sal_calibration_point *least, *most;

  fflush(stdout);
  error_range(c, &least, &most);
  fprintf(stderr,
          "saltus calibrate-eps: no eps from %g to %g reaches an RMS error of %g: ", c->scan[0].eps,
          c->scan[c->n - 1].eps, c->target);
  if (least)
    fprintf(stderr, "%s has from %.3g (eps = %.3g) to %.3g (eps = %.3g)\n",
            t->run->setup.strategy->name, least->measured.rms, least->eps, most->measured.rms,
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

void sal_calibrate_print(const sal_calibrate_table *t)
{
  const sal_calibration *c = t->found;

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

sal_err sal_calibrate_print_csv(const sal_calibrate_table *t, const char *path)
{
  const sal_calibration *c = t->found;
  FILE *f;

  SAL_TRY(sal_atomic_file_open(path, &f));
  fprintf(f, "role,eps,rms,rhs_evaluations,projections,seconds\n");
  csv_eps_row(f, "target", NAN, t->target, t->against != NULL);
  for (int i = 0; i < c->n; ++i) csv_eps_row(f, "scan", c->scan[i].eps, &c->scan[i].measured, true);
  if (c->crossings) {
    csv_eps_row(f, "lower", c->low.eps, &c->low.measured, true);
    csv_eps_row(f, "upper", c->high.eps, &c->high.measured, true);
  }
  return sal_atomic_file_close(path, f);
}
