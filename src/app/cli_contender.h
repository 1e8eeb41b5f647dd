/** @file src/app/cli_contender.h
 *  A contender in one word of a command line: STRATEGY:METHOD:TOLERANCE, or STRATEGY:METHOD:step=H.
 */
#ifndef SAL_CLI_CONTENDER_H
#define SAL_CLI_CONTENDER_H

#include "err.h"
#include "integrate.h"

/** Fills *out with `like`, whose model, interval and zone it keeps, and what the word says. `where`
 *  heads the message ("--against"). */
SAL_MUST_CHECK sal_err sal_cli_contender_parse(const char *where, const char *word,
                                               const sal_setup *like, sal_setup *out);

#endif
