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

#define ROWS const sal_cli_option sal_cli_sweep_options[]
#define OPTIONS_OF_sweep
#include "options.def"
