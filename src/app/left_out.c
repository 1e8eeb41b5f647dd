/** Options and lines of wings that a build leaves out. */
#include "cli_compile.h"
#include "export_line.h"
#include "lost_place.h"

#if !SAL_HAS_NATIVE
#define LACKS "this build compiles no models: configure with -DSAL_WITH_NATIVE=ON"

static void warn(const sal_cli_compile *asked)
{
  if (asked->when == SAL_CLI_COMPILE_ALWAYS) fprintf(stderr, "--compile always: " LACKS "\n");
}

sal_err sal_cli_compile_sweep(const sal_cli_compile *asked, const sal_command_call *call,
                              bool quiet, const sal_sweep *sweep, double expected)
{
  (void)quiet, (void)sweep, (void)expected;
  if (call->rank == 0) warn(asked);
  return SAL_OK;
}

void sal_cli_compile_model(const sal_cli_compile *asked, int lanes, sal_provided *text)
{
  (void)lanes, (void)text;
  warn(asked);
}

sal_err sal_cli_compile_given(const sal_cli_compile *asked, const sal_command_call *call)
{
  (void)call;
  return asked->model ? sal_fail(SAL_ERR_USAGE, "--model-c %s: " LACKS, asked->model) : SAL_OK;
}

sal_err sal_cli_compile_needs(char compiler[PATH_MAX], char folder[PATH_MAX])
{
  compiler[0] = folder[0] = '\0';
  return sal_fail(SAL_ERR_IO, LACKS);
}
#endif

#if !SAL_HAS_EQUATIONS
sal_err sal_lost_place(const sal_lost *lost, const sal_cli_run *run, const char *path,
                       char out[SAL_LOST_PLACE])
{
  (void)lost, (void)run, (void)path;
  out[0] = '\0';
  return SAL_OK;
}
#endif

#if !SAL_HAS_EXPORT
void sal_export_line(const char *program, const sal_sweep *sweep, const double value[], int pair,
                     double rtol, sal_text *out)
{
  (void)program, (void)sweep, (void)value, (void)pair, (void)rtol, (void)out;
}

const char *const *sal_export_line_programs(void)
{
  static const char *const none[] = {NULL};

  return none;
}
#endif
