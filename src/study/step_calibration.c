/** @file src/study/step_calibration.c
 *  Timed runs from a model's preset start.
 */
#include "step_calibration.h"
#include "clock.h"
#include "compatibility.h"
#include "memory.h"
#include "parameter_column.h"
#include <math.h>

enum { FIELDS = 20000, ROUNDS = 5, N_RTOL = 3, MOST_RUNS = 1000 };
static const double tolerances[N_RTOL] = {1e-3, 1e-5, 1e-7};
static const double least_time = 2e-3; /* of what is timed at once: clocks are that good */

double sal_step_calibration_field(const sal_model *model)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE], slope[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD] = {false};
  double best = INFINITY;

  sal_parameter_presets(model, param, initial);
  for (int k = 0; k < ROUNDS; ++k) {
    const double began = sal_clock_cpu();
    sal_model_field_again(model, param, closed, FIELDS, initial, slope);
    best = fmin(best, (sal_clock_cpu() - began) / FIELDS);
  }
  return best;
}

/* CPU time of one run; so many at once that the clock is good for them. */
static double time_runs(const sal_setup *setup, const sal_job *job, int repeats, void *work)
{
  sal_record unused;
  double best = INFINITY;
  int n = 1;

  for (int k = 0; k < repeats;) {
    const double began = sal_clock_cpu();
    for (int i = 0; i < n; ++i) sal_integrate(setup, 1, 1, job, &unused, work);
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

static sal_err measure_at(const sal_setup *setup, const sal_job *job, double field, int repeats,
                          double *step)
{
  sal_record record;
  const double *v = record.value;
  SAL_OWN void *work = sal_alloc(sal_integrate_bytes(setup, 1), 1);

  if (!work) return sal_fail(SAL_ERR_MEMORY, "no memory for a run");
  *step = NAN;
  sal_integrate(setup, 1, 1, job, &record, work);
  if (!sal_metric_finished(v[SAL_METRIC_OUTCOME])) return SAL_OK;
  const double all = time_runs(setup, job, repeats, work),
               tried = v[SAL_METRIC_STEPS] + v[SAL_METRIC_FAILED];
  *step = (all - field * v[SAL_METRIC_RHS]) / tried;
  return SAL_OK;
}

sal_err sal_step_calibration_measure(const sal_model *model, const sal_method *method,
                                     const sal_strategy *strategy, double field, double t_end,
                                     int repeats, double *step)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE], sum = 0;
  char text[SAL_COMPATIBILITY_TEXT];
  sal_setup setup = {.model = model,
                     .method = method,
                     .strategy = strategy,
                     .rtol = tolerances[0],
                     .atol = tolerances[0],
                     .t_end = t_end};
  int n = 0;

  *step = NAN;
  sal_parameter_presets(model, param, initial);
  setup.n_guard = sal_model_guards(model, param);
  if (sal_compatibility_flaw(&setup, text)) return SAL_OK;
  const sal_job job = {.param = param, .initial = initial};
  for (int i = 0; i < N_RTOL; ++i) {
    double one = NAN;
    setup.rtol = setup.atol = tolerances[i];
    SAL_TRY(measure_at(&setup, &job, field, repeats, &one));
    if (!(one > 0)) continue;
    sum += one;
    ++n;
  }
  if (n > 0) *step = sum / n;
  return SAL_OK;
}
