/** @file src/app/spent_text.h
 *  Work in words: a number of evaluations of f, or a time where one of these was given.
 */
#ifndef SAL_SPENT_TEXT_H
#define SAL_SPENT_TEXT_H

#include "performance_table.h"
#include "report.h"
#include "step_cost.h"

enum { SAL_SPENT_TEXT = 32 };

/** "1234", or "0.8 ms": four significant digits, of times three. */
const char *sal_spent_text(const sal_performance_table *table, double work,
                           char text[SAL_SPENT_TEXT]);

/** Time of one evaluation of f: members `f_costs` in s, null where work is in evaluations, `lanes` and `steps_of` (a machine), and a
 *  sentence. */
void sal_spent_text_put(sal_report *report, const sal_performance_table *table);

#endif
