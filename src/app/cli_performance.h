/** @file src/app/cli_performance.h
 *  How a cube is read for answers, as the options of a command line.
 */
#ifndef SAL_CLI_PERFORMANCE_H
#define SAL_CLI_PERFORMANCE_H

#include "cli_option.h"
#include "performance_cube.h"

/** Rows for a sal_performance_words, all NULL without options; the cube is opened with it. */
extern const sal_cli_option sal_cli_performance_options[];

#endif
