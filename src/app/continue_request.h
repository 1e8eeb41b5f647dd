/** @file src/app/continue_request.h
 *  What `saltus continue` is asked: from words to a continuation that can be run.
 */
#ifndef SAL_CONTINUE_REQUEST_H
#define SAL_CONTINUE_REQUEST_H

#include "branch_start.h"
#include "branch_write.h"
#include "family.h"

enum { SAL_CONTINUE_PATH = 4096 };

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
  sal_cycle_family family, half; /* half: of the map with half as many returns, of a doubling */
  sal_continuation c;
  int n_free, free_param[SAL_BRANCH_PARAMS], number;
  double x[SAL_MAX_STATE], eigenvector[SAL_MAX_STATE];
  sal_walk_user user[SAL_WALK_USERS];
  char words[SAL_WALK_USERS][2 * 128];
} sal_continue_request;

/** Do the words go together? */
SAL_MUST_CHECK sal_err sal_continue_request_check(const sal_continue_words *words);

SAL_MUST_CHECK sal_err sal_continue_request_create(const sal_continue_words *words,
                                                   sal_continue_request *out);
void sal_continue_request_free(sal_continue_request *request);

sal_branch_record sal_continue_request_record(const sal_continue_request *request,
                                              const sal_branch *branch);

/** FILE.dat beside FILE.h5. */
void sal_continue_request_text_path(const char *path, char text[SAL_CONTINUE_PATH]);

#endif
