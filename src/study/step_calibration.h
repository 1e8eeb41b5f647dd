/** @file src/study/step_calibration.h
 *  What a step takes beside its evaluations of f, measured: CPU time of runs at width 1 less that of
 *  so many evaluations, over all steps that were tried.
 */
#ifndef SAL_STEP_CALIBRATION_H
#define SAL_STEP_CALIBRATION_H

#include "err.h"
#include "integrate.h"

/** The time of one evaluation of f at the model's preset start [s], the least of several. */
double sal_step_calibration_field(const sal_model *model);

/** The time of a tried step [s], mean over three tolerances, of the least of `repeats` runs from the model's preset
 *  start to t_end; field: sal_step_calibration_field.  NaN where the strategy cannot drive the solver or
 *  no run comes to its end.  Fails for want of memory alone. */
SAL_MUST_CHECK sal_err sal_step_calibration_measure(const sal_model *model,
                                                    const sal_method *method,
                                                    const sal_strategy *strategy, double field,
                                                    double t_end, int repeats, double *step);

#endif
