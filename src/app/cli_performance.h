/** Options that select how a cube is read for answers, and the question of a command, checked and printed.
 */
#pragma once

#include "cli_option.h"
#include "performance_cube.h"
#include "report.h"

/** The options as given; strings are borrowed, NULL: all, or presets. */
typedef struct {
  sal_performance_winners winners; /* its head is not used */
  const char *points;              /* scope: global or per-cell */
  const char *duration;            /* what SD is: work or time */
} sal_cli_performance_words;

/** Rows for a sal_cli_performance_words, all NULL without options. */
extern const sal_cli_option sal_cli_performance_options[];

/** Returns the chooser to open a cube with; borrows the words. */
sal_performance_chooser sal_cli_performance_chooser(const sal_cli_performance_words *words);

/** An asked tolerance: the number of one that the sweep has. */
sal_err sal_cli_performance_tolerance(const sal_sweep *sweep, double wanted, int *tolerance);

/** An asked error: a number above 0 in the unit of such errors, or with another unit of their kind, "1mm".
 *  Without a table only the spelling is checked. */
sal_err sal_cli_performance_error(const char *text, const sal_performance_table *of, double *error);
/** "1e-2,1e-4": error [SAL_MAX_QUESTION], none of them twice. */
sal_err sal_cli_performance_errors(const char *list, const sal_performance_table *of, int *n,
                                   double error[]);

/* The question that a command answers from a cube: checks of its options, and its printed form. */

/** The options as given; strings are borrowed, NULL or NaN: not given. */
typedef struct {
  const char *error, *weights;
  double tolerance;
} sal_cli_question_words;

/** Fails when options do not go together. */
sal_err sal_cli_question_check(const sal_cli_question_words *words);

/** "least work for a largest error of zU of 0.0001 m, over [0, 5] s", and as members of the object
 *  that is open. */
void sal_cli_question_print(sal_report *report, const sal_performance_table *table,
                            const sal_question *q);
