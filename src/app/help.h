/** @file src/app/help.h
 *  Help of the program: its commands, its exit codes, its version.
 */
#ifndef SAL_HELP_H
#define SAL_HELP_H

#include "command.h"

/** All commands by what one wants; they end with NULL. */
void sal_help_print(FILE *out, const sal_command *const command[]);
/** One command: usage, options and examples, and the notes if they are asked for. */
void sal_help_command(FILE *out, const sal_command *command, bool notes);
/** The keys of a sweep file; the statuses that commands end with. */
void sal_help_keys(FILE *out);
void sal_help_exit_codes(FILE *out);
/** A JSON Schema (2020-12) of a command's --json: schemas/COMMAND.json. */
typedef struct {
  const char *name, *text;
  size_t bytes;
} sal_help_schema;
extern const sal_help_schema sal_help_schemas[]; /* ended by a name of NULL */
/** That of a command; NULL: it has none.  Printing it, or the list of all where no command is named. */
const sal_help_schema *sal_help_json_of(const char *command);
void sal_help_json(FILE *out, const char *command);
/** Version, commit, libraries, lane widths. */
void sal_help_version(FILE *out);

#endif
