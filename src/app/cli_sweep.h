/** @file src/app/cli_sweep.h
 *  How a sweep is run, as the options of a command line.
 */
#ifndef SAL_CLI_SWEEP_H
#define SAL_CLI_SWEEP_H

#include "cli_option.h"
#include "run_print.h"
#include "run_sweep.h"

/** Presets of the options, as an initialiser. */
#define SAL_CLI_SWEEP_PRESETS                                                                      \
  .part = {1, 1}, .every = 30, .sync = 10, .silence = 60, .map = true, .tell = sal_run_print

/** Reads hints for MPI-IO (hints.h) into a const char *, which borrows the text. */
sal_err sal_cli_hints(const char *where, const char *text, void *value);

/** Rows for a sal_run_options: -o, -f, --same-cpu, -q, --status, --every, --sync, --silence, --no-map,
 *  --hints. */
extern const sal_cli_option sal_cli_sweep_options[];

#endif
