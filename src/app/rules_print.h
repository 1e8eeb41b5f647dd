/** @file src/app/rules_print.h
 *  Rules as plain if-then text, and as JSON.
 */
#ifndef SAL_RULES_PRINT_H
#define SAL_RULES_PRINT_H

#include "cli_question.h"
#include "rules_policy.h"

/** The head of all questions, what is printed for each of them, and the end. */
void sal_rules_print_head(sal_report *report, const sal_performance_table *table,
                          const sal_rules_policy *rules);
void sal_rules_print(sal_report *report, const sal_performance_table *table,
                     const sal_question *question, const sal_policy *policy);
void sal_rules_print_end(sal_report *report);

#endif
