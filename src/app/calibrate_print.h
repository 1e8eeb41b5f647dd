/** @file src/app/calibrate_print.h
 *  A calibration as a table, and as a CSV file.
 */
#ifndef SAL_CALIBRATE_PRINT_H
#define SAL_CALIBRATE_PRINT_H

#include "calibration.h"
#include "cli_run.h"

/** The figures to be printed; borrowed. */
typedef struct {
  const sal_cli_run *run; /* the configuration whose zone is calibrated */
  const sal_certified_run *certified;
  const sal_certified_measurement *target; /* its record counts when `against` is given */
  const char *against; /* the configuration that sets the target; NULL: a number does */
  const sal_calibration *found;
} sal_calibrate_table;

/** Prints it to stdout, or on stderr why nothing was found. */
void sal_calibrate_print(const sal_calibrate_table *table);

/** One row per point: role (target, scan, lower, upper), eps, RMS error, evaluations of f,
 *  projections, CPU time; empty where a figure is not known. */
SAL_MUST_CHECK sal_err sal_calibrate_print_csv(const sal_calibrate_table *table, const char *path);

#endif
