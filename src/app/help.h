/** Help of the program: its commands, its exit codes, its version, and its manual page. */
#pragma once

#include "command.h"

/** All commands by what one wants; they end with NULL. */
void sal_help_print(FILE *out, const sal_command command[]);
/** One command: usage, options and examples, and the notes if `notes`. */
void sal_help_command(FILE *out, const sal_command *command, bool notes);
/** The keys of a sweep file; the statuses that commands end with. */
void sal_help_keys(FILE *out);
void sal_help_exit_codes(FILE *out);
/** A file of this folder that lies in the program: schemas/COMMAND.json, help/COMMAND.txt or models/KIND.yaml. */
typedef struct {
  const char *name, *text;
  size_t bytes;
} sal_help_file;
extern const sal_help_file sal_help_files[]; /* ended by a name of NULL */
/** The text of FOLDER/FILE.ENDING; NULL: the program has no such file. */
const char *sal_help_text(const char *folder, const char *file, const char *ending);
/** The JSON Schema (2020-12) of a command's --json; NULL: it has none.  Printing it, or the list of all where no command is named. */
const char *sal_help_json_of(const char *command);
void sal_help_json(FILE *out, const char *command);
/** A line of help/COMMAND.txt: the first is for the list of commands, the second stands above the options. */
enum { SAL_HELP_SUMMARY, SAL_HELP_DESCRIPTION, SAL_HELP_HEAD, SAL_HELP_LINE = 1024 };
const char *sal_help_line(const char *command, int line, char text[SAL_HELP_LINE]);
/** How to read and use a command, up to the line where sal_help_notes_end; and its command lines. */
const char *sal_help_notes(const char *command);
bool sal_help_notes_end(const char *line);
const char *sal_help_examples(const char *command);
/** Version, commit, libraries, lane widths. */
void sal_help_version(FILE *out);

/* ---- Manual pages and completions of shells, from the descriptors of commands. ---- */

/** saltus(1), or saltus-COMMAND(1) of one command; commands end with NULL. */
void sal_manual_page(FILE *out, const sal_command command[]);
void sal_manual_command(FILE *out, const sal_command *command);

/** Writes completions for bash and zsh: commands, options, the words that some options take, files. */
void sal_manual_bash(FILE *out, const sal_command command[]);
void sal_manual_zsh(FILE *out, const sal_command command[]);
