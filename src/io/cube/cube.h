/** The cube: the labelled HDF5 result of a sweep.
 *
 *  Dimensions cell, rtol, strategy, solver, the last three with a 1-D coordinate dataset attached as
 *  dimension scale.  `cell` has no values, so that no reader takes cells of two sweeps for the same
 *  ones; numbers of cells (`cell_number`), model parameters and initial state are coordinates along it.
 *
 *  The cells are all combinations of the points of the sweep's axes, the last axis running fastest.
 *  The attributes `axes` (names, with blanks between) and `axis_sizes` of the root group say which:
 *  with axes "n z_th" of sizes 7 and 4, cell number 4 i + j + 1 is point i of n with point j of
 *  z_th.  An axis of one quantity has the name of its coordinate (n, initial_z); one of several (rows,
 *  random, sobol) has their names in a row, and its points numbers from 1.  The group `axes` has a
 *  dataset of that name with the points of each.  A sweep with a single axis of several quantities, or
 *  with none, calls it `cell`, and has no such group.  Scattered cells come last; the attribute `scattered_cells` gives how
 *  many, if there are any, and no axis has them.
 *
 *  One dataset per line of kernels/metrics.def: counts as int64 and flags as int8, with -1 for
 *  missing values, the rest as double with NaN.  They carry units, long_name and, for flags,
 *  flag_values and flag_meanings (CF conventions), so that xarray.open_dataset(f,
 *  engine="h5netcdf") shows all of it by name.  Provenance stands in attributes of the root group.
 */
#pragma once

#include "metric.h"
#include <stdint.h>

/** The group of stored trajectories (stored_write.h). */
#define SAL_STORED_GROUP "trajectories"

/** The numbers of cells, 1 .., in the root group and those that have cells. */
#define SAL_CUBE_NUMBER "cell_number"

/** The group of the points of axes. */
#define SAL_AXES_GROUP "axes"

/** Dimensions of a metric of trajectories: cell, rtol, strategy, solver. */
enum { SAL_CUBE_DIM = 4 };

/** Groups of a cube, "" the root group. */
enum {
  SAL_CUBE_ROOT,
  SAL_CUBE_AXES,
  SAL_CUBE_BLOCKS,
  SAL_CUBE_MAP,
  SAL_CUBE_STORED,
  SAL_CUBE_GROUPS
};
extern const char *const sal_cube_verify_groups[SAL_CUBE_GROUPS];

/** A cube in memory; the caller frees it with sal_cube_free (cube_read.h). */
typedef struct {
  int64_t n_cell;
  int n_tolerance, n_strategy, n_method, n_param, n_state;
  char *model, *title, *sweep_text; /* of the provenance */
  char *given;                      /* to libraries by the user, sal_sweep_given */
  char *machine;                    /* that its cells come of (machine.h), or "" */
  bool same_program;                /* made by the very version that this is */
  char **strategy, **method;        /* names */
  char **param_name, **state_name;  /* [n_param], [n_state]; parameters without options */
  double *tolerance;                /* [n_tolerance] */
  double *param;                    /* [n_cell][n_param] */
  double *initial;                  /* [n_cell][n_state] */
  sal_cell_record *cell;            /* [n_cell] */
  sal_record *record;               /* [n_cell][n_tolerance][n_strategy][n_method] */
  int64_t n_mesh;
  double t_end;
} sal_cube;

/** Number of trajectories. */
int64_t sal_cube_open_records(const sal_cube *cube);
