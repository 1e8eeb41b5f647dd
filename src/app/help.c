/** Help made from the descriptors of commands and the table of errors. */
#include "help.h"
#include "build.h"
#include "integrate.h"
#include "keys.h"
#include <string.h>

/* Widths that are compiled (kernels/integrate_width.c). */
#define WIDTHS (SAL_WIDEST == 8 ? "1, 4, 8" : SAL_WIDEST == 4 ? "1, 4" : "1")
/* Between notes and examples of help/COMMAND.txt. */
#define EXAMPLES "Examples:\n"

void sal_help_exit_codes(FILE *out)
{
  static const struct {
    int status;
    const char *what;
  } row[] = {
#define SAL_EXIT_ROW(id, exit, text) {exit, text},
      SAL_ERRORS(SAL_EXIT_ROW) SAL_FINDINGS(SAL_EXIT_ROW)
#undef SAL_EXIT_ROW
  };
  enum { MOST = 256 };

  fprintf(out, "Exit codes\n");
  for (int status = 0; status < MOST; ++status)
    for (size_t i = 0; i < sizeof row / sizeof *row; ++i)
      if (row[i].status == status) {
        fprintf(out, "  %2d  %s\n", status, row[i].what);
        break;
      }
}

void sal_help_print(FILE *out, const sal_command command[])
{
  static const char *const heading[] = {
#define SAL_GROUP_HEADING(id, heading) heading,
      SAL_COMMAND_GROUPS(SAL_GROUP_HEADING)
#undef SAL_GROUP_HEADING
  };

  fprintf(out,
          "Usage: saltus COMMAND [OPTION...]\n"
          "Which ODE solver, which handling of phase changes and which tolerance to use for a\n"
          "mechanical system with impacts.\n");
  for (int g = 0; g < SAL_N_COMMAND_GROUP; ++g) {
    char line[SAL_HELP_LINE];
    fprintf(out, "\nTo %s\n", heading[g]);
    for (int i = 0; command[i].name; ++i)
      if ((int)command[i].group == g)
        fprintf(out, "  %-14s %s\n", command[i].name,
                sal_help_line(command[i].name, SAL_HELP_SUMMARY, line));
  }
  fprintf(
      out,
      "\n`saltus COMMAND --help` lists the options of a command, `saltus help COMMAND` explains "
      "it,\n"
      "`saltus help keys` the keys of a sweep file, `saltus help exit-codes` the exit statuses,\n"
      "`saltus help json COMMAND` the JSON Schema of its --json,\n"
      "`saltus help man [COMMAND]` a manual page, `saltus help bash` (zsh) what the shell "
      "completes;\n"
      "`saltus --version` prints what is installed.  A first run:\n\n"
      "  saltus run sweeps/dallas2017.yaml -o results.h5\n"
      "  saltus tables results.h5\n");
}

const char *sal_help_text(const char *folder, const char *file, const char *ending)
{
  char name[64];

  snprintf(name, sizeof name, "%s/%s.%s", folder, file, ending);
  for (const sal_help_file *f = sal_help_files; f->name; ++f)
    if (strcmp(f->name, name) == 0) return f->text;
  return NULL;
}

const char *sal_help_json_of(const char *command)
{
  return sal_help_text("schemas", command, "json");
}

void sal_help_json(FILE *out, const char *command)
{
  const char *one = command ? sal_help_json_of(command) : NULL;
  char name[64];

  if (one) {
    fputs(one, out);
    return;
  }
  fprintf(out, "`saltus help json COMMAND` prints the JSON Schema of its --json:\n");
  for (const sal_help_file *f = sal_help_files; f->name; ++f)
    if (sscanf(f->name, "schemas/%63[^.]", name) == 1) fprintf(out, "  %s\n", name);
}

/* The text of a command from a line on. */
static const char *lines_of(const char *command, int line)
{
  const char *text = sal_help_text("help", command, "txt");

  for (; text && line > 0; --line) {
    const size_t n = strcspn(text, "\n");
    text += n + (text[n] != '\0');
  }
  return text ? text : "";
}

const char *sal_help_line(const char *command, int line, char text[SAL_HELP_LINE])
{
  const char *begin = lines_of(command, line);

  snprintf(text, SAL_HELP_LINE, "%.*s", (int)strcspn(begin, "\n"), begin);
  return text;
}

const char *sal_help_notes(const char *command) { return lines_of(command, SAL_HELP_HEAD); }

bool sal_help_notes_end(const char *line)
{
  return !*line || strncmp(line, EXAMPLES, sizeof EXAMPLES - 1) == 0;
}

const char *sal_help_examples(const char *command)
{
  const char *text = strstr(sal_help_notes(command), EXAMPLES);

  return text ? text + sizeof EXAMPLES - 1 : "";
}

/* Is there more than one command line?  Long ones go on after a backslash. */
static bool are_several(const char *examples)
{
  for (const char *c = examples; (c = strchr(c, '\n')) != NULL; ++c)
    if (c[-1] != '\\' && c[1]) return true;
  return false;
}

/* Where the further lines of a long one begin: below its first word, or, when it is an entry of a
 * list, "  term    meaning", below the meaning. */
static size_t hanging_indent(const char *line, size_t n)
{
  const size_t indent = strspn(line, " ");

  for (size_t i = indent; indent > 0 && i + 2 < n; ++i)
    if (line[i] == ' ' && line[i + 1] == ' ') return i + strspn(line + i, " ");
  return indent;
}

static void print_wrapped_line(FILE *out, const char *line, size_t n)
{
  enum { WIDTH = 79 };
  const size_t hang = hanging_indent(line, n);
  size_t column = 0;

  for (size_t i = 0; i < n;) {
    const size_t blanks = strspn(line + i, " "), word = strcspn(line + i + blanks, " \n");
    if (column > hang && column + blanks + word > WIDTH) {
      fprintf(out, "\n%*s", (int)hang, "");
      column = hang;
    } else {
      fprintf(out, "%.*s", (int)blanks, line + i);
      column += blanks;
    }
    fprintf(out, "%.*s", (int)word, line + i + blanks);
    column += word;
    i += blanks + word;
  }
  fputc('\n', out);
}

static void print_wrapped(FILE *out, const char *text)
{
  while (!sal_help_notes_end(text)) {
    const size_t n = strcspn(text, "\n");
    print_wrapped_line(out, text, n);
    text += n + (text[n] != '\0');
  }
}

void sal_help_keys(FILE *out)
{
  sal_text text = {0};

  sal_text_add(&text, "Keys of a sweep file (preset)\n");
  for (const sal_key *k = sal_keys; k->name; ++k) {
    char allowed[512];
    sal_key_allowed(k, sizeof allowed, allowed);
    sal_text_add(&text, k->preset[0] == '(' ? "  %s %s\n    %s" : "  %s (%s)\n    %s", k->name,
                 k->preset, k->what);
    sal_text_add(&text, *allowed ? "; allowed: %s\n" : "\n%s", allowed);
  }
  print_wrapped(out, text.string ? text.string : "");
  sal_text_free(&text);
}

void sal_help_command(FILE *out, const sal_command *c, bool notes)
{
  char name[64], line[SAL_HELP_LINE];
  const sal_cli cli = {name, c->code->table};
  const char *text = sal_help_notes(c->name), *examples = sal_help_examples(c->name);
  const bool noted = !sal_help_notes_end(text);

  snprintf(name, sizeof name, "saltus %s", c->name);
  sal_cli_help(&cli, sal_help_line(c->name, SAL_HELP_DESCRIPTION, line), c->code->presets, out);
  if (notes && noted) fputc('\n', out);
  if (notes) print_wrapped(out, text);
  fprintf(out, "\nExample%s:\n%s", are_several(examples) ? "s" : "", examples);
  if (!notes && noted) fprintf(out, "\nNotes: saltus help %s\n", c->name);
  if (c->reads_sweep) fprintf(out, "%sKeys of a sweep file: saltus help keys\n", notes ? "\n" : "");
}

void sal_help_version(FILE *out)
{
  sal_build b;

  sal_build_describe(&b);
  fprintf(out, "saltus %s\n", b.version);
  fprintf(out, "  %-10s %s\n", "commit", b.commit);
  fprintf(out, "  %-10s %s\n", "compiler", b.compiler);
  fprintf(out, "  %-10s %s\n", "flags", b.flags);
  fprintf(out, "  %-10s %s\n", "MPI", b.mpi);
  fprintf(out, "  %-10s %s\n", "HDF5", b.hdf5);
  fprintf(out, "  %-10s %s; this CPU has %d\n", "lanes", WIDTHS, sal_integrate_widest());
}
