/** @file src/app/help.h
 *  What saltus says of itself: its commands, its exit codes, its version.
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
/** Version, commit, libraries, lane widths. */
void sal_help_version(FILE *out);

#endif
