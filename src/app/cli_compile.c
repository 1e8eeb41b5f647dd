/** The words of --compile and --model-c. */
#include "cli_compile.h"
#include "base.h"

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

sal_err sal_cli_trust_pair(const char *where, const char *text, void *value)
{
  const char *equals = strchr(text, '=');

  (void)value;
  return equals && equals > text && equals[1]
             ? SAL_OK
             : sal_fail(SAL_ERR_USAGE, "%s: '%s'; expected: NAME=FILE", where, text);
}

#define ROWS const sal_cli_option sal_cli_trust_options[]
#define OPTIONS_OF_trust
#include "options.def"

/* One way for both: what is given to this process is in its environment, as what was given to the shell. */
static sal_err add_petsc_options(const char *where, const char *text, void *value)
{
  const char *before = getenv("PETSC_OPTIONS");
  sal_text all = {0};

  (void)value;
  sal_text_add(&all, "%s%s%s", before ? before : "", before ? " " : "", text);
  char *options = sal_text_take(&all);
  const sal_err err = options && setenv("PETSC_OPTIONS", options, 1) == 0
                          ? SAL_OK
                          : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", where);
  sal_free(options);
  return err;
}

#define ROWS const sal_cli_option sal_cli_petsc_options[]
#define OPTIONS_OF_petsc
#include "options.def"

sal_sweep_trust sal_cli_trust_of(const sal_cli_texts *recorded)
{
  return (sal_sweep_trust){recorded->n, recorded->text};
}
