/** Options of a run of a sweep, and its prints. */
#pragma once

#include "cli_option.h"
#include "run_sweep.h"

/** Presets of the options, as an initialiser. */
#define SAL_CLI_SWEEP_PRESETS                                                                      \
  .part = {1, 1}, .every = 30, .sync = 10, .silence = 60, .map = true, .print = sal_run_print

/** Reads hints for MPI-IO (hints.h) into a const char *, which borrows the text. */
sal_err sal_cli_hints(const char *where, const char *text, void *value);

/** Rows for a sal_run_options: -o, -f, --same-cpu, -q, --status, --every, --sync, --silence, --no-map,
 *  --hints. */
extern const sal_cli_option sal_cli_sweep_options[];

/* ---- Messages of a run to its user besides its progress, on stderr. ---- */

/** Journals, and the machines that their cells come of. */
#define SAL_RUN_PRINT_MACHINES                                                                     \
  "%s: the cells come of machines whose last digits may differ (--same-cpu refuses them): %s\n"

/** Prints all events, and at the end the table of the ranks; a callback of sal_run_options. */
void sal_run_print(sal_run_event event, const sal_run_news *news);
/** The same without the table and the line at the end. */
void sal_run_print_begin(sal_run_event event, const sal_run_news *news);
