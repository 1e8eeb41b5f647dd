/** @file src/study/step_calibration.h
 *  Overhead of a step beside its evaluations of f, measured: CPU time of runs less that of so many
 *  evaluations, over all steps that were tried; in lanes both are of each trajectory.
 */
#ifndef SAL_STEP_CALIBRATION_H
#define SAL_STEP_CALIBRATION_H

#include "err.h"
#include "integrate.h"

/** The time of one evaluation of f at the model's preset start [s], the least of several, where `lanes` are
 *  evaluated at once. */
double sal_step_calibration_field(const sal_model *model, int lanes);

/** A combination to be timed. */
typedef struct {
  const sal_model *model;
  const sal_method *method;
  const sal_strategy *strategy;
  int lanes;
  double field; /* sal_step_calibration_field */
  double t_end;
  int repeats;
} sal_step_calibration;

/** The time of a tried step [s], mean over three tolerances, of the least of `repeats` timings of runs to t_end, whose starts
 *  lie about the model's preset one, so that lanes do not all do the same.  NaN where the strategy cannot drive the solver, or
 *  no run comes to its end.  Fails for want of memory alone. */
SAL_MUST_CHECK sal_err sal_step_calibration_measure(const sal_step_calibration *of, double *step);

#endif
