/** @file src/sweep/step_cost.c
 *  The table of times of steps.
 */
#include "step_cost.h"
#include <math.h>
#include <string.h>

const int sal_step_cost_states[SAL_STEP_COST_SIZES] = {2, 4, 16};

static const struct row {
  const char *method, *strategy;
  double ns[SAL_STEP_COST_SIZES];
} rows[] = {
#define SAL_STEP_COST(method, strategy, ...) {method, strategy, {__VA_ARGS__}},
#define SAL_STEP_MACHINE(text)
#include "step_costs.def"
#undef SAL_STEP_COST
#undef SAL_STEP_MACHINE
};

const char sal_step_cost_machine[] =
#define SAL_STEP_COST(method, strategy, ...)
#define SAL_STEP_MACHINE(text) text
#include "step_costs.def"
#undef SAL_STEP_COST
#undef SAL_STEP_MACHINE
    ;

double sal_step_cost_at(const double ns[SAL_STEP_COST_SIZES], int n)
{
  double x[SAL_STEP_COST_SIZES], y[SAL_STEP_COST_SIZES];
  int m = 0, i = 0;

  for (int k = 0; k < SAL_STEP_COST_SIZES; ++k)
    if (ns[k] > 0) {
      x[m] = log(sal_step_cost_states[k]);
      y[m++] = log(1e-9 * ns[k]);
    }
  if (m == 0) return NAN;
  const double at = fmax(log(n), x[0]);
  if (m == 1) return exp(y[0]);
  while (i < m - 2 && at > x[i + 1]) ++i;
  const double power = fmax((y[i + 1] - y[i]) / (x[i + 1] - x[i]), 0);
  return exp(y[i] + power * (at - x[i]));
}

double sal_step_cost(const sal_method *method, const sal_strategy *strategy, int n)
{
  const char *name = strategy->held ? "event" : "switch";

  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(rows[i].method, method->name) == 0 && strcmp(rows[i].strategy, name) == 0)
      return sal_step_cost_at(rows[i].ns, n);
  return NAN;
}

double sal_step_cost_work(const sal_work_weights *weights, double step, const sal_error_metric *by,
                          const sal_record *r)
{
  return weights->seconds * sal_work_of(weights, by, r) +
         step * (r->value[SAL_METRIC_STEPS] + r->value[SAL_METRIC_FAILED]);
}
