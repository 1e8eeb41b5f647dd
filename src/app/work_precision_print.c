/** Work-precision tables. */
#include "atomic_file.h"
#include "base.h"
#include "calibrate_request.h"
#include "compatibility.h"
#include "registry.h"
#include "scalar_math.h"

static const double loosest = 1e-2, tightest = 1e-12; /* tolerances */

/* All configurations, one strategy after the other, and their medians. */
typedef struct {
  int n;
  sal_setup *setup;                /* [n] */
  sal_work_precision_point *point; /* [n] */
} rows;

/* The number that is varied. */
static double varied_value(const sal_setup *s) { return s->strategy->zoned ? s->zone : s->rtol; }

static const char *parameter_of(const sal_setup *s) { return s->strategy->zoned ? "eps" : "rtol"; }

/* Point i of the run of a strategy over its parameter, the loosest first. */
static sal_setup config_at(const sal_work_precision_study *w, const sal_strategy *strategy, int i)
{
  const double along = (double)i / (w->points - 1);
  sal_setup s = w->run.setup;

  s.strategy = strategy;
  s.fixed_step = strategy->fixed ? w->step : 0;
  if (strategy->zoned)
    s.zone = w->most * sal_scalar_pow(w->least / w->most, along);
  else
    s.rtol = s.atol = loosest * sal_scalar_pow(tightest / loosest, along);
  return s;
}

/* Why a strategy does not go with model and method; NULL: it does. */
static const char *flaw_with(const sal_work_precision_study *w, const sal_strategy *s,
                             char text[SAL_COMPATIBILITY_TEXT])
{
  sal_setup setup = w->run.setup;

  setup.strategy = s;
  return sal_compatibility_flaw(&setup, text);
}

static bool takes_part(const sal_work_precision_study *w, const sal_strategy *s)
{
  char text[SAL_COMPATIBILITY_TEXT];

  return (!w->one_strategy || s == w->run.setup.strategy) && !flaw_with(w, s, text);
}

static void list_configs(const sal_work_precision_study *w, rows *r)
{
  for (const sal_strategy *const *s = sal_registry_strategies; *s; ++s)
    for (int i = 0; takes_part(w, *s) && i < w->points; ++i) r->setup[r->n++] = config_at(w, *s, i);
}

static sal_err measure_configs(const sal_work_precision_study *w, const rows *r, int *used)
{
  const sal_model *m = w->run.setup.model;
  const int n = w->n_start ? w->n_start : 1;
  SAL_OWN double *start = sal_alloc((size_t)n * (size_t)m->n_state, sizeof *start);

  if (!start) return sal_fail(SAL_ERR_MEMORY, "no memory for %d starts", n);
  memcpy(start, w->run.initial, (size_t)m->n_state * sizeof *start);
  for (int i = 0; i < w->n_start; ++i) {
    double *y = start + (int64_t)i * m->n_state;
    sal_work_precision_start(m, w->given, w->seed, i, y);
    if (m->begin) m->begin(m->inner, w->run.param, y);
  }
  return sal_work_precision_run(r->n, r->setup, w->run.param, n, start, w->watch, w->n_mesh,
                                w->repeats, r->point, used);
}

static void print_config(const sal_setup *s, const sal_work_precision_point *p)
{
  printf("%-12s %-9s %10.3g %10.3g %11.5g %12.3g", s->strategy->name, parameter_of(s),
         varied_value(s), p->rms, p->rhs, p->seconds);
  if (p->failed) printf("  %d ended early", p->failed);
  printf("\n");
}

/* Number of the row with the fewest evaluations of f among those with an error of at most `error`;
 * -1: none. */
static int cheapest_row(const rows *r, double error)
{
  int best = -1;

  for (int i = 0; i < r->n; ++i)
    if (r->point[i].rms <= error && (best < 0 || r->point[i].rhs < r->point[best].rhs)) best = i;
  return best;
}

static void print_cheapest(const rows *r)
{
  enum { MOST = 0, LEAST = -12 };

  printf("\nfewest evaluations of f for an error of at most\n");
  for (int d = MOST; d >= LEAST; --d) {
    const int i = cheapest_row(r, sal_scalar_pow(10, d));
    if (i < 0 || (d > LEAST && i == cheapest_row(r, sal_scalar_pow(10, d - 1))))
      continue; /* say it once */
    printf("%12.0e  %s, %s %.3g: %.5g\n", sal_scalar_pow(10, d), r->setup[i].strategy->name,
           parameter_of(&r->setup[i]), varied_value(&r->setup[i]), r->point[i].rhs);
  }
}

static void print_study_head(const sal_work_precision_study *w, int used)
{
  const sal_setup *s = &w->run.setup;
  char text[SAL_COMPATIBILITY_TEXT];

  printf("%s with %s: RMS error of %s over %lld points of [0, %g]", s->model->name, s->method->name,
         w->watch == SAL_ALL_STATES ? "all states" : s->model->state[w->watch].name,
         (long long)w->n_mesh + 1, s->t_end);
  if (w->n_start) printf(", medians over %d start%s", used, sal_text_plural(used));
  printf("\neps: half-width of the zone %s; with it, steps of %g or rtol %g\n",
         s->zone_in_time ? "in time" : "in units of the gap", w->step, s->rtol);
  if (used < w->n_start)
    printf("%d of %d starts left out: their certified trajectories ended early\n",
           w->n_start - used, w->n_start);
  for (const sal_strategy *const *k = sal_registry_strategies; !w->one_strategy && *k; ++k) {
    const char *flaw = flaw_with(w, *k, text);
    if (flaw) printf("left out: %s\n", flaw);
  }
}

static void print_configs(const rows *r)
{
  printf("\n%-12s %-9s %10s %10s %11s %12s\n", "strategy", "parameter", "value", "RMS",
         "evals of f", "CPU time [s]");
  for (int i = 0; i < r->n; ++i) {
    if (i > 0 && r->setup[i].strategy != r->setup[i - 1].strategy) printf("\n");
    print_config(&r->setup[i], &r->point[i]);
  }
  print_cheapest(r);
}

static sal_err write_work_precision(const char *path, const rows *r)
{
  FILE *f;

  SAL_TRY(sal_atomic_file_open(path, &f));
  fprintf(f, "strategy,solver,parameter,value,rms,rhs_evaluations,seconds,ended_early\n");
  for (int i = 0; i < r->n; ++i)
    fprintf(f, "%s,%s,%s,%.17g,%.17g,%.17g,%.17g,%d\n", r->setup[i].strategy->name,
            r->setup[i].method->name, parameter_of(&r->setup[i]), varied_value(&r->setup[i]),
            r->point[i].rms, r->point[i].rhs, r->point[i].seconds, r->point[i].failed);
  return sal_atomic_file_close(path, f);
}

static sal_err run_and_print(const sal_work_precision_study *w, const char *csv, rows *r)
{
  int used = 0;

  list_configs(w, r);
  SAL_TRY(measure_configs(w, r, &used));
  if (used == 0)
    return sal_fail(SAL_ERR_INPUT, "no start has a certified trajectory that reaches t = %g",
                    w->run.setup.t_end);
  print_study_head(w, used);
  print_configs(r);
  return csv ? write_work_precision(csv, r) : SAL_OK;
}

sal_err sal_work_precision_print(const sal_work_precision_study *w, const char *csv)
{
  size_t n = 0;

  for (const sal_strategy *const *s = sal_registry_strategies; *s; ++s) n += (size_t)w->points;
  SAL_OWN sal_setup *setup = sal_alloc(n, sizeof *setup);
  SAL_OWN sal_work_precision_point *point = sal_alloc(n, sizeof *point);
  rows r = {.setup = setup, .point = point};
  return setup && point ? run_and_print(w, csv, &r)
                        : sal_fail(SAL_ERR_MEMORY, "no memory for %zu configurations", n);
}
