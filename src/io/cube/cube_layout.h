/** @file src/io/cube/cube_layout.h
 *  Layouts of cubes: what datasets are called in each.
 *
 *  Layout 1 called the dimensions `rtol` and `solver` `tolerance` and `method`; xarray's
 *  sel(method=.., tolerance=..) takes these for arguments of its own and selects nothing.  Layout 2 kept
 *  texts as strings of one length, on which netCDF-C crashes.  A change
 *  that an old reader would misread raises SAL_CUBE_LAYOUT.
 */
#ifndef SAL_CUBE_LAYOUT_H
#define SAL_CUBE_LAYOUT_H

#include "h5.h"
#include "metric.h"

/** The layout that is written, the oldest one that is read, the first one with the names of today, and
 *  the first one that has a seal. */
enum {
  SAL_CUBE_LAYOUT = 3,
  SAL_CUBE_LAYOUT_OLDEST = 1,
  SAL_CUBE_LAYOUT_NAMED = 2,
  SAL_CUBE_LAYOUT_SEALED = 3
};

/** What a dataset ("solver", "map/by_error_solver") is called in a file of that layout, and what
 *  one of that layout is called now. */
const char *sal_cube_layout_name(int layout, const char *name);
const char *sal_cube_layout_name_now(int layout, const char *name);

/** Reads the layout of a file; one that this saltus does not know is SAL_ERR_INPUT. */
SAL_MUST_CHECK sal_err sal_cube_layout_read(const sal_h5 *file, int *layout);

/** Gives the datasets of a cube that is open for writing the names of today, which makes it one of layout
 *  2 at least.  Values and types stay; what the older layout does not have, such as checksums and a
 *  seal, is not added: a command that adds a map cannot vouch for what was there. */
SAL_MUST_CHECK sal_err sal_cube_layout_convert(const sal_h5 *file);

/** Of a cube without `reference_error_watched`: what it calls `reference_error` is that, and the
 *  error of all states is not known. */
void sal_cube_layout_older(sal_cell_record *cell);

/** Of a cube without `max_error_partial`: what it calls `max_error` of a run that was stopped at its cap
 *  is that. */
void sal_cube_layout_older_run(sal_record *run);

#endif
