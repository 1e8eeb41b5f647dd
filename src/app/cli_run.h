/** @file src/app/cli_run.h
 *  What to integrate, as the options of a command line: model, method, strategy and their numbers.
 *
 *  A command that runs single trajectories names sal_cli_run_argp among its argp children, hands it
 * a sal_cli_run_words in ARGP_KEY_INIT, and settles the words after parsing.
 */
#ifndef SAL_CLI_RUN_H
#define SAL_CLI_RUN_H

#include "err.h"
#include "integrate.h"
#include <argp.h>

/** The options as given; strings are borrowed. */
typedef struct {
  const char *model, *method, *strategy, *param, *initial, *jacobian; /* NULL: presets */
  double      rtol, atol; /* atol NaN: the same as rtol */
  double      t_end;
  double      zone, step; /* of the strategies that want them */
  bool        zone_in_gap, every_contact;
} sal_cli_run_words;

/** What holds for options that are not given; a command may begin with other values. */
extern const sal_cli_run_words sal_cli_run_presets;

/** Child parser; its input is a sal_cli_run_words. */
extern const struct argp sal_cli_run_argp;

/** One trajectory to be run. */
typedef struct {
  sal_setup setup;
  double    param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
} sal_cli_run;

/** Checks the words: names are known, numbers in range, method, strategy and model go together; the
 *  message names what is to blame. */
SAL_MUST_CHECK sal_err sal_cli_run_check(const sal_cli_run_words *words, sal_cli_run *run);

#endif
