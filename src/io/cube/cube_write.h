/** @file src/io/cube/cube_write.h
 *  All ranks bring their results into one cube.
 */
#ifndef SAL_CUBE_WRITE_H
#define SAL_CUBE_WRITE_H

#include "cube.h"
#include "err.h"
#include "sweep.h"
#include "tile.h"
#include <mpi.h>

/** Collective over comm.  Writes the cube at `path` from the results of all ranks, which together
 *  hold each cell once.  Rank 0 creates path.part with all metadata, all ranks write, and the
 *  finished file is renamed to `path`.  A failure is the same on all ranks and leaves no file; when
 *  it came while all wrote, HDF5 cannot close the file any more, and sal_err_must_abort says so. */
SAL_MUST_CHECK sal_err sal_cube_write(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                                      const sal_cube_origin *origin, int n_slab,
                                      const sal_tile_result result[]);

/** Where a rank's results come from when not all of them fit into its memory. */
typedef struct {
  int64_t rounds; /* the same on all ranks */
  /* This rank's results of a round, 0 ..; they are borrowed until the next call. */
  sal_err (*get)(void *with, int64_t round, int *n_slab, const sal_tile_result **result);
  /* Collective: adds to path.part, the whole cube, before it is renamed; NULL: nothing to add. */
  sal_err (*add)(void *with);
  void *with;
  const char *hints; /* for MPI-IO (hints.h), or NULL */
  bool fresh;        /* a file that has appeared at the path is refused, not replaced */
} sal_cube_source;

/** The same from results that come in rounds. */
SAL_MUST_CHECK sal_err sal_cube_write_rounds(MPI_Comm comm, const char *path,
                                             const sal_sweep *sweep, const sal_cube_origin *origin,
                                             const sal_cube_source *source);

#endif
