/** The words of --compile and --model-c. */
#include "cli_compile.h"

/* In the order of sal_cli_compile_when. */
static const char *const when_words[] = {"auto", "never", "always", NULL};

#define AT(member) .offset = offsetof(sal_cli_compile, member)

#define ROWS const sal_cli_option sal_cli_given_options[]
#define OPTIONS_OF_given
#include "options.def"

#define ROWS const sal_cli_option sal_cli_compile_options[]
#define OPTIONS_OF_compile
#include "options.def"

sal_err sal_cli_compile_run(const sal_cli_compile *asked, const sal_command_call *call,
                            sal_cli_run_words words, sal_cli_run *run)
{
  if (asked->model && words.model)
    return sal_fail(SAL_ERR_USAGE, "--model and --model-c name a model each; allowed: one of them");
  SAL_TRY(sal_cli_compile_given(asked, call));
  if (asked->model) words.model = asked->model;
  SAL_TRY(sal_cli_run_check(&words, run));
  sal_cli_compile_model(asked, 1, run->file);
  return SAL_OK;
}
