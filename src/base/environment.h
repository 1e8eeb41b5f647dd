/** @file src/base/environment.h
 *  Variables of the environment that set numbers: one table of their units, ranges and presets.
 */
#ifndef SAL_ENVIRONMENT_H
#define SAL_ENVIRONMENT_H

#include "err.h"

typedef enum {
  SAL_ENVIRONMENT_ROWS_MEMORY, /* [B] SALTUS_ROWS_MEMORY */
  SAL_ENVIRONMENT_CC_SECONDS,  /* SALTUS_CC_SECONDS */
  SAL_N_ENVIRONMENT
} sal_environment;

/** Fails (SAL_ERR_USAGE) with the first variable that is set to anything else than its table allows. */
SAL_MUST_CHECK sal_err sal_environment_check(void);

/** Its value, or its preset where it is not set, or to nothing, or to what sal_environment_check refuses. */
double sal_environment_number(sal_environment which);

#endif
