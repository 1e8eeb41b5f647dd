/** @file src/app/manual.h
 *  Manual pages and completions of shells, from the descriptors of commands.
 */
#ifndef SAL_MANUAL_H
#define SAL_MANUAL_H

#include "command.h"

/** saltus(1), or saltus-COMMAND(1) of one command; commands end with NULL. */
void sal_manual_page(FILE *out, const sal_command *const command[]);
void sal_manual_command(FILE *out, const sal_command *command);

/** Writes completions for bash and zsh: commands, options, the words that some options take, files. */
void sal_manual_bash(FILE *out, const sal_command *const command[]);
void sal_manual_zsh(FILE *out, const sal_command *const command[]);

#endif
