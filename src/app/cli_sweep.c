/** Options of commands that run sweeps. */
#include "cli_sweep.h"
#include "cli_run.h"
#include "hints.h"

sal_err sal_cli_hints(const char *where, const char *text, void *value)
{
  *(const char **)value = text;
  return sal_hints_check(where, text);
}

#define AT(member) .offset = offsetof(sal_run_options, member)

const sal_cli_option sal_cli_sweep_options[] = {
    {"output", 'o', "FILE", "the cube to write (HDF5)", SAL_CLI_TEXT, AT(out)},
    {"force", 'f', NULL, "overwrite an existing output; discard journals of another sweep",
     SAL_CLI_FLAG, AT(force)},
    {"same-cpu", 0, NULL, "refuse cells of unlike machines (saltus help run)", SAL_CLI_FLAG,
     AT(same_cpu)},
    {"quiet", 'q', NULL, "no progress", SAL_CLI_FLAG, AT(quiet)},
    {"status", 0, "FILE", "add a line of JSON to FILE every now and then", SAL_CLI_TEXT,
     AT(status)},
    {"every", 0, "SECONDS", "between two lines of progress or status; 30 without it",
     SAL_CLI_NUMBER, AT(every)},
    {"sync", 0, "SECONDS", "longest time between writes of finished cells to disk (default: 10)",
     SAL_CLI_NUMBER, AT(sync)},
    {"silence", 0, "SECONDS", "until a silent host counts as lost; 60 else", SAL_CLI_NUMBER,
     AT(silence), .least = SAL_CLI_POSITIVE},
    {"no-map", 0, NULL, "leave out the map of the best configurations, which `saltus map` makes",
     SAL_CLI_UNSET, AT(map)},
    {"hints", 0, "KEY=VALUE,..",
     "hints for MPI-IO, such as striping_factor=16 (those of SALTUS_HINTS)", SAL_CLI_PARSED,
     AT(hints), .parse = sal_cli_hints},
    SAL_CLI_TABLES_FROM,
    {.help = NULL}};
