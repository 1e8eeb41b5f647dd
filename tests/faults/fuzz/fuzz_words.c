/** Command lines: lines are words, the first of them the command's.  Options are read and checked; no command runs.
 */
#include "command.h"
#include "fuzz.h"
#include "memory.h"
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4000, MOST = 64 };

static const sal_command commands[] = {
#define SAL_COMMAND(id, text, of, ...)                                                             \
  {.name = text, .group = SAL_COMMAND_##of, .code = &sal_cmd_##id, __VA_ARGS__},
#define SAL_COMMAND_OF(wing, ...) SAL_COMMAND(__VA_ARGS__)
#include "commands.def"
#undef SAL_COMMAND_OF
#undef SAL_COMMAND
};

static void read_words(const sal_command *c, int n, char *word[])
{
  const sal_cli cli = {c->name, c->code->table};
  void *options = sal_alloc(1, c->code->size);
  bool help = false;

  if (!options) return;
  if (c->code->presets) memcpy(options, c->code->presets, c->code->size);
  sal_err err = sal_cli_parse(&cli, n, word, options, &help);
  if (err == SAL_OK && !help && c->code->check) err = c->code->check(options);
  (void)err;
  (void)unsetenv("PETSC_OPTIONS"); /* --petsc-options adds to it, once a process */
  sal_free(options);
}

void fuzz_input(const uint8_t *data, size_t size)
{
  if (size > LONGEST) return;
  char *text = fuzz_text(data, size), *word[MOST + 1], *rest = NULL;
  int n = 0;

  for (char *line = strtok_r(text, "\n", &rest); line && n < MOST;
       line = strtok_r(NULL, "\n", &rest))
    word[n++] = line;
  word[n] = NULL;
  for (size_t i = 0; n > 0 && i < sizeof commands / sizeof *commands; ++i)
    if (strcmp(word[0], commands[i].name) == 0) read_words(&commands[i], n, word);
  free(text);
}
