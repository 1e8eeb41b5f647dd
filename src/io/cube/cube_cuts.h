/** @file src/io/cube/cube_cuts.h
 *  The chunks of a cube, from all ranks into the file; for the sources of this folder alone.
 *
 *  A rank deflates its own chunks of a round, which lie one after another in the file, after those of the ranks before
 *  it: sums over the ranks give the place.  The first rank receives their lengths, and indexes all of them in the end
 *  (cube_index.h).
 */
#ifndef SAL_CUBE_CUTS_H
#define SAL_CUBE_CUTS_H

#include "block_sums.h"
#include "cube_deflate.h"
#include "cube_place.h"
#include "err.h"
#include "shared_file.h"
#include "sweep.h"
#include "tile.h"
#include <mpi.h>

/** Chunks first .. first + n - 1 of each metric that is cut.  at: where those of the rank and round begin, metric after
 *  metric; -1: it has other runs of chunks ahead of this one. */
typedef struct {
  int64_t first, n, at;
} sal_cube_run;

/** Zero but for comm, path, and what is not open yet; sal_cube_cuts_free frees it. */
typedef struct {
  MPI_Comm comm;
  const char *path;
  const sal_sweep *sweep;
  int rank;
  sal_shared_file data; /* path.part on all ranks */
  sal_cube_place place; /* the same on the first one */
  int n_cut;            /* metrics */
  int cut[SAL_BLOCK_METRICS];
  int64_t n_chunk; /* of each */
  int64_t end;     /* of all chunks of the rounds before */
  /* of this rank and round */
  sal_cube_deflate deflated;
  uint32_t *bytes; /* [n] of its chunks, in their order */
  int64_t n, room;
  sal_cube_run *run; /* [n_run] */
  int64_t n_run, run_room;
  /* of all, on the first rank */
  uint32_t *all;      /* [n_cut][n_chunk] bytes; 0: not there yet */
  sal_cube_run *runs; /* [n_runs] */
  int64_t n_runs, runs_room;
} sal_cube_cuts;

/** Collective.  Chunks go after what has its place in the file, which is open. */
SAL_MUST_CHECK sal_err sal_cube_cuts_begin(sal_cube_cuts *cuts, const sal_sweep *sweep);
void sal_cube_cuts_free(sal_cube_cuts *cuts);

/** Adds the chunks of a run of cells, which begins where one does and ends so, too, or with the last cell:
 *  packed values of metric i.  Metrics that are cut come in their order, each with the same runs. */
SAL_MUST_CHECK sal_err sal_cube_cuts_add(sal_cube_cuts *cuts, int i, sal_tile run,
                                         const void *packed);
/** Collective.  Writes what has been added since the last call. */
SAL_MUST_CHECK sal_err sal_cube_cuts_write(sal_cube_cuts *cuts);
/** On the first rank.  Closes the file in HDF5 and writes the index of all chunks, which are there, unless something has failed
 *  (err). */
SAL_MUST_CHECK sal_err sal_cube_cuts_end(sal_cube_cuts *cuts, sal_err err);

#endif
