/** @file src/io/cube/cube_place.h
 *  Where the values of a cube go: what one rank alone knows of its chunks, for the sources of this folder.
 *
 *  HDF5 has the file open on one rank, by a driver that places values and writes none; all ranks write
 *  them there (shared_file.h).  So no rank waits in HDF5 for another one, nor does HDF5 meet a full
 *  disk with values in hand.
 */
#ifndef SAL_CUBE_PLACE_H
#define SAL_CUBE_PLACE_H

#include "block_sums.h"
#include "err.h"
#include "h5.h"
#include "sweep.h"
#include <stdbool.h>
#include <stdint.h>

/** The open file; zero but for set, all -1, is none. */
typedef struct {
  sal_h5 file;
  haddr_t placed;
  hid_t set[SAL_BLOCK_METRICS]; /* those that are cut, open */
  char *nothing;                /* [room] bytes that are not written */
  int64_t room;
} sal_cube_place;

/** Opens path.part. */
SAL_MUST_CHECK sal_err sal_cube_place_open(const char *path, const sal_sweep *sweep,
                                           sal_cube_place *place);
/** Gives a dataset in one piece its room; where that begins. */
SAL_MUST_CHECK sal_err sal_cube_place_whole(sal_cube_place *place, const char *name, int64_t *at);
/** The same for the chunk of a metric that begins with cell `first` and has so many bytes. */
SAL_MUST_CHECK sal_err sal_cube_place_chunk(sal_cube_place *place, int metric, int64_t first,
                                            int64_t bytes, int64_t *at);
/** Writes the index of all chunks, unless something has failed (err), and closes the file. */
SAL_MUST_CHECK sal_err sal_cube_place_close(sal_cube_place *place, sal_err err);

#endif
