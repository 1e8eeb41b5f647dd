/** Quantities of a model by number, and names of axes. */
#include "parameter_column.h"
#include "base.h"

const sal_field *sal_parameter_column_field(const sal_model *m, int column)
{
  const int option = column - m->n_param, state = option - m->n_option;

  return option < 0 ? &m->param[column] : state < 0 ? NULL : &m->state[state];
}

const char *sal_parameter_column_name(const sal_model *m, int column)
{
  const sal_field *field = sal_parameter_column_field(m, column);

  return field ? field->name : m->option[column - m->n_param].name;
}

bool sal_parameter_column_varies(const sal_sweep *sweep, int column)
{
  for (int a = 0; a < sweep->n_axis; ++a)
    for (int c = 0; c < sweep->axis[a].n_column; ++c)
      if (sweep->axis[a].column[c] == column) return true;
  return false;
}

int sal_parameter_column_count(const sal_model *m) { return m->n_param + m->n_option + m->n_state; }

bool sal_parameter_column_is_option(const sal_model *m, int column)
{
  return column >= m->n_param && column < m->n_param + m->n_option;
}

const char *sal_parameter_column_text(const sal_model *m, int column, double value, int digits,
                                      char number[SAL_TEXT_NUMBER])
{
  if (sal_parameter_column_is_option(m, column))
    return m->option[column - m->n_param].choice[(int)value];
  snprintf(number, SAL_TEXT_NUMBER, "%.*g", digits, value);
  return number;
}

bool sal_parameter_column_is_discrete(const sal_model *m, int column)
{
  return sal_parameter_column_is_option(m, column) ||
         column >= m->n_param + m->n_option + sal_model_continuous(m);
}

void sal_parameter_presets(const sal_model *model, double param[], double initial[])
{
  for (int i = 0; i < model->n_param; ++i) param[i] = model->param[i].preset;
  for (int i = 0; i < model->n_option; ++i) param[model->n_param + i] = 0;
  for (int i = 0; i < model->n_state; ++i) initial[i] = model->state[i].preset;
}

void sal_parameter_axis_name(const sal_sweep *sweep, int a, sal_text *name)
{
  const sal_model *m = sweep->model;
  const sal_axis *axis = &sweep->axis[a];

  for (int c = 0; c < axis->n_column; ++c) {
    const bool state = axis->column[c] >= m->n_param + m->n_option;
    sal_text_add(name, "%s%s%s", c ? "_" : "", state && !sal_axis_joint(axis) ? "initial_" : "",
                 sal_parameter_column_name(m, axis->column[c]));
  }
}
