/** @file src/io/cube/cube_open.h
 *  An open cube, for the sources of this folder alone: its frame, its seals, and what its layout calls things.
 */
#ifndef SAL_CUBE_OPEN_H
#define SAL_CUBE_OPEN_H

#include "cube.h"
#include "err.h"
#include "h5.h"
#include "metric.h"
#include "provenance.h"
#include "variable.h"

/* Opening a cube, and its frame: dimensions and coordinates. */

/** Opens a cube for reading and verifies its seals, or says why it is none.  The caller closes it. */
SAL_MUST_CHECK sal_err sal_cube_open(const char *path, sal_h5 *file);

/** Reads everything but what is along cells into *cube, which is zero before; the caller frees it.
 *  Of parameters and initial states it makes sure that they are there. */
SAL_MUST_CHECK sal_err sal_cube_open_frame(const sal_h5 *file, sal_cube *cube);
/** Reads parameters and initial states of all cells into the frame. */
SAL_MUST_CHECK sal_err sal_cube_open_columns(const sal_h5 *file, sal_cube *cube);

/* Is a cube what was written, values aside?
 *
 * The root group and each group in it have a seal of their own (group_seal.h), so that a map or
 * trajectories can be added to a sealed cube. */

/** Verifies the seals of an open cube of that layout, and adds the attributes and objects that a user added to
 *  *foreign (group_seal.h).  What is damaged or was edited is SAL_ERR_IO; a
 *  seal that is missing where the layout has one, and a group that is none or lies elsewhere,
 *  SAL_ERR_INPUT. */
SAL_MUST_CHECK sal_err sal_cube_verify(const sal_h5 *file, int layout, sal_cube_verified *found,
                                       sal_text *foreign);

/** Names of the objects in group `name` of an open cube, sorted: those under its seal, and of a group
 *  without one all.  sal_h5_text_free frees them, also after a failure. */
SAL_MUST_CHECK sal_err sal_cube_verify_objects(const sal_h5 *file, const char *name, int *n,
                                               char ***object);

/* Layouts of cubes: what datasets are called in each.
 *
 * Layout 1 called the dimensions `rtol` and `solver` `tolerance` and `method`; xarray's
 * sel(method=.., tolerance=..) takes these for arguments of its own and selects nothing.  Layout 2 kept
 * texts as strings of one length, on which netCDF-C crashes.  Up to layout 3 the numbers of cells were the
 * scale of `cell`, and the points of axes datasets axis_NAME of the root group.  A change that an
 * old reader would misread raises SAL_PROVENANCE_LAYOUT. */

/** The layout that is written, the oldest one that is read, the first one with the names of
 *  today's dimensions, that has a seal, and whose cells are no scale. */
enum {
  SAL_CUBE_LAYOUT = SAL_PROVENANCE_LAYOUT,
  SAL_CUBE_LAYOUT_OLDEST = 1,
  SAL_CUBE_LAYOUT_NAMED = 2,
  SAL_CUBE_LAYOUT_SEALED = 3,
  SAL_CUBE_LAYOUT_NUMBERED = 4
};

/** What a dataset ("solver", "map/by_error_solver", no points of an axis) is called in a file of that layout, and what
 *  one of that layout is called now. */
const char *sal_cube_layout_name(int layout, const char *name);
const char *sal_cube_layout_name_now(int layout, const char *name);

/** Reads the layout of a file; one that this saltus does not know is SAL_ERR_INPUT. */
SAL_MUST_CHECK sal_err sal_cube_layout_read(const sal_h5 *file, int *layout);

/** Makes the dimension of cells in a group of a file of that layout, and the dataset of their numbers, of
 *  which `number` [dim->size] is NULL where they are written later; at_once: see sal_variable. */
SAL_MUST_CHECK sal_err sal_cube_layout_put_cells(const sal_h5 *group, int layout,
                                                 const sal_variable_dim *dim, bool at_once,
                                                 const int64_t *number);

/** Gives the datasets of a cube that is open for writing the names of today, which makes it one of layout
 *  2 at least.  Values and types stay; what the older layout does not have, such as checksums and a
 *  seal, is not added: a command that adds a map cannot vouch for what was there. */
SAL_MUST_CHECK sal_err sal_cube_layout_convert(const sal_h5 *file);

/** Of a cube without `max_error_partial`: what it calls `max_error` of a run that was stopped at its cap
 *  is that. */
void sal_cube_layout_older_run(sal_record *run);

#endif
