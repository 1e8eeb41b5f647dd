/** Options that the user alone may give. */
#include "base.h"
#include "cli_compile.h"

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
