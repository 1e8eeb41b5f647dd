/** The map of a cube: made by all ranks in rounds of cells and written into it, and what it takes before
 *  there is a cube.
 */
#pragma once

#include "map_rows.h"

/** Preset questions where there are none: the errors of that metric; if there are points the weights of
 *  Table 5 of the paper, all three alike, and each alone. */
void sal_map_presets(const sal_error_metric *by, bool points, sal_map *map);

/** Request of a map: its cube and its questions; strings are borrowed. */
typedef struct {
  const char *path;
  const sal_performance_chooser *chooser; /* NULL: all, or the presets of the sweep */
  /* Completes the questions once the table, which is empty, is known; NULL: they are complete. */
  sal_err (*ask)(const void *with, const sal_performance_table *of, sal_map *questions);
  const void *with;
} sal_map_request;

/** Result of a request; sal_map_made_free frees it. */
typedef struct {
  sal_map questions;         /* and what else holds for all cells; without places */
  sal_performance_cube cube; /* its sweep and its words; the table is empty */
  sal_map_summary summary;
} sal_map_made;
void sal_map_made_free(sal_map_made *made);

/** Collective.  Makes the map of a cube and writes it into the cube.  made->questions: error and
 *  weights, presets where it has none; the rest of *made is filled, also after a failure. */
sal_err sal_map_cube(MPI_Comm comm, const sal_map_request *request, sal_map_made *made);

/** Cells without a reference whose runs by time stepping at the two tightest tolerances have come to the end, and how far
 *  these lie apart in the mean (ensemble/captured.h): an error of neither. */
typedef struct {
  int64_t cells;
  double least, most;
} sal_map_captured;
sal_err sal_map_captured_count(const char *path, const sal_sweep *sweep,
                               sal_map_captured *captured);

/** Collective.  The map of the preset questions, into path.part, the whole cube of a sweep that has no
 *  name yet.  rows: of all its cells (sal_map_rows_presets), so that none is read; NULL: they are read.  Where the sweep
 *  can have no map path.part is as it was, and `why` is the reason, on all ranks; "" when it has one.  No memory, and a
 *  part that cannot be read, are failures. */
sal_err sal_map_cube_part(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                          sal_map_rows *rows, size_t size, char why[]);

/** Memory, bytes and time of the map of a sweep.  fits: ranks have room for its rows; once: of the cube that `saltus map` reads; moved: from rank to rank, where any rank needs what any has;
 *  written: into it; rows: memory of a rank for them, memory: for the rest; seconds: CPU time of all. */
typedef struct {
  bool fits;
  double once, moved, written, rows, memory, seconds;
} sal_map_size;

/** Predicts the map of the preset questions, made by n_rank ranks.  A sweep whose n_cell is a multiple of its grid is
 *  sized as if it had as many. */
sal_map_size sal_map_size_of(const sal_sweep *sweep, const sal_packed_size *packed, int n_rank);

/** Refuses (SAL_ERR_INPUT) a map whose rows so many ranks have no room for. */
sal_err sal_map_size_check(const sal_sweep *sweep, int n_rank);

/** Cells of the sweep over those of its grid: 1 but where a larger one is simulated. */
double sal_map_size_times(const sal_sweep *sweep);
