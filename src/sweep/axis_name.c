/** Names of the axes of a sweep in its cube. */
#include "axis_name.h"

void sal_axis_name(const sal_sweep *sweep, int a, sal_text *name)
{
  const sal_model *m = sweep->model;
  const sal_axis *axis = &sweep->axis[a];

  for (int c = 0; c < axis->n_column; ++c) {
    const int option = axis->column[c] - m->n_param, state = option - m->n_option;
    sal_text_add(name, "%s%s%s", c ? "_" : "",
                 state >= 0 && !sal_axis_joint(axis) ? "initial_" : "",
                 option < 0  ? m->param[axis->column[c]].name
                 : state < 0 ? m->option[option].name
                             : m->state[state].name);
  }
}
