/** @file src/app/calibrate_run.h
 *  The search of `saltus calibrate-eps` for a zone.
 */
#ifndef SAL_CALIBRATE_RUN_H
#define SAL_CALIBRATE_RUN_H

#include "calibrate_request.h"

/** Finds the zone with the error of `against`, or the error given, and prints it; *status is 1 when
 *  no zone has it. */
SAL_MUST_CHECK sal_err sal_calibrate_run(const sal_calibrate_request *request,
                                         const sal_work_precision_study *study,
                                         const sal_setup *against, int *status);

#endif
