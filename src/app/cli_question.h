/** @file src/app/cli_question.h
 *  The question that a command answers from a cube: checks of its options, and its printed form.
 */
#ifndef SAL_CLI_QUESTION_H
#define SAL_CLI_QUESTION_H

#include "cli_performance.h"
#include "report.h"

/** The options as given; strings are borrowed, NULL or NaN: not given. */
typedef struct {
  const char *error, *weights;
  double tolerance;
} sal_cli_question_words;

/** Fails when options do not go together. */
SAL_MUST_CHECK sal_err sal_cli_question_check(const sal_cli_question_words *words);

/** "least work for a largest error of zU of 0.0001 m, over [0, 5] s", and as members of the object
 *  that is open. */
void sal_cli_question_print(sal_report *report, const sal_performance_table *table,
                            const sal_question *q);

#endif
