/** @file src/app/cli_performance.h
 *  How a cube is read for answers, as the options of a command line.
 *
 *  A command that asks a cube for advice names sal_cli_performance_argp among its argp children,
 *  hands it a sal_performance_words in ARGP_KEY_INIT, and opens the cube after parsing.
 */
#ifndef SAL_CLI_PERFORMANCE_H
#define SAL_CLI_PERFORMANCE_H

#include "performance_cube.h"
#include <argp.h>

/** Child parser; its input is a sal_performance_words. */
extern const struct argp sal_cli_performance_argp;

#endif
