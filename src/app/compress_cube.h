/** @file src/app/compress_cube.h
 *  A cube made smaller, and what that gave.
 */
#ifndef SAL_COMPRESS_CUBE_H
#define SAL_COMPRESS_CUBE_H

#include "err.h"
#include <stdbool.h>

/** On one rank: compresses a finished cube in place and, if asked, says to stderr how much.  After
 * a failure the cube is as it was. */
SAL_MUST_CHECK sal_err sal_compress_cube(const char *path, bool talk);

#endif
