/** @file src/app/cli_question.h
 *  The questions that a command asks of all cells of a cube: options, and what they say.
 *
 *  A command that asks them names sal_cli_question_argp and sal_cli_performance_argp
 * (cli_performance.h) among its argp children.
 */
#ifndef SAL_CLI_QUESTION_H
#define SAL_CLI_QUESTION_H

#include "cli_performance.h"
#include <stdio.h>

/** The options as given; strings are borrowed, NULL or NaN: not given. */
typedef struct {
  const char *error, *weights;
  double      tolerance;
} sal_cli_question_words;

/** Child parser; its input is a sal_cli_question_words, which it empties first. */
extern const struct argp sal_cli_question_argp;

typedef struct {
  int          n;
  bool         preset; /* no question was given: the errors of sal_map_presets */
  sal_question question[SAL_MAX_QUESTION];
} sal_cli_questions;

/** Opens the cube and checks the questions; `out` borrows from the cube, which the caller frees
 *  when this succeeds. */
SAL_MUST_CHECK sal_err sal_cli_question_open(const char *path, const sal_cli_question_words *words,
                                             const sal_performance_words *table,
                                             sal_performance_cube *cube, sal_cli_questions *out);

/** The failure that no contender answers the question in any cell. */
sal_err sal_cli_question_unanswered(const char *path, const sal_performance_table *table,
                                    const sal_question *q);

/** "least work for a largest error of 0.0001, over [0, 50]" */
void sal_cli_question_print(FILE *out, const sal_performance_table *table, const sal_question *q);
/** The same as members of a JSON object, without its braces. */
void sal_cli_question_json(FILE *out, const sal_performance_table *table, const sal_question *q);

/** Of a contender: "ode15s with event at a tolerance of 1e-05", and as members of a JSON object. */
void sal_cli_question_print_contender(FILE *out, const sal_sweep *sweep, int contender);
void sal_cli_question_json_contender(FILE *out, const sal_sweep *sweep, int contender);

/** A member of a JSON object behind another one; JSON has no NaN, it is null. */
void sal_json_number(FILE *out, const char *name, double x);

#endif
