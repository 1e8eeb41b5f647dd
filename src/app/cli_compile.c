/** The words of --compile and --model-c. */
#include "cli_compile.h"
#include <string.h>

/* In the order of sal_cli_compile_when. */
static const char *const words[] = {"auto", "never", "always", NULL};

const sal_cli_option sal_cli_given_options[] = {
    {"model-c", 0, "NAME.c", "the model in C that the cube was made with", SAL_CLI_TEXT,
     .offset = offsetof(sal_cli_compile, model)},
    {.help = NULL}};

const sal_cli_option sal_cli_compile_options[] = {
    {"compile", 0, "WHEN", "compile equations: auto (where it pays), never or always; same results",
     SAL_CLI_WORD, .offset = offsetof(sal_cli_compile, when), .words = words},
    {.help = NULL}};
