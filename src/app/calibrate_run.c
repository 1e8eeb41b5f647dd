/** A certified trajectory, the error to be reached, and the zone that has it. */
#include "base.h"
#include "calibrate_request.h"

enum { WHERE = 256 };

static sal_err find_zone(const sal_calibrate_request *o, const sal_work_precision_study *w,
                         const sal_certified_run *y, const sal_setup *against, int *status)
{
  SAL_OWN_BY(sal_calibration_free) sal_calibration c = {.n = 0};
  sal_certified_measurement target = {.rms = o->rms};
  char where[WHERE];
  sal_calibrate_table table = {
      .run = &w->run, .certified = y, .target = &target, .against = o->against, .found = &c};

  snprintf(where, sizeof where, "--against: %s", o->against ? o->against : "");
  SAL_TRY(sal_calibration_target(where, y, o->against ? against : NULL, SAL_CALIBRATE_REPEATS,
                                 &target));
  SAL_TRY(sal_calibration_find(y, &w->run.setup, target.rms, w->least, w->most, w->points,
                               SAL_CALIBRATE_REPEATS, &c));
  sal_calibrate_print(&table);
  *status = c.crossings ? 0 : SAL_FINDING_NO_ZONE;
  return o->csv ? sal_calibrate_print_csv(&table, o->csv) : SAL_OK;
}

sal_err sal_calibrate_run(const sal_calibrate_request *o, const sal_work_precision_study *w,
                          const sal_setup *against, int *status)
{
  SAL_OWN_BY(sal_certified_run_free) sal_certified_run y = {.n_mesh = 0};

  SAL_TRY(sal_certified_run_create(&w->run.setup, w->run.param, w->run.initial, w->watch, w->n_mesh,
                                   &y));
  if (isfinite(y.error)) return find_zone(o, w, &y, against, status);
  const double *v = y.record.value;
  return sal_fail(SAL_ERR_INPUT, "the certified trajectory ended at t = %g: %s",
                  v[SAL_METRIC_T_REACHED], sal_metric_outcomes[(int)v[SAL_METRIC_OUTCOME]].what);
}
