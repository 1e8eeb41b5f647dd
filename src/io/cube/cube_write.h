/** All ranks bring their results into one cube. */
#pragma once

#include "build.h"
#include "packed_size.h"
#include <mpi.h>

/** Chunks of finished cells, which are in path.part before the cube is. */
typedef struct sal_cube_ahead sal_cube_ahead;

/** Are there such chunks, on so many ranks?  Then the cells of one, else 0.  A sweep has none whose metrics follow from all
 *  its cells, nor one that is written in a moment. */
int64_t sal_cube_ahead_unit(const sal_sweep *sweep, int n_rank);
/** Collective.  Makes path.part, which sal_cube_ahead_close removes unless a cube has been written with it. */
sal_err sal_cube_ahead_open(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                            const char *hints, sal_cube_ahead **ahead);
/** By any rank at any time: writes the chunks that these cells have whole.  A failure, of a full disk, say, has no message: this
 *  rank writes no more, and what is missing comes with the cube. */
void sal_cube_ahead_put(sal_cube_ahead *ahead, const sal_tile_result *cells);
/** Collective; harmless on NULL. */
void sal_cube_ahead_close(sal_cube_ahead **ahead);

/** Where a rank's results come from when not all of them fit into its memory. */
typedef struct {
  int64_t rounds; /* the same on all ranks */
  /* This rank's result of a round, 0 ..; its arrays are borrowed until the next call.  It begins and ends where chunks do
   * (cube_chunk.h), or with the last cell; count 0: none. */
  sal_err (*get)(void *with, int64_t round, sal_tile_result *result);
  /* Collective: adds to path.part, the whole cube, before it is renamed; NULL: nothing to add. */
  sal_err (*add)(void *with);
  void *with;
  const char *hints;     /* for MPI-IO (hints.h), or NULL */
  sal_cube_ahead *ahead; /* chunks that are there; NULL: none */
  bool fresh;            /* a file that has appeared at the path is refused, not replaced */
} sal_cube_source;

/** Collective over comm.  Writes the cube at `path` from the results of all ranks and rounds, which together
 *  hold each cell once.  Rank 0 creates path.part with all metadata, all ranks write, and the
 *  finished file is renamed to `path`.  A failure is the same on all ranks and leaves no file. */
sal_err sal_cube_write_rounds(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                              const sal_origin *origin, const sal_cube_source *source);

/** Size of a cube: bytes on the disk, and of memory in each rank that writes it. */
typedef struct {
  int64_t frame;   /* coordinates and labels */
  int64_t metrics; /* the rest, to a few per cent if `packed` has seen cells like its own .. */
  int64_t index;   /* .. of which this is the index of chunks, which one rank writes */
  int64_t rounds;  /* in which a rank writes its cells .. */
  int64_t
      pieces; /* .. each in so many requests: one for each dataset in one piece, for the sums of the blocks of each metric, and for all chunks */
  int64_t memory; /* the results of a round and what MPI and HDF5 hold meanwhile */
  int64_t first,
      chunks; /* of the first rank alone: while it makes the frame; the list of all chunks and the index of one metric */
} sal_cube_size;

sal_cube_size sal_cube_size_of(const sal_sweep *sweep, const sal_packed_size *packed,
                               int64_t cells_of_rank);

/** Bytes to claim after the frame of a cube, so that all fits in that is in one piece. */
int64_t sal_cube_room(const sal_sweep *sweep);

/** Bytes that are enough for a frame and all that is in one piece. */
int64_t sal_cube_frame_room(const sal_sweep *sweep);

/** Cells a rank should bring to one round, so that memory stays bounded: whole chunks, at least one. */
int64_t sal_cube_round(const sal_sweep *sweep);

/* Names of the axes of a sweep in its cube. */
