/** The table of errors. */
#include "error_metric.h"
#include "base.h"

static double tolerance_of_orbits(const sal_long_run *orbit) { return orbit->tolerance; }

#define AGAINST_REFERENCE                                                                          \
  .count = {SAL_METRIC_RHS, SAL_METRIC_JACOBIANS, SAL_METRIC_FACTORISATIONS, SAL_METRIC_SOLVES},   \
  .trajectory = true, .known = sal_metric_finished, .known_by = SAL_CELL_REFERENCE_OUTCOME,        \
  .truth_error = SAL_CELL_REFERENCE_ERROR_WATCHED, .reached = "reached the end",                   \
  .nowhere = "errors against a reference that reached the end"
#define AGAINST_ORBIT                                                                              \
  .partial = -1, .count = {SAL_METRIC_MULTIPLIER_RHS, -1, -1, -1}, .known = sal_metric_has_cycle,  \
  .known_by = SAL_CELL_VERDICT, .truth_error = SAL_CELL_RESIDUAL,                                  \
  .truth_least = tolerance_of_orbits, .key = "orbit: {find: [cycles]}"

/* Runs for a multiplier count all their work in evaluations of f.  The accuracy of a true multiplier is
 * limited by the closure of its orbit and the tolerance of its integrations.  A largest error of the
 * reference bounds that at the end, and over t_end that of an integral. */
const sal_error_metric sal_error_metrics[] = {
    {.error = SAL_METRIC_MAX_ERROR,
     .partial = SAL_METRIC_MAX_ERROR_PARTIAL,
     AGAINST_REFERENCE,
     .what = "a largest error",
     .scale = "largest error",
     .label = "error",
     .preset = {1e-2, 1e-4, 1e-6}},
    {.error = SAL_METRIC_MULTIPLIER_ERROR,
     AGAINST_ORBIT,
     .what = "an error of the leading multiplier",
     .scale = "error of the leading multiplier",
     .label = "multiplier error",
     .over = "over a period of the orbit",
     .nowhere = "multipliers of an orbit",
     .reached = "gave a multiplier",
     .preset = {1e-4, 1e-6, 1e-8}},
    {.error = SAL_METRIC_IAE,
     .partial = -1,
     AGAINST_REFERENCE,
     .over_time = true,
     .what = "an integral of the absolute error",
     .scale = "integral of the absolute error",
     .label = "integral",
     .preset = {1e-1, 1e-3, 1e-5}},
    {.error = SAL_METRIC_END_ERROR,
     .partial = -1,
     AGAINST_REFERENCE,
     .what = "an error at the end",
     .scale = "error at the end",
     .label = "end error",
     .preset = {1e-2, 1e-4, 1e-6}},
    {.error = SAL_METRIC_PERIOD_ERROR,
     AGAINST_ORBIT,
     .what = "an error of the period",
     .scale = "error of the period",
     .label = "period error",
     .over = "over a period of the orbit with its multipliers",
     .nowhere = "periods of an orbit that are not given by the model",
     .reached = "came back",
     .preset = {1e-4, 1e-6, 1e-8}},
    {.what = NULL}};

_Static_assert(sizeof sal_error_metrics / sizeof *sal_error_metrics - 1 <= SAL_MAX_ERROR_METRIC,
               "a list has room for all names");

const char *sal_error_metric_name(const sal_error_metric *m) { return sal_metrics[m->error].name; }

const sal_error_metric *sal_error_metric_named(const char *name)
{
  for (const sal_error_metric *m = sal_error_metrics; m->what; ++m)
    if (strcmp(sal_error_metric_name(m), name) == 0) return m;
  return NULL;
}

int sal_error_metric_names(const char *names[SAL_MAX_ERROR_METRIC + 1])
{
  int n = 0;

  for (const sal_error_metric *m = sal_error_metrics; m->what; ++m)
    names[n++] = sal_error_metric_name(m);
  names[n] = NULL;
  return n;
}

const char *sal_error_metric_capture_flaw(const sal_error_metric *m, const sal_model *model)
{
  if (!m->trajectory)
    return "time stepping (moreau) has no flow whose derivatives orbits and multipliers need";
  if (m->error == SAL_METRIC_MAX_ERROR && !model->velocity[model->watch])
    return "the largest error of a velocity does not converge by time stepping (moreau), since "
           "impacts are off by parts of a step: map by integral_absolute_error";
  return NULL;
}

double sal_error_metric_truth(const sal_error_metric *m, const sal_long_run *orbit, double t_end,
                              const sal_cell_record *cell)
{
  const double error = cell->value[m->truth_error] * (m->over_time ? t_end : 1),
               least = m->truth_least ? m->truth_least(orbit) : 0;

  if (!m->known(cell->value[m->known_by])) return INFINITY;
  return error < least ? least : error;
}
