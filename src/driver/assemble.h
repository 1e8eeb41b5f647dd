/** The cube from journals, with its trajectories and its map, in rounds that bound the memory of
 *  each rank; trajectories of a finished cube.
 */
#pragma once

#include "build.h"
#include "cube_read.h"
#include "journal_state.h"

/** Ranges of points, which the cube needs before its first record is written: kept by the journals of a sweep, which is borrowed, with
 *  each record (sal_journal_open), so that nothing is read for it alone. */
sal_journal_ranges sal_assemble_ranges(const sal_sweep *sweep);

/** Options of the assembly; strings are borrowed. */
typedef struct {
  const char *path;
  const sal_origin *origin;
  bool fresh;                   /* a file that has appeared at the path is refused, not replaced */
  bool map;                     /* of the preset questions */
  const char *hints;            /* for MPI-IO (hints.h), or NULL */
  struct sal_cube_ahead *ahead; /* chunks of its cells that are there (cube_write.h); NULL: none */
  char no_map[1024];            /* filled: why the cube has none; "" when it has */
} sal_assembly;

/** Collective.  Writes the cube; the journals, which hold all cells, stay.  Each record is read
 *  once, and the file is renamed when everything is in it.  SAL_ERR_STOPPED after a signal.  A cube
 *  that gives no map is still a cube. */
sal_err sal_assemble(const sal_journal *journal, sal_assembly *assembly);

/* ---- Chosen cells run once more, and their trajectories put into a cube. ---- */

/** Collective.  Fills the group `trajectories` of path.part, a whole cube of the sweep, with what
 *  sweep->stored selects; path.part keeps its name.  Where `recorded` is not NULL the runs must be
 *  those that this cube holds: outcomes, ends and steps are compared.  A signal ends it with
 *  SAL_ERR_STOPPED, and the message is the caller's to give; after a failure that leaves the file
 *  half open in parallel sal_err_must_abort returns true. */
sal_err sal_stored_cube_fill(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                             sal_cube_file *recorded);
