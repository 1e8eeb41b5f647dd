/** @file src/app/branch_start.h
 *  Where a continuation begins: an orbit that is looked for, or a point of a stored branch.
 */
#ifndef SAL_BRANCH_START_H
#define SAL_BRANCH_START_H

#include "branch.h"
#include "cli_run.h"

/** Start of a branch. */
typedef struct {
  sal_cli_run run; /* setup and parameters; initial: a state on the section */
  int returns;
  sal_branch_type type; /* of the stored point; REGULAR for an orbit that was looked for */
  int label;
  bool given[SAL_MAX_PARAM]; /* parameters whose values were asked for */
} sal_branch_start;

/** FILE:LABEL of a branch: its model, parameters and state; words->param may change parameters then,
 *  words->model has to be the same.  run is filled by sal_cli_run_check before. */
SAL_MUST_CHECK sal_err sal_branch_start_read(const char *file_and_label,
                                             const sal_cli_run_words *words, sal_branch_start *out);

/** Reads the words; guess NULL: none. */
SAL_MUST_CHECK sal_err sal_branch_start_prepare(const sal_cli_run_words *words, const char *guess,
                                                sal_branch_start *out);
/** Then looks for the orbit as `saltus orbit` does, at the parameters of out->run: from a guess on the
 *  section, or by simulation.  returns: 0 for what the simulation finds. */
SAL_MUST_CHECK sal_err sal_branch_start_find(const char *guess, int returns, sal_branch_start *out);

#endif
