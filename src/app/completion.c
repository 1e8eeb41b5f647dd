/** Completions: a function for bash, and for zsh the same by its emulation of bash's. */
#include "enum_words.h"
#include "export_line.h"
#include "help.h"
#include "solver_home.h"

static void write_names(FILE *out, const char *const name[])
{
  for (int i = 0; name[i]; ++i) fprintf(out, " %s", name[i]);
}
static void write_words(FILE *out, sal_enum_words words)
{
  const char *names[SAL_MAX_WORD + 1];

  sal_enum_words_gather(words, NULL, names);
  write_names(out, names);
}
static void write_models(FILE *out) { write_words(out, SAL_ENUM_MODELS); }
static void write_solvers(FILE *out) { write_words(out, SAL_ENUM_METHODS); }
static void write_strategies(FILE *out) { write_words(out, SAL_ENUM_STRATEGIES); }
static void write_homes(FILE *out) { write_names(out, sal_solver_homes); }
static void write_programs(FILE *out) { write_names(out, sal_export_line_programs()); }

/* Options that take words of a list. */
static const struct {
  const char *option;
  void (*write)(FILE *out);
} words[] = {
    {"model", write_models},        {"solver", write_solvers},        {"solvers", write_solvers},
    {"strategy", write_strategies}, {"strategies", write_strategies}, {"in", write_homes},
    {"to", write_programs}};

static void write_option(void *with, const sal_cli_shown *o)
{
  if (o->argument) return;
  fprintf(with, " --%s", o->name);
  if (o->key) fprintf(with, " -%c", o->key);
}

static void write_commands(FILE *out, const sal_command command[])
{
  for (int i = 0; command[i].name; ++i) fprintf(out, " %s", command[i].name);
}

void sal_manual_bash(FILE *out, const sal_command command[])
{
  fputs("# Completion of saltus for bash.\n_saltus()\n{\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words=\"help",
        out);
  write_commands(out, command);
  fputs(" --version --help\"\n    elif [ \"${COMP_WORDS[1]}\" = help ]; then\n        words=\"keys "
        "exit-codes man json "
        "bash zsh",
        out);
  write_commands(out, command);
  fputs("\"\n    elif [[ $word == -* ]]; then\n        case ${COMP_WORDS[1]} in\n", out);
  for (int i = 0; command[i].name; ++i) {
    const sal_cli cli = {command[i].name, command[i].code->table};
    fprintf(out, "        %s) words=\"", command[i].name);
    sal_cli_each(&cli, command[i].code->presets, write_option, out);
    fputs("\" ;;\n", out);
  }
  fputs("        esac\n    else\n        case $before in\n", out);
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    fprintf(out, "        --%s) words=\"", words[i].option);
    words[i].write(out);
    fputs("\" ;;\n", out);
  }
  fputs(
      "        esac\n    fi\n"
      "    if [ -n \"$words\" ]; then\n        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "    else\n        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n"
      "complete -o filenames -F _saltus saltus\n",
      out);
}

void sal_manual_zsh(FILE *out, const sal_command command[])
{
  fputs("#compdef saltus\nautoload -U +X bashcompinit && bashcompinit\n", out);
  sal_manual_bash(out, command);
}
