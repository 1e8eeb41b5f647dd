/** @file src/base/program_path.h
 *  Programs that a user has.
 */
#ifndef SAL_PROGRAM_PATH_H
#define SAL_PROGRAM_PATH_H

#include <limits.h>
#include <stdbool.h>

/** Where a program is: at a name with a folder in it, or else in the first folder of PATH that has it, as a shell looks for it,
 *  but that folders which depend on where one is are passed over.  False: nowhere. */
bool sal_program_path(const char *name, char path[PATH_MAX]);

#endif
