/** @file src/io/cube/cube_read.h
 *  A whole cube back into memory.
 */
#ifndef SAL_CUBE_READ_H
#define SAL_CUBE_READ_H

#include "cube.h"
#include "err.h"

/** Reads a whole cube (serial).  A metric that the file does not know is missing in all records,
 *  that is NaN.  Says what is wrong when the file is no cube of ours, or damaged. */
SAL_MUST_CHECK sal_err sal_cube_read(const char *path, sal_cube *cube);
void sal_cube_free(sal_cube *cube);

#endif
