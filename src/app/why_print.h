/** @file src/app/why_print.h
 *  Why an answer is what it is: stiffness, events, how surely it leads, and what stops the other solvers.
 */
#ifndef SAL_WHY_PRINT_H
#define SAL_WHY_PRINT_H

#include "ask.h"
#include "report.h"

/** Prints it below an answer, and the member `why`, from what is in the cube. */
SAL_MUST_CHECK sal_err sal_why_print(sal_report *report, const sal_advice *advice);

/* Parts of it. */

/** The confidence of the answer beside its runner-up; without one nothing. */
void sal_why_print_confidence(const sal_report *report, const sal_advice *advice);
/** Work of each of the other solvers, with the reason: the member `others`. */
SAL_MUST_CHECK sal_err sal_why_print_others(sal_report *report, const sal_advice *advice);

#endif
