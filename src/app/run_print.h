/** @file src/app/run_print.h
 *  Messages of a run to its user besides its progress, on stderr.
 */
#ifndef SAL_RUN_PRINT_H
#define SAL_RUN_PRINT_H

#include "run_sweep.h"
#include <stdio.h>

/** Journals, and the machines that their cells come of. */
#define SAL_RUN_PRINT_MACHINES                                                                     \
  "%s: the cells come of machines whose last digits may differ (--same-cpu refuses them): %s\n"

/** Prints all events, and at the end the table of the ranks; a callback of sal_run_options. */
void sal_run_print(sal_run_event event, const sal_run_news *news);
/** The same without the table and the line at the end. */
void sal_run_print_begin(sal_run_event event, const sal_run_news *news);

/** The table at its end, where the time of each rank went: use [n], a line for each of the first ranks,
 *  the sums, the imbalance. */
void sal_run_report_print(FILE *out, int n, const sal_run_use use[]);

#endif
