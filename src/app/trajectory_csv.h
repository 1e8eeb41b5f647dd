/** @file src/app/trajectory_csv.h
 *  A trajectory as CSV: t, the states, mode (1 while contact 0 is closed), event (empty, or the event's
 *  name; the row then holds the state after it).
 */
#ifndef SAL_TRAJECTORY_CSV_H
#define SAL_TRAJECTORY_CSV_H

#include "trajectory.h"

/** Writes it to `path`, which appears when it is complete; units: columns are called "y1 [m]", those without a unit by
 *  their names alone. */
SAL_MUST_CHECK sal_err sal_trajectory_csv(const char *path, const sal_model *model, bool units,
                                          const sal_trajectory *trajectory);

#endif
