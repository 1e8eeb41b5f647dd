/** @file src/io/cube/cube_info.h
 *  What a cube holds, for people.
 */
#ifndef SAL_CUBE_INFO_H
#define SAL_CUBE_INFO_H

#include "err.h"
#include <stdio.h>

/** Prints what a cube holds: dimensions, coordinates, outcomes, provenance. */
SAL_MUST_CHECK sal_err sal_cube_info(const char *path, FILE *out);

#endif
