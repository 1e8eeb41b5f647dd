/** Writes the data by which a reader turns the dimension `cell` back into a grid. */
#include "cube_frame.h"
#include "group_seal.h"
#include "parameter_column.h"

bool sal_axes_are_cells(const sal_sweep *s)
{
  return s->n_axis == 0 || (s->n_axis == 1 && sal_axis_joint(&s->axis[0]));
}

/* A coordinate along the axis, its own scale. */
static sal_variable describe_axis(const sal_model *m, const sal_axis *axis,
                                  const sal_variable_dim *dim)
{
  sal_variable v = {.unit = "1",
                    .what = "number of the point of the axis",
                    .kind = "coordinate",
                    .type = SAL_DATATYPE_WHOLE,
                    .n_dim = 1,
                    .dim = dim};

  if (!sal_axis_joint(axis)) v = sal_variable_of_quantity(m, axis->column[0], 1, dim);
  v.name = dim->name;
  return v;
}

static sal_err put_axis(const sal_h5 *group, const sal_sweep *sweep, int a)
{
  const sal_axis *axis = &sweep->axis[a];
  SAL_OWN_BY(sal_text_free) sal_text name = {0};
  SAL_OWN double *value = NULL;
  SAL_OWN double *packed = NULL;

  SAL_TRY_ROOM(group, value, axis->n_point);
  SAL_TRY_ROOM(group, packed, axis->n_point);
  for (int64_t i = 0; i < axis->n_point; ++i)
    value[i] = sal_axis_joint(axis) ? (double)(i + 1) : sal_axis_value(axis, i, 0);
  sal_parameter_axis_name(sweep, a, &name);
  if (name.lost) return sal_h5_full(group);
  const sal_variable_dim dim = {name.string, (hsize_t)axis->n_point};
  sal_variable v = describe_axis(sweep->model, axis, &dim);
  v.scale = true;
  sal_datatype_pack(v.type, axis->n_point, value, 1, packed);
  return sal_variable_create(group, &v, packed);
}

/* Each in a group of its own, which opens by itself, so that their dimensions are none of the cube's. */
static sal_err put_axes(const sal_h5 *file, const sal_sweep *sweep)
{
  SAL_HID group = -1;

  SAL_TRY(sal_h5_is_new(file, SAL_AXES_GROUP));
  SAL_TRY(sal_h5_create_group(file, file->id, SAL_AXES_GROUP, &group));
  const sal_h5 in = {group, file->path, SAL_DIMENSION_OF_AXES};
  for (int a = 0; a < sweep->n_axis; ++a) SAL_TRY(put_axis(&in, sweep, a));
  SAL_TRY(sal_group_seal_prepare(&in));
  return sal_group_seal_put(&in);
}

sal_err sal_axes_write(const sal_h5 *file, const sal_sweep *sweep)
{
  sal_text names = {0};
  int64_t size[SAL_MAX_AXIS] = {sweep->n_cell};
  int64_t scattered = sweep->n_cell - sweep->n_grid;
  int n = 1;

  if (sal_axes_are_cells(sweep)) {
    sal_text_add(&names, "cell");
  } else {
    n = sweep->n_axis;
    for (int a = 0; a < n; ++a) {
      size[a] = sweep->axis[a].n_point;
      if (a) sal_text_add(&names, " ");
      sal_parameter_axis_name(sweep, a, &names);
    }
  }
  SAL_TRY(sal_h5_text_put_words(file, file->id, "axes", &names));
  SAL_TRY(sal_h5_put(file, file->id, "axis_sizes", H5T_NATIVE_INT64, n, size));
  if (scattered > 0)
    SAL_TRY(sal_h5_put(file, file->id, "scattered_cells", H5T_NATIVE_INT64, 1, &scattered));
  return sal_axes_are_cells(sweep) ? SAL_OK : put_axes(file, sweep);
}
