/** @file src/io/cube/cube_layout.c
 *  Layouts of cubes: what datasets are called in each.
 */
#include "cube_open.h"
#include <hdf5_hl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a dataset is called since a layout, and what it was called before. */
static const struct renamed {
  int since;
  const char *now, *then;
} renamed[] = {
    {SAL_CUBE_LAYOUT_NAMED, "rtol", "tolerance"},
    {SAL_CUBE_LAYOUT_NAMED, "solver", "method"},
    {SAL_CUBE_LAYOUT_NAMED, "map/rtol", "map/tolerance"},
    {SAL_CUBE_LAYOUT_NAMED, "map/by_error_solver", "map/by_error_method"},
    {SAL_CUBE_LAYOUT_NAMED, "map/by_error_rtol", "map/by_error_at"},
    {SAL_CUBE_LAYOUT_NAMED, "map/by_error_second_solver", "map/by_error_second_method"},
    {SAL_CUBE_LAYOUT_NAMED, "map/by_error_second_rtol", "map/by_error_second_at"},
    {SAL_CUBE_LAYOUT_NAMED, "map/by_points_solver", "map/by_points_method"},
    {SAL_CUBE_LAYOUT_NAMED, "map/by_points_rtol", "map/by_points_at"},
    {SAL_CUBE_LAYOUT_NAMED, "map/by_points_second_solver", "map/by_points_second_method"},
    {SAL_CUBE_LAYOUT_NAMED, "map/by_points_second_rtol", "map/by_points_second_at"},
    {SAL_CUBE_LAYOUT_NAMED, "trajectories/rtol", "trajectories/tolerance"},
    {SAL_CUBE_LAYOUT_NAMED, "trajectories/solver", "trajectories/method"},
    {SAL_CUBE_LAYOUT_NUMBERED, SAL_CUBE_NUMBER, "cell"},
    {SAL_CUBE_LAYOUT_NUMBERED, "map/" SAL_CUBE_NUMBER, "map/cell"},
    {SAL_CUBE_LAYOUT_NUMBERED, "trajectories/" SAL_CUBE_NUMBER, "trajectories/cell"},
};
enum { N_RENAMED = sizeof renamed / sizeof *renamed };

const char *sal_cube_layout_name(int layout, const char *name)
{
  for (int i = 0; i < N_RENAMED; ++i)
    if (layout < renamed[i].since && strcmp(renamed[i].now, name) == 0) return renamed[i].then;
  return name;
}

const char *sal_cube_layout_name_now(int layout, const char *name)
{
  for (int i = 0; i < N_RENAMED; ++i)
    if (layout < renamed[i].since && strcmp(renamed[i].then, name) == 0) return renamed[i].now;
  return name;
}

sal_err sal_cube_layout_read(const sal_h5 *file, int *layout)
{
  int64_t found = 0;

  SAL_TRY(sal_h5_get(file, "layout", H5T_NATIVE_INT64, &found));
  *layout = (int)found;
  if (found >= SAL_CUBE_LAYOUT_OLDEST && found <= SAL_CUBE_LAYOUT) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: has layout %lld; this saltus reads layouts %d to %d",
                  file->path, (long long)found, SAL_CUBE_LAYOUT_OLDEST, SAL_CUBE_LAYOUT);
}

sal_err sal_cube_layout_put_cells(const sal_h5 *group, int layout, const sal_variable_dim *dim,
                                  bool at_once, const int64_t *number)
{
  const bool scale = layout < SAL_CUBE_LAYOUT_NUMBERED;
  const sal_variable v = {.name = sal_cube_layout_name(layout, SAL_CUBE_NUMBER),
                          .unit = "1",
                          .what = "cell of the parameter grid",
                          .kind = "coordinate",
                          .type = SAL_DATATYPE_WHOLE,
                          .at_once = at_once,
                          .in_one = !number,
                          .scale = scale,
                          .n_dim = 1,
                          .dim = dim};

  if (!scale) SAL_TRY(sal_dimension_create(group, dim));
  return sal_variable_create(group, &v, number);
}

/* Moves a dataset, if it is there; a scale also holds its own name. */
static sal_err rename_dataset(const sal_h5 *file, const char *then, const char *now)
{
  const char *slash = strchr(now, '/');
  char group[32];
  bool there = true;

  if (slash) { /* the group first: HDF5 fails on a path through one that is not there */
    snprintf(group, sizeof group, "%.*s", (int)(slash - now), now);
    SAL_TRY(sal_h5_has(file, group, &there));
  }
  if (there) SAL_TRY(sal_h5_has(file, then, &there));
  if (!there) return SAL_OK;
  SAL_TRY_H5(file, H5Lmove(file->id, then, file->id, now, H5P_DEFAULT, H5P_DEFAULT));
  SAL_HID set = H5Dopen2(file->id, now, H5P_DEFAULT);
  SAL_TRY_H5(file, set);
  if (H5DSis_scale(set) > 0) SAL_TRY_H5(file, H5DSset_scale(set, slash ? slash + 1 : now));
  return SAL_OK;
}

sal_err sal_cube_layout_convert(const sal_h5 *file)
{
  const int64_t now = SAL_CUBE_LAYOUT_NAMED;
  int layout;

  SAL_TRY(sal_cube_layout_read(file, &layout));
  if (layout >= SAL_CUBE_LAYOUT_NAMED) return SAL_OK;
  for (int i = 0; i < N_RENAMED && renamed[i].since == SAL_CUBE_LAYOUT_NAMED; ++i)
    SAL_TRY(rename_dataset(file, renamed[i].then, renamed[i].now));
  SAL_HID attribute = H5Aopen(file->id, "layout", H5P_DEFAULT);
  SAL_TRY_H5(file, attribute);
  SAL_TRY_H5(file, H5Awrite(attribute, H5T_NATIVE_INT64, &now));
  return SAL_OK;
}

void sal_cube_layout_older_run(sal_record *run)
{
  double *v = run->value;

  if (sal_metric_finished(v[SAL_METRIC_OUTCOME])) return;
  v[SAL_METRIC_MAX_ERROR_PARTIAL] = v[SAL_METRIC_MAX_ERROR];
  v[SAL_METRIC_MAX_ERROR] = NAN;
}
