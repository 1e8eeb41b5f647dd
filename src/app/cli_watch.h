/** @file src/app/cli_watch.h
 *  A line on stderr now and then while a command integrates: how far the run in hand has come, and what is spent of its budget.
 */
#ifndef SAL_CLI_WATCH_H
#define SAL_CLI_WATCH_H

#include "setup.h"

/** From now on, until the program ends; `command` is borrowed.  Not for commands that stop by signals or deadlines (stop.h),
 *  whose timer it uses. */
void sal_cli_watch_begin(const char *command);

/** For the setup of runs: what their lines are made from. */
sal_run_reached *sal_cli_watch_run(double t_end, double budget);

#endif
