/** `saltus continue`: its request as a continuation that can be run, its first orbit, and the file of a branch.
 */
#pragma once

#include "cli_run.h"
#include "walk.h"

/* Where a continuation begins: an orbit that is looked for, or a point of a stored branch. */

/** Start of a branch. */
typedef struct {
  sal_cli_run run; /* setup and parameters; initial: a state on the section */
  int returns;
  sal_branch_type type; /* of the stored point; REGULAR for an orbit that was looked for */
  int label;
  bool given[SAL_MAX_PARAM]; /* parameters whose values were asked for */
  int n_param;               /* with options */
  double along[SAL_MAX_PARAM + SAL_MAX_OPTION +
               SAL_MAX_STATE]; /* of a stored point: the branch's direction there */
} sal_branch_start;

/** FILE:LABEL of a branch: its model, parameters and state; words->param may change parameters then,
 *  words->model has to be the same.  run is filled by sal_cli_run_check before. */
sal_err sal_branch_start_read(const char *file_and_label, const sal_cli_run_words *words,
                              sal_branch_start *out);

/** Reads the words; guess NULL: none. */
sal_err sal_branch_start_prepare(const sal_cli_run_words *words, const char *guess,
                                 sal_branch_start *out);
/** Then looks for the orbit as `saltus orbit` does, at the parameters of out->run: from a guess on the
 *  section, or by simulation.  returns: 0 for what the simulation finds. */
sal_err sal_branch_start_find(const char *guess, int returns, sal_branch_start *out);

/* ---- A branch as HDF5. ---- */

/** Value of the attribute `content` of the file. */
#define SAL_BRANCH_CONTENT "saltus branch"

/** How it was made; all borrowed. */
typedef struct {
  const sal_branch *branch;
  const sal_continuation *how;
  const sal_setup *setup;
  const double *param;
  int returns, n_free;
  const int *free_param;  /* [n_free] */
  const char *curve;      /* "branch", "lp", .. */
  const char *model_text; /* of a model that no registry has; NULL */
} sal_branch_record;

sal_err sal_branch_write(const char *path, const sal_branch_record *record);

/* ---- continue request ---- */

/** The options as given; strings are borrowed, NULL and NaN: not given. */
typedef struct {
  sal_cli_run_words run;
  const char *in[SAL_BRANCH_PARAMS], *guess, *restart, *mark, *stop, *out;
  double from[SAL_BRANCH_PARAMS], to[SAL_BRANCH_PARAMS], ds, ds_min, ds_max;
  int64_t returns, points;
  sal_continuation_way way;
  sal_fixed curve;
  bool switches, force;
} sal_continue_words;

/** A continuation with all it points to; made by sal_continue_request_create, freed by
 *  sal_continue_request_free, also after a failure.  It does not move. */
typedef struct {
  sal_branch_start start;
  /* beside: of the map with half as many returns, of a doubling, or of the one that does not notice a grazing */
  sal_cycle_family family, beside;
  sal_continuation c;
  int n_free, free_param[SAL_BRANCH_PARAMS], number;
  double x[SAL_MAX_STATE], direction[SAL_MAX_STATE + SAL_BRANCH_PARAMS];
  sal_walk_user user[SAL_WALK_USERS];
  char words[SAL_WALK_USERS][2 * 128];
} sal_continue_request;

/** Do the words go together? */
sal_err sal_continue_request_check(const sal_continue_words *words);

sal_err sal_continue_request_create(const sal_continue_words *words, sal_continue_request *out);
void sal_continue_request_free(sal_continue_request *request);

sal_branch_record sal_continue_request_record(const sal_continue_request *request,
                                              const sal_branch *branch);
