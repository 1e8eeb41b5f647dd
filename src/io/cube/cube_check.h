/** @file src/io/cube/cube_check.h
 *  Are the values of a cube those that were written?
 */
#ifndef SAL_CUBE_CHECK_H
#define SAL_CUBE_CHECK_H

#include "err.h"
#include <stdint.h>

/** Reads all datasets of a cube, those of its map and trajectories included, and verifies their
 *  checksums; a dataset that is damaged is SAL_ERR_IO.  *verified: datasets that have one;
 *  *without: those that do not, as in cubes of layout 1. */
SAL_MUST_CHECK sal_err sal_cube_check(const char *path, int64_t *verified, int64_t *without);

#endif
