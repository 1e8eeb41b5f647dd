/** @file src/app/cli_sweep.h
 *  How a sweep is run, as the options of a command line.
 */
#ifndef SAL_CLI_SWEEP_H
#define SAL_CLI_SWEEP_H

#include "cli_option.h"
#include "run_print.h"
#include "run_sweep.h"

/** What holds for options that are not given, as an initialiser. */
#define SAL_CLI_SWEEP_PRESETS                                                                      \
  .part = {1, 1}, .every = 30, .sync = 10, .silence = 60, .map = true, .tell = sal_run_print

/** Rows for a sal_run_options: -o, -f, -q, --status, --every, --sync, --silence, --no-map. */
extern const sal_cli_option sal_cli_sweep_options[];

#endif
