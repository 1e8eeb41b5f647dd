/** @file src/io/cube/cube_check.h
 *  Are the values of a cube those that were written?
 */
#ifndef SAL_CUBE_CHECK_H
#define SAL_CUBE_CHECK_H

#include "cube_verify.h"
#include "err.h"
#include <stdint.h>

/** What has been verified: seals, and datasets with a checksum; cubes of layouts 1 and 2 have no seal,
 *  those of layout 1 no checksums either. */
typedef struct {
  sal_cube_verified groups;
  int64_t verified, without;
} sal_cube_check_found;

/** Verifies the seals of a cube, reads all datasets, those of its groups included, and verifies their
 *  checksums and the sums of their blocks.  Damage is SAL_ERR_IO. */
SAL_MUST_CHECK sal_err sal_cube_check(const char *path, sal_cube_check_found *found);

#endif
