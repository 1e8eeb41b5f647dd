/** @file src/app/here_print.h
 *  Attempts of a schedule that were run at the point itself, each beside its check.
 */
#ifndef SAL_HERE_PRINT_H
#define SAL_HERE_PRINT_H

#include "ask.h"
#include "report.h"

/** By sal_check_verdict: "hit", "miss", "unknown". */
extern const char *const sal_here_verdicts[];

/** Prints a line for each attempt, and the members `estimated_error`, that of the answer, null where no run has shown it, and
 *  `here`; neither where no attempt was to be run. */
void sal_here_print(sal_report *report, const sal_advice *advice);

#endif
