/** @file src/io/cube/cube_cuts.h
 *  The chunks of a round, from all ranks into the file; for the sources of this folder alone.
 *
 *  A rank deflates its own chunks, the first one gives each its place, and all write.
 */
#ifndef SAL_CUBE_CUTS_H
#define SAL_CUBE_CUTS_H

#include "cube_deflate.h"
#include "cube_place.h"
#include "err.h"
#include "shared_file.h"
#include "sweep.h"
#include "tile.h"
#include <mpi.h>

/** A chunk: of which metric, its first cell, bytes. */
typedef struct {
  int64_t metric, first, bytes;
} sal_cube_cut;

/** Zero but for comm, path, and what is not open yet; sal_cube_cuts_free frees it. */
typedef struct {
  MPI_Comm comm;
  const char *path;
  sal_shared_file data; /* path.part on all ranks */
  sal_cube_place place; /* the same on the first one */
  sal_cube_deflate deflated;
  sal_cube_cut *cut; /* [n] of them, in their order */
  int64_t n, room;
} sal_cube_cuts;

void sal_cube_cuts_free(sal_cube_cuts *cuts);

/** Adds the chunks of a run of cells, which begins where one does and ends so, too, or with the last cell:
 *  packed values of metric i. */
SAL_MUST_CHECK sal_err sal_cube_cuts_add(sal_cube_cuts *cuts, const sal_sweep *sweep, int i,
                                         sal_tile run, const void *packed);
/** Collective.  Writes what has been added since the last call. */
SAL_MUST_CHECK sal_err sal_cube_cuts_write(sal_cube_cuts *cuts);

#endif
