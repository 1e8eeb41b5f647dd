/** @file src/api/api.h
 *  What the files of the C library share.
 */
#ifndef SAL_API_H
#define SAL_API_H

#include "err.h"
#include "model_text.h"
#include "saltus.h"
#include "setup.h"
#include "tableau_text.h"

struct saltus_model {
  sal_model_text *text; /* NULL: one of the registry */
  const sal_model *model;
  const char *word[SAL_MAX_OPTION][SAL_MAX_CHOICE + 1]; /* of its options, ended by NULL */
};

/** How runs are made, once it is checked; sal_api_setup_free frees the solver of a file. */
typedef struct {
  sal_setup setup;
  sal_tableau_text *solver;
  int lanes, threads;
} sal_api_setup;

/** What the library says for a failure. */
saltus_status sal_api_status(sal_err err);

/** Fails where something of the setup is not allowed. */
SAL_MUST_CHECK sal_err sal_api_setup_check(const saltus_model *model, const saltus_setup *given,
                                           sal_api_setup *out);
void sal_api_setup_free(sal_api_setup *setup);

#endif
