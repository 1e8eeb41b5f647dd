/** @file src/app/rules_print.h
 *  Rules as plain if-then text, and as JSON.
 */
#ifndef SAL_RULES_PRINT_H
#define SAL_RULES_PRINT_H

#include "cli_question.h"
#include "policy.h"

/** What the rules were made with. */
typedef struct {
  sal_policy_tree_limits limits;
  double miss; /* price of a miss by error */
  bool by_reader;
  const char *why; /* not, as an addition to a sentence */
} sal_rules_setting;

/** The head of all questions, what is printed for each of them, and the end. */
void sal_rules_print_head(sal_report *report, const sal_performance_table *table,
                          const sal_rules_setting *setting);
void sal_rules_print(sal_report *report, const sal_performance_table *table,
                     const sal_question *question, const sal_policy *policy);
void sal_rules_print_end(sal_report *report);

#endif
