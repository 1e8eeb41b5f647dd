/** @file src/app/unsealed.h
 *  What is said before cells of a cube without a seal are run.
 */
#ifndef SAL_UNSEALED_H
#define SAL_UNSEALED_H

#include <stdbool.h>

/** Says on standard error, in one line, that the sweep of a cube may not be the one that it was made
 *  by; nothing where the cube is sealed.  To be called on one rank, before cells are run. */
void sal_unsealed_tell(const char *command, const char *path, bool sealed);

#endif
