/** @file src/io/cube/cube.h
 *  The cube: the labelled HDF5 result of a sweep.
 *
 *  Dimensions cell, tolerance, strategy, method, each with a 1-D coordinate dataset attached as
 *  dimension scale; model parameters and initial state as further coordinates along `cell`.
 *
 *  The cells are all combinations of the points of the sweep's axes, the last axis running fastest.
 *  The attributes `axes` (names, with blanks between) and `axis_sizes` of the root group say which:
 *  with axes "n z_th" of sizes 7 and 4, cell number 4 i + j + 1 is point i of n with point j of
 * z_th. An axis of one quantity has the name of its coordinate (n, initial_z) and a dataset
 * axis_NAME with its values.  One of several (rows, random, sobol) has their names in a row, and
 * its points numbers from 1; a sweep with that single axis, or with none, calls it `cell`, whose
 * scale is that already.
 *  Scattered cells come last; the attribute `scattered_cells` tells how many, if there are any, and
 *  no axis has them.
 *
 *  One
 *  dataset per line of kernels/metrics.def: counts as int64 and flags as int8, with -1 for missing
 *  values, the rest as double with NaN.  They carry units, long_name and, for flags, flag_values
 *  and flag_meanings (CF conventions), so that xarray.open_dataset(f, engine="h5netcdf") shows all
 *  of it by name.  Provenance stands in attributes of the root group.
 */
#ifndef SAL_CUBE_H
#define SAL_CUBE_H

#include "err.h"
#include "map.h"
#include "metric.h"
#include "sweep.h"
#include "text.h"
#include "tile.h"
#include <mpi.h>
#include <stdio.h>

/** Dimensions of a metric of trajectories: cell, tolerance, strategy, method. */
enum { SAL_CUBE_DIM = 4 };

/** Where a result comes from; strings are borrowed. */
typedef struct {
  const char *command; /* the command line */
  int         ranks, threads, width;
  double      wall_seconds;
} sal_origin;

/** Collective over comm.  Writes the cube at `path` from the results of all ranks, which together
 *  hold each cell once.  Rank 0 creates path.part with all metadata, all ranks write, and the
 *  finished file is renamed to `path`.  A failure is the same on all ranks and leaves no file; when
 *  it came while all wrote, HDF5 cannot close the file any more, and sal_err_must_abort says so. */
SAL_MUST_CHECK sal_err sal_cube_write(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                                      const sal_origin *origin, int n_slab,
                                      const sal_tile_result result[]);

/** Where a rank's results come from when not all of them fit into its memory. */
typedef struct {
  int64_t rounds; /* the same on all ranks */
  /* This rank's results of a round, 0 ..; they are borrowed until the next call. */
  sal_err (*get)(void *with, int64_t round, int *n_slab, const sal_tile_result **result);
  /* Collective: adds to path.part, the whole cube, before it is renamed; NULL: nothing to add. */
  sal_err (*add)(void *with);
  void *with;
  bool  fresh;         /* a file that has appeared at the path is refused, not replaced */
  bool  count_missing; /* some count of a trajectory is not known */
} sal_cube_source;

/** The same from results that come in rounds. */
SAL_MUST_CHECK sal_err sal_cube_write_rounds(MPI_Comm comm, const char *path,
                                             const sal_sweep *sweep, const sal_origin *origin,
                                             const sal_cube_source *source);

/** Bytes the cube of a sweep will take on the disk, to a few per cent. */
int64_t sal_cube_bytes(const sal_sweep *sweep);

/** Cells a rank should bring to one round, so that memory stays bounded; at least 1. */
int64_t sal_cube_round(const sal_sweep *sweep);

/** Bytes of memory that a rank takes to write it when it has `cells` of the cells, the results of a
 *  round included; the first rank, which makes the frame, takes most. */
int64_t sal_cube_memory(const sal_sweep *sweep, int64_t cells, bool first);

/** Adds the name that axis number a of a sweep has in its cube: "n", "initial_z", "z_th". */
void sal_axes_write_name(const sal_sweep *sweep, int a, sal_text *name);

/** A cube in memory; the caller frees it with sal_cube_free. */
typedef struct {
  int64_t          n_cell;
  int              n_tolerance, n_strategy, n_method, n_param, n_state;
  char            *model, *title, *sweep_text; /* of the provenance */
  bool             same_program;               /* made by the very version that this is */
  char           **strategy, **method;         /* names */
  char           **param_name, **state_name; /* [n_param], [n_state]; parameters without options */
  double          *tolerance;                /* [n_tolerance] */
  double          *param;                    /* [n_cell][n_param] */
  double          *initial;                  /* [n_cell][n_state] */
  sal_cell_record *cell;                     /* [n_cell] */
  sal_record      *record;                   /* [n_cell][n_tolerance][n_strategy][n_method] */
  int64_t          n_mesh;
  double           t_end;
} sal_cube;

/** Reads a whole cube (serial).  A metric that the file does not know is missing in all records,
 *  that is NaN.  Says what is wrong when the file is no cube of ours. */
SAL_MUST_CHECK sal_err sal_cube_read(const char *path, sal_cube *cube);
void                   sal_cube_free(sal_cube *cube);

/** A cube read a few cells at a time, for those that do not fit into memory. */
typedef struct sal_cube_file sal_cube_file;

/** Opens a cube (serial) and reads its frame, everything but the metrics, into *frame; the caller
 *  frees both. */
SAL_MUST_CHECK sal_err sal_cube_file_open(const char *path, sal_cube_file **file, sal_cube *frame);
/** Reads n of the metrics, and all metrics of cells, of result->count cells from result->first on;
 * the arrays are there, and other metrics are NaN.  So is a metric that the file does not have. */
SAL_MUST_CHECK sal_err sal_cube_file_read(sal_cube_file *file, int n, const int metric[],
                                          sal_tile_result *result);
void                   sal_cube_file_close(sal_cube_file **file);

/** Writes a map into the group `map` of a cube (serial), in place of the one it has.  Like the cube
 *  itself it appears whole or not at all: this is done in a copy that is renamed. */
SAL_MUST_CHECK sal_err sal_map_write(const char *path, const sal_sweep *sweep, const sal_map *map);

/** The same in two steps for path.part, a whole cube that has no name yet: claims room for a map,
 *  after whose failure path.part is as it was, and writes it, after whose failure it is lost. */
SAL_MUST_CHECK sal_err sal_map_write_room(const char *path, const sal_sweep *sweep,
                                          const sal_map *map);
SAL_MUST_CHECK sal_err sal_map_write_part(const char *path, const sal_sweep *sweep,
                                          const sal_map *map);

/** Prints what a cube holds: dimensions, coordinates, outcomes, provenance. */
SAL_MUST_CHECK sal_err sal_cube_info(const char *path, FILE *out);

/** Compares coordinates and all metrics but those of kind TIMING, bit by bit (any NaN equals any
 *  NaN).  Prints one line per dataset that differs (how many values, the first place, the largest
 *  difference) and sets *same. */
SAL_MUST_CHECK sal_err sal_cube_diff(const char *path_a, const char *path_b, FILE *out, bool *same);

/** Writes one trajectory as HDF5 (serial), replacing `path`.  Along t [n]: the states [n][n_state]
 *  and mode [n], left out when closed is NULL.  Along event_t [n_event]: event_name, event_contact,
 *  and event_<state>, the states behind each event.  The parameters are single values; setup and
 *  program are attributes. */
SAL_MUST_CHECK sal_err sal_trajectory_write(const char *path, const sal_setup *setup,
                                            const double param[], int64_t n, const double t[],
                                            const double state[], const uint8_t closed[],
                                            int64_t n_event, const sal_event event[]);

#endif
