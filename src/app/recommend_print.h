/** @file src/app/recommend_print.h
 *  An answer at a point, with all that is known of it.
 */
#ifndef SAL_RECOMMEND_PRINT_H
#define SAL_RECOMMEND_PRINT_H

#include "ask.h"
#include "report.h"

/** Without an answer only JSON is printed: people get the message of sal_ask. */
void sal_recommend_print(sal_report *report, const sal_advice *advice);

/** Below that: what is written in a program (solver_home.h), and which of its solvers were not measured. */
void sal_recommend_print_home(sal_report *report, const sal_advice *point, int home);

#endif
