/** @file src/app/cli_performance.c
 *  Options that say how a cube is read for answers.
 */
#include "cli_performance.h"

#define AT(member) .offset = offsetof(sal_performance_words, member)

const sal_cli_option sal_cli_performance_options[] = {
    {"solvers", 0, "NAME,..", "solvers that may win (all)", SAL_CLI_TEXT, AT(methods),
     .alias = "methods"},
    {"strategies", 0, "NAME,..", "strategies that may win (all)", SAL_CLI_TEXT, AT(strategies)},
    {"by", 0, "ERROR",
     "the error that is asked for: max_error or multiplier_error, of the orbit's leading "
     "multiplier (as the sweep says: map.by)",
     SAL_CLI_TEXT, AT(by)},
    {"work", 0, "NAME=W,..",
     "what counts as work: rhs, jacobian, factorisation, solve, in evaluations of f", SAL_CLI_TEXT,
     AT(work)},
    {"points", 0, "WORD", "points over all cells (global) or in each (per-cell)", SAL_CLI_TEXT,
     AT(points)},
    {"duration", 0, "WORD", "the solution duration of points: work (preset) or time", SAL_CLI_TEXT,
     AT(duration)},
    {.help = NULL}};
