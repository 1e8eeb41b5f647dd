/** Manual pages, in the language of man(7). */
#include "base.h"
#include "build.h"
#include "help.h"

/* Text of a page: hyphens and backslashes are themselves, and no line is taken for a request. */
static void write_text(FILE *out, const char *text)
{
  bool begins = true;

  for (; *text; ++text) {
    if (begins && (*text == '.' || *text == '\'')) fputs("\\&", out);
    begins = *text == '\n';
    if (*text == '-')
      fputs("\\-", out);
    else if (*text == '\\')
      fputs("\\e", out);
    else
      fputc(*text, out);
  }
}

static void begin_page(FILE *out, const char *name, const char *summary)
{
  sal_build b;

  sal_build_describe(&b);
  fprintf(out, ".TH \"");
  for (const char *c = name; *c; ++c) fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, out);
  fprintf(out, "\" 1 \"\" \"saltus %s\" \"saltus\"\n.SH NAME\n", b.version);
  write_text(out, name);
  fputs(" \\- ", out);
  write_text(out, summary);
  fputs("\n.SH SYNOPSIS\n", out);
}

/* Lines as they stand, up to the end of notes: lists of notes and command lines have blanks before them. */
static void write_lines(FILE *out, const char *text)
{
  bool listed = false;

  while (!sal_help_notes_end(text)) {
    const size_t n = strcspn(text, "\n");
    const bool indented = *text == ' ';
    char line[4096];
    snprintf(line, sizeof line, "%.*s\n", (int)n, text);
    if (indented != listed) fputs(indented ? ".PP\n.nf\n" : ".fi\n.PP\n", out);
    listed = indented;
    write_text(out, line);
    text += n + (text[n] != '\0');
  }
  if (listed) fputs(".fi\n", out);
}

static void write_argument(void *with, const sal_cli_shown *o)
{
  if (!o->argument) return;
  fputs(o->needed ? " \\fI" : " [\\fI", with);
  write_text(with, o->name);
  fputs(o->needed ? "\\fR" : "\\fR]", with);
}

static void write_option(void *with, const sal_cli_shown *o)
{
  FILE *out = with;

  if (o->argument) return;
  fputs(".TP\n", out);
  if (o->key) fprintf(out, "\\fB\\-%c\\fR, ", o->key);
  fputs("\\fB\\-\\-", out);
  write_text(out, o->name);
  fputs("\\fR", out);
  if (o->placeholder) {
    fputs(" \\fI", out);
    write_text(out, o->placeholder);
    fputs("\\fR", out);
  }
  fputc('\n', out);
  write_text(out, o->help);
  fputc('\n', out);
}

void sal_manual_command(FILE *out, const sal_command *c)
{
  const sal_cli cli = {c->name, c->code->table};
  const char *notes = sal_help_notes(c->name);
  char name[64], line[SAL_HELP_LINE];

  snprintf(name, sizeof name, "saltus-%s", c->name);
  begin_page(out, name, sal_help_line(c->name, SAL_HELP_SUMMARY, line));
  fprintf(out, "\\fBsaltus %s\\fR [\\fIOPTION\\fR...]", c->name);
  sal_cli_each(&cli, c->code->presets, write_argument, out);
  fputs("\n.SH DESCRIPTION\n", out);
  write_lines(out, sal_help_line(c->name, SAL_HELP_DESCRIPTION, line));
  fputs(".SH OPTIONS\n", out);
  sal_cli_each(&cli, c->code->presets, write_option, out);
  if (!sal_help_notes_end(notes)) fputs(".SH NOTES\n", out);
  write_lines(out, notes);
  fputs(".SH EXAMPLES\n", out);
  write_lines(out, sal_help_examples(c->name));
  fputs(".SH SEE ALSO\n.BR saltus (1)\n", out);
}

static void write_exit_codes(FILE *out)
{
  char *text = NULL;
  size_t length;
  FILE *codes = open_memstream(&text, &length);

  if (!codes) return;
  sal_help_exit_codes(codes);
  fclose(codes);
  const char *after_head = text ? strchr(text, '\n') : NULL;
  if (after_head) write_lines(out, after_head + 1);
  free(text);
}

void sal_manual_page(FILE *out, const sal_command command[])
{
  static const char *const heading[] = {
#define SAL_GROUP_HEADING(id, heading) heading,
      SAL_COMMAND_GROUPS(SAL_GROUP_HEADING)
#undef SAL_GROUP_HEADING
  };

  begin_page(out, "saltus",
             "which ODE solver, strategy and tolerance for a mechanical system with impacts");
  fputs("\\fBsaltus\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.SH COMMANDS\n", out);
  for (int g = 0; g < SAL_N_COMMAND_GROUP; ++g) {
    char line[SAL_HELP_LINE];
    fprintf(out, ".SS To %s\n", heading[g]);
    for (int i = 0; command[i].name; ++i) {
      if ((int)command[i].group != g) continue;
      fputs(".TP\n.BR saltus\\-", out);
      write_text(out, command[i].name);
      fputs(" (1)\n", out);
      write_text(out, sal_help_line(command[i].name, SAL_HELP_SUMMARY, line));
      fputc('\n', out);
    }
  }
  fputs(".SH EXIT STATUS\n", out);
  write_exit_codes(out);
  fputs(".SH ENVIRONMENT\n.TP\nOMP_NUM_THREADS\nthreads of each rank; without it the ranks of a "
        "node share its cores\n",
        out);
}
