/** Works of stopped runs, from those at looser tolerances. */
#include "config.h"
#include "performance_table.h"
#include "scalar_math.h"

static const double half_done = 2;

/* A run that ended. */
typedef struct {
  double tolerance, work; /* 0: none */
} ended;

/* Finds the two tightest runs of a pair in a cell that ended at looser tolerances: near, and one before it. */
static void find_ended(const sal_performance_table *a, int64_t cell, int pair, double tolerance,
                       ended *near, ended *before)
{
  const sal_sweep *s = a->sweep;
  const int64_t pairs = sal_config_pairs(s);

  *near = *before = (ended){0, 0};
  for (int t = 0; t < s->n_tolerance; ++t) {
    const int64_t at = cell * a->n_config + t * pairs + pair;
    const ended run = {s->tolerance[t], a->work[at]};
    if (run.tolerance <= tolerance || !isfinite(a->error[at])) continue;
    if (near->work == 0 || run.tolerance < near->tolerance) {
      *before = *near;
      *near = run;
    } else if (before->work == 0 || run.tolerance < before->tolerance) {
      *before = run;
    }
  }
}

double sal_full_work_of(const sal_performance_table *a, int64_t cell, int config)
{
  const double done = a->work[cell * a->n_config + config],
               tolerance = sal_config_tolerance(a->sweep, config);
  ended near, before;

  find_ended(a, cell, config % sal_config_pairs(a->sweep), tolerance, &near, &before);
  if (near.work == 0) return half_done * done;
  const sal_method *m = sal_config_solver(a->sweep, config);
  double power = 1.0 / (m->order + 1);
  if (before.work > 0)
    power =
        sal_scalar_log(near.work / before.work) / sal_scalar_log(before.tolerance / near.tolerance);
  power = fmax(0, fmin(power, 1.0 / (m->min_order + 1)));
  return fmax(done, near.work * sal_scalar_pow(near.tolerance / tolerance, power));
}
