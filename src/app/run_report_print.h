/** @file src/app/run_report_print.h
 *  The table at the end of a run: where the time of each rank went.
 */
#ifndef SAL_RUN_REPORT_PRINT_H
#define SAL_RUN_REPORT_PRINT_H

#include "run_report.h"
#include <stdio.h>

/** use [n]: a line for each of the first ranks, the sums, the imbalance. */
void sal_run_report_print(FILE *out, int n, const sal_run_use use[]);

#endif
