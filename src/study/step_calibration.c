/** Timed runs from starts about a model's preset one. */
#include "base.h"
#include "calibration.h"
#include "clock.h"
#include "compatibility.h"
#include "parameter_column.h"
#include "scramble.h"

enum { FIELDS = 20000, ROUNDS = 5, N_RTOL = 3, MOST_RUNS = 1000, JOBS_A_LANE = 4, JOBS = 32 };
static const double tolerances[N_RTOL] = {1e-3, 1e-5, 1e-7};
static const double least_time = 2e-3; /* of what is timed at once: clocks are that good */
static const double spread = 0.1;      /* of starts, relative */

double sal_step_calibration_field(const sal_model *model, int lanes)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE], slope[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD] = {false};
  double best = INFINITY;

  sal_parameter_presets(model, param, initial);
  for (int k = 0; k < ROUNDS; ++k) {
    const double began = sal_clock_cpu();
    sal_integrate_field(model, lanes, param, closed, FIELDS, initial, slope);
    best = fmin(best, (sal_clock_cpu() - began) / FIELDS / lanes);
  }
  return best;
}

/** Runs that are timed together. */
typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[JOBS][SAL_MAX_STATE];
  int n;
  sal_job job[JOBS];
  sal_record record[JOBS];
  sal_setup setup;
  int lanes;
  void *work;
} timed_runs;

/* A number from -1/2 to 1/2 for each start and state. */
static double wobble(int job, int state)
{
  const double most = 1ULL << 53;

  return (double)(sal_scramble((uint64_t)job * SAL_MAX_STATE + (uint64_t)state) >> 11) / most - 0.5;
}

/* Engines take one run at a time, and long over it. */
static void fill_jobs(const sal_step_calibration *of, timed_runs *r)
{
  const sal_model *m = of->model;

  r->n = of->method->engine ? 1 : JOBS_A_LANE * of->lanes;
  sal_parameter_presets(m, r->param, r->initial[0]);
  for (int j = r->n; j-- > 0;) {
    for (int i = 0; i < m->n_state; ++i)
      r->initial[j][i] = r->initial[0][i] * (1 + (j > 0 ? spread * wobble(j, i) : 0));
    r->job[j] = (sal_job){.param = r->param, .initial = r->initial[j]};
  }
}

/* At once, or one after the other: several in one call would share a lane's time. */
static void run_all(timed_runs *r)
{
  const int at_once = r->lanes > 1 ? r->n : 1;

  for (int j = 0; j < r->n; j += at_once)
    sal_integrate(&r->setup, r->lanes, at_once, r->job + j, r->record + j, r->work);
}

/* CPU time of all of them; so many times over that the clock is good for them. */
static double time_runs(timed_runs *r, int repeats)
{
  double best = INFINITY;
  int n = 1;

  for (int k = 0; k < repeats;) {
    const double began = sal_clock_cpu();
    for (int i = 0; i < n; ++i) run_all(r);
    const double took = sal_clock_cpu() - began;
    if (took < least_time && n < MOST_RUNS) {
      n *= 2;
      continue;
    }
    best = fmin(best, took / n);
    ++k;
  }
  return best;
}

static double measure_at(const sal_step_calibration *of, timed_runs *r, double tolerance)
{
  double evaluations = 0, tried = 0;

  r->setup.rtol = r->setup.atol = tolerance;
  run_all(r);
  for (int j = 0; j < r->n; ++j) {
    const double *v = r->record[j].value;
    if (!sal_metric_finished(v[SAL_METRIC_OUTCOME])) return NAN;
    evaluations += v[SAL_METRIC_RHS];
    tried += v[SAL_METRIC_STEPS] + v[SAL_METRIC_FAILED];
  }
  return (time_runs(r, of->repeats) - of->field * evaluations) / tried;
}

sal_err sal_step_calibration_measure(const sal_step_calibration *of, double *step)
{
  SAL_OWN timed_runs *r = sal_alloc(1, sizeof *r);
  char text[SAL_COMPATIBILITY_TEXT];
  double sum = 0;
  int n = 0;

  *step = NAN;
  if (!r) return sal_fail(SAL_ERR_MEMORY, "no memory for runs");
  fill_jobs(of, r);
  r->lanes = of->lanes;
  r->setup = (sal_setup){.model = of->model,
                         .method = of->method,
                         .strategy = of->strategy,
                         .rtol = tolerances[0],
                         .atol = tolerances[0],
                         .t_end = of->t_end,
                         .n_guard = sal_model_guards(of->model, r->param)};
  if (sal_compatibility_flaw(&r->setup, text)) return SAL_OK;
  SAL_OWN void *work = sal_alloc(sal_integrate_bytes(&r->setup, of->lanes), 1);
  if (!work) return sal_fail(SAL_ERR_MEMORY, "no memory for a run");
  r->work = work;
  const int n_rtol = of->method->captures ? 1 : N_RTOL; /* its steps are all alike */
  for (int i = 0; i < n_rtol; ++i) {
    const double one = measure_at(of, r, tolerances[i]);
    if (!(one > 0)) continue;
    sum += one;
    ++n;
  }
  if (n > 0) *step = sum / n;
  return SAL_OK;
}
