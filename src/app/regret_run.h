/** @file src/app/regret_run.h
 *  The way of `saltus regret`: points are drawn and run, and the map is asked at each.
 */
#ifndef SAL_REGRET_RUN_H
#define SAL_REGRET_RUN_H

#include "cli_performance.h"
#include "command.h"

/** The options as given; strings are borrowed. */
typedef struct {
  const char *path, *out, *from, *error;
  int64_t points, replicates, seed; /* 0, 0 and -1: not given */
  bool force, quiet;
  sal_cli_texts recorded;
  sal_cli_performance_words table;
} sal_regret_request;

/** Collective over the call's ranks. */
SAL_MUST_CHECK sal_err sal_regret_run(const sal_regret_request *request,
                                      const sal_command_call *call);

#endif
