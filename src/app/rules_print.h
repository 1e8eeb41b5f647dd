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
  double                 miss; /* price of a miss by error */
} sal_rules_setting;

/** The head of all questions, and what is printed for each of them. */
void sal_rules_print_head(FILE *out, const sal_performance_table *table,
                          const sal_rules_setting *setting);
void sal_rules_print(FILE *out, const sal_performance_table *table, const sal_question *question,
                     const sal_policy *policy);

/** One object per question; the caller puts what is between them. */
void sal_rules_json_head(FILE *out, const sal_performance_table *table,
                         const sal_rules_setting *setting);
void sal_rules_json(FILE *out, const sal_performance_table *table, const sal_question *question,
                    const sal_policy *policy);

#endif
