/** @file src/app/plan_giants.h
 *  The giants of a plan's sample, named.
 */
#ifndef SAL_PLAN_GIANTS_H
#define SAL_PLAN_GIANTS_H

#include "giants.h"
#include "json.h"
#include <stdio.h>

/** Prints nothing where there are none. */
void sal_plan_giants_print(FILE *out, const sal_sweep *sweep, const sal_giants *giants);
/** "giants": a list, empty where there are none. */
void sal_plan_giants_json(sal_json *json, const sal_sweep *sweep, const sal_giants *giants);

#endif
