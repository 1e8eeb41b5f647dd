/** @file src/io/cube/cube_info.h
 *  What a cube holds, as text and as JSON.
 */
#ifndef SAL_CUBE_INFO_H
#define SAL_CUBE_INFO_H

#include "err.h"
#include <stdbool.h>
#include <stdio.h>

/** Prints what a cube holds: dimensions, coordinates, outcomes, how many cells its map answers,
 *  provenance; json: as one line.  Of a cube that is damaged nothing is printed. */
SAL_MUST_CHECK sal_err sal_cube_info(const char *path, bool json, FILE *out);

#endif
