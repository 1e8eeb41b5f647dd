/** @file src/app/cli_sweep.h
 *  How a sweep is run, as the options of a command line.
 */
#ifndef SAL_CLI_SWEEP_H
#define SAL_CLI_SWEEP_H

#include "run_sweep.h"
#include <argp.h>

/** Child parser of -o, -f, -q, --status, --every, --sync, --no-map; its input is a
 *  sal_run_options. */
extern const struct argp sal_cli_sweep_argp;

#endif
