/** @file src/app/plan_giants.h
 *  The giants of a plan's sample, named.
 */
#ifndef SAL_PLAN_GIANTS_H
#define SAL_PLAN_GIANTS_H

#include "giants.h"
#include "report.h"

/** A line each, nothing where there are none; "giants": a list. */
void sal_plan_giants_print(sal_report *report, const sal_sweep *sweep, const sal_giants *giants);

#endif
