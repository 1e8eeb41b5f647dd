/** Names of the axes of a sweep in its cube. */
#include "axis_name.h"
#include "parameter_column.h"

void sal_axis_name(const sal_sweep *sweep, int a, sal_text *name)
{
  const sal_model *m = sweep->model;
  const sal_axis *axis = &sweep->axis[a];

  for (int c = 0; c < axis->n_column; ++c) {
    const bool state = axis->column[c] >= m->n_param + m->n_option;
    sal_text_add(name, "%s%s%s", c ? "_" : "", state && !sal_axis_joint(axis) ? "initial_" : "",
                 sal_parameter_column_name(m, axis->column[c]));
  }
}
