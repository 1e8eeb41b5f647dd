/** Scan, bracket, bisect. */
#include "calibration.h"
#include "base.h"
#include "scalar_math.h"

static const double final_width = 1e-6; /* of the bracket, relative */
static const double least_jump = 1e-3;  /* of the target */
static const double least_fall = 0.01;  /* from one point of the scan to the next */

static sal_err measure_eps(const sal_certified_run *y, sal_setup config, double eps, int repeats,
                           sal_calibration_point *out)
{
  out->eps = eps;
  config.zone = eps;
  return sal_certified_run_measure(y, &config, repeats, &out->measured);
}

static sal_err scan_eps(const sal_certified_run *y, const sal_setup *config, double least,
                        double most, sal_calibration *c)
{
  const double step = sal_scalar_log(most / least) / (c->n - 1);

  for (int i = 0; i < c->n; ++i) {
    const double eps = i == c->n - 1 ? most : least * sal_scalar_exp(i * step);
    SAL_TRY(measure_eps(y, *config, eps, 0, &c->scan[i]));
  }
  return SAL_OK;
}

static bool above_target(const sal_calibration *c, const sal_calibration_point *p)
{
  return p->measured.rms > c->target;
}

/* The bracket nearest to 0, where the projection is the approximation that it is meant to be. */
static void bracket_target(sal_calibration *c)
{
  for (int i = c->n - 2; i >= 0; --i)
    if (above_target(c, &c->scan[i]) != above_target(c, &c->scan[i + 1])) {
      c->low = c->scan[i];
      c->high = c->scan[i + 1];
      ++c->crossings;
    }
}

static sal_err bisect_bracket(const sal_certified_run *y, const sal_setup *config, int repeats,
                              sal_calibration *c)
{
  while (c->high.eps > c->low.eps * (1 + final_width)) {
    sal_calibration_point middle;
    SAL_TRY(measure_eps(y, *config, sqrt(c->low.eps * c->high.eps), 0, &middle));
    *(above_target(c, &middle) == above_target(c, &c->low) ? &c->low : &c->high) = middle;
  }
  SAL_TRY(measure_eps(y, *config, c->low.eps, repeats, &c->low));
  return measure_eps(y, *config, c->high.eps, repeats, &c->high);
}

sal_err sal_calibration_find(const sal_certified_run *y, const sal_setup *config, double target,
                             double least, double most, int n, int repeats, sal_calibration *c)
{
  *c = (sal_calibration){.target = target, .n = n, .scan = sal_alloc((size_t)n, sizeof *c->scan)};
  if (!c->scan) return sal_fail(SAL_ERR_MEMORY, "no memory for a scan of %d points", n);
  sal_err err = scan_eps(y, config, least, most, c);
  if (err == SAL_OK) bracket_target(c);
  if (err == SAL_OK && c->crossings) err = bisect_bracket(y, config, repeats, c);
  if (err != SAL_OK) sal_calibration_free(c);
  return err;
}

void sal_calibration_free(sal_calibration *c)
{
  sal_free(c->scan);
  *c = (sal_calibration){0};
}

const sal_calibration_point *sal_calibration_best(const sal_calibration *c)
{
  const double low = fabs(sal_scalar_log(c->low.measured.rms / c->target)),
               high = fabs(sal_scalar_log(c->high.measured.rms / c->target));

  return low <= high ? &c->low : &c->high;
}

bool sal_calibration_jumps(const sal_calibration *c)
{
  return !(fabs(c->high.measured.rms - c->low.measured.rms) <= least_jump * c->target);
}

bool sal_calibration_falls(const sal_calibration *c, int *first, int *last)
{
  int i = *first;

  while (i + 1 < c->n &&
         !(c->scan[i + 1].measured.rms < (1 - least_fall) * c->scan[i].measured.rms))
    ++i;
  *first = *last = i;
  while (*last + 1 < c->n &&
         c->scan[*last + 1].measured.rms < (1 - least_fall) * c->scan[*last].measured.rms)
    ++*last;
  return *last > *first;
}

double sal_calibration_limit(const sal_setup *config, const double param[], const double initial[])
{
  double gap[SAL_MAX_GUARD], nearest = INFINITY;

  if (config->zone_in_time) return config->t_end;
  sal_model_gaps(config->model, param, 0, initial, gap);
  for (int k = 0; k < config->n_guard; ++k)
    if (gap[k] != 0) nearest = fmin(nearest, fabs(gap[k]));
  return nearest;
}

sal_err sal_calibration_target(const char *where, const sal_certified_run *certified,
                               const sal_setup *against, int repeats,
                               sal_certified_measurement *target)
{
  if (against) {
    SAL_TRY(sal_certified_run_measure(certified, against, repeats, target));
    const sal_outcome end = (sal_outcome)target->record.value[SAL_METRIC_OUTCOME];
    if (!sal_metric_finished(end))
      return sal_fail(SAL_ERR_INPUT, "%s ended at t = %g: %s", where,
                      target->record.value[SAL_METRIC_T_REACHED], sal_metric_outcomes[end].what);
  }
  if (target->rms > certified->error) return SAL_OK;
  return sal_fail(
      SAL_ERR_INPUT,
      "an RMS error of %.3g cannot be measured: the certified trajectory is known to %.3g",
      target->rms, certified->error);
}
