/** @file src/app/cli_question.h
 *  The questions that a command asks of all cells of a cube: options, and what they say.
 *
 *  A command that asks them has sal_cli_question_options and sal_cli_performance_options among its
 *  tables, and SAL_CLI_QUESTION_PRESETS among its presets.
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
#define SAL_CLI_QUESTION_PRESETS .tolerance = NAN

/** Rows for a sal_cli_question_words. */
extern const sal_cli_option sal_cli_question_options[];

/** Fails when options do not go together. */
SAL_MUST_CHECK sal_err sal_cli_question_check(const sal_cli_question_words *words);

typedef struct {
  int n;
  bool preset; /* no question was given: those of the error metric */
  sal_question question[SAL_MAX_QUESTION];
} sal_cli_questions;

/** Opens the cube and reads the questions; `out` borrows from the cube, which the caller frees
 *  when this succeeds.  By error no cell is read yet; by points the table is whole. */
SAL_MUST_CHECK sal_err sal_cli_question_open(const char *path, const sal_cli_question_words *words,
                                             const sal_cli_performance_words *table,
                                             sal_performance_cube *cube, sal_cli_questions *out);

/** The failure that no contender answers the question in any cell. */
sal_err sal_cli_question_unanswered(sal_performance_cube *cube, const sal_question *q);

/** "least work for a largest error of zU of 0.0001 m, over [0, 5] s", and as members of the object
 *  that is open. */
void sal_cli_question_print(sal_report *report, const sal_performance_table *table,
                            const sal_question *q);

/** "ode15s with event at rtol 1e-05", to people alone. */
void sal_cli_question_say_contender(const sal_report *report, const sal_sweep *sweep,
                                    int contender);

#endif
