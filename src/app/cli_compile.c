/** The words of --compile and --model-c. */
#include "cli_compile.h"
#include <string.h>

static sal_err parse_compile(const char *where, const char *text, void *value)
{
  static const char *const words[] = {"auto", "never", "always", NULL};

  for (int i = 0; words[i]; ++i)
    if (strcmp(text, words[i]) == 0) {
      *(sal_cli_compile_when *)value = (sal_cli_compile_when)i;
      return SAL_OK;
    }
  return sal_text_unknown(SAL_ERR_USAGE, where, "word", text, words);
}

const sal_cli_option sal_cli_given_options[] = {
    {"model-c", 0, "NAME.c", "the model in C that the cube was made with", SAL_CLI_TEXT,
     .offset = offsetof(sal_cli_compile, model)},
    {.help = NULL}};

const sal_cli_option sal_cli_compile_options[] = {
    {"compile", 0, "WHEN", "compile equations: auto (where it pays), never or always; same results",
     SAL_CLI_PARSED, .offset = offsetof(sal_cli_compile, when), .parse = parse_compile},
    {.help = NULL}};
