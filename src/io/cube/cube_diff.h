/** @file src/io/cube/cube_diff.h
 *  Two cubes, bit by bit.
 */
#ifndef SAL_CUBE_DIFF_H
#define SAL_CUBE_DIFF_H

#include "err.h"
#include <stdbool.h>
#include <stdio.h>

/** Compares coordinates and all metrics but those of kind TIMING, bit by bit (any NaN equals any
 *  NaN); cubes of different layouts by the names of the present one.  Prints one line per dataset
 *  that differs (how many values, the first place, the largest difference), or, when the
 *  dimensions differ, one line that says how; json: one line for all.  Sets *same. */
SAL_MUST_CHECK sal_err sal_cube_diff(const char *path_a, const char *path_b, bool json, FILE *out,
                                     bool *same);

#endif
