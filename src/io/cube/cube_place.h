/** @file src/io/cube/cube_place.h
 *  Places of the values of a cube, stored by one rank alone; for the sources of this folder.
 *
 *  HDF5 has the file open on one rank, by a driver that places values and writes none; all ranks write
 *  them there (shared_file.h).  So no rank waits in HDF5 for another one, nor does HDF5 write to a full
 *  disk with values in hand.  Chunks lie after all that HDF5 has placed.
 */
#ifndef SAL_CUBE_PLACE_H
#define SAL_CUBE_PLACE_H

#include "err.h"
#include "h5.h"
#include "h5_append_driver.h"
#include <stdint.h>

/** The open file; zero but for file.id, -1, is none. */
typedef struct {
  sal_h5 file;
  haddr_t placed;
  sal_h5_append_index index;
} sal_cube_place;

/** Opens path.part. */
SAL_MUST_CHECK sal_err sal_cube_place_open(const char *path, sal_cube_place *place);
/** Gives a dataset in one piece its room; where that begins. */
SAL_MUST_CHECK sal_err sal_cube_place_whole(sal_cube_place *place, const char *name, int64_t *at);
/** The end of what has its place. */
SAL_MUST_CHECK sal_err sal_cube_place_end(const sal_cube_place *place, int64_t *end);
/** The bytes between that place and `end` belong to the caller. */
SAL_MUST_CHECK sal_err sal_cube_place_claim(const sal_cube_place *place, int64_t end);
/** Where the root of the index of a dataset's chunks is, of so many bytes (cube_index.h).  It names a single chunk that is none, and
 *  must be written over when the file is closed. */
SAL_MUST_CHECK sal_err sal_cube_place_root(sal_cube_place *place, const char *name, int64_t bytes,
                                           int64_t *at);
/** Closes the file; err: something has failed before, and the file is to be given up. */
SAL_MUST_CHECK sal_err sal_cube_place_close(sal_cube_place *place, sal_err err);

#endif
