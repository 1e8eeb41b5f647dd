/** @file src/app/calibrate_run.c
 *  A certified trajectory, the error to be reached, and the zone that has it.
 */
#include "calibrate_run.h"
#include "calibrate_print.h"
#include "calibration.h"
#include <math.h>

/* The target's own run, or the number given. */
static sal_err measure_target(const sal_calibrate_request *o, const sal_certified_run *y,
                              const sal_setup *against, sal_certified_measurement *target)
{
  *target = (sal_certified_measurement){.rms = o->rms};
  if (o->against) {
    SAL_TRY(sal_certified_run_measure(y, against, SAL_CALIBRATE_REPEATS, target));
    const sal_outcome end = (sal_outcome)target->record.value[SAL_METRIC_OUTCOME];
    if (!sal_metric_finished(end))
      return sal_fail(SAL_ERR_INPUT, "--against: %s ended at t = %g: %s", o->against,
                      target->record.value[SAL_METRIC_T_REACHED], sal_metric_outcomes[end].what);
  }
  if (!(target->rms > y->error))
    return sal_fail(
        SAL_ERR_INPUT,
        "an RMS error of %.3g cannot be told: the certified trajectory is known to %.3g",
        target->rms, y->error);
  return SAL_OK;
}

static sal_err find_zone(const sal_calibrate_request *o, const sal_work_precision_study *w,
                         const sal_certified_run *y, const sal_setup *against, int *status)
{
  sal_calibration c;
  sal_certified_measurement target;
  sal_calibrate_table table = {
      .run = &w->run, .certified = y, .target = &target, .against = o->against, .found = &c};

  SAL_TRY(measure_target(o, y, against, &target));
  SAL_TRY(sal_calibration_find(y, &w->run.setup, target.rms, w->least, w->most, w->points,
                               SAL_CALIBRATE_REPEATS, &c));
  sal_calibrate_print(&table);
  const sal_err err = o->csv ? sal_calibrate_print_csv(&table, o->csv) : SAL_OK;
  *status = c.crossings ? 0 : SAL_FINDING_NO_ZONE;
  sal_calibration_free(&c);
  return err;
}

sal_err sal_calibrate_run(const sal_calibrate_request *o, const sal_work_precision_study *w,
                          const sal_setup *against, int *status)
{
  sal_certified_run y;

  SAL_TRY(sal_certified_run_create(&w->run.setup, w->run.param, w->run.initial, w->watch, w->n_mesh,
                                   &y));
  const double *v = y.record.value;
  const int e = (int)v[SAL_METRIC_OUTCOME];
  const sal_err err = isfinite(y.error)
                          ? find_zone(o, w, &y, against, status)
                          : sal_fail(SAL_ERR_INPUT, "the certified trajectory ended at t = %g: %s",
                                     v[SAL_METRIC_T_REACHED], sal_metric_outcomes[e].what);
  sal_certified_run_free(&y);
  return err;
}
