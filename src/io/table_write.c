/** A table of points as HDF5. */
#include "table_write.h"
#include "provenance.h"
#include "variable.h"
#include <string.h>

void sal_table_name(char words[])
{
  for (char *s = words; *s;) {
    const int n = sal_text_character(s);
    if (n == 0 || *s == '/') *s = '_';
    s += n ? n : 1;
  }
}

static bool has_column(const sal_table *t, const char *name)
{
  for (int i = 0; i < t->n_column; ++i)
    if (strcmp(t->column[i].name, name) == 0) return true;
  return false;
}

sal_err sal_table_parameters_write(const sal_h5 *file, const sal_table *t)
{
  const sal_model *m = t->model;

  for (int i = 0; i < m->n_param + m->n_option; ++i) {
    const sal_variable v = sal_variable_of_quantity(m, i, 0, NULL);
    if (!has_column(t, v.name)) SAL_TRY(sal_variable_create_value(file, &v, t->param[i]));
  }
  return SAL_OK;
}

/* Each dimension once: that of the rows, and those across. */
static sal_err put_scales(const sal_h5 *file, const sal_table *t)
{
  const sal_variable_dim row = {t->row_name, (hsize_t)t->n};

  SAL_TRY(sal_variable_create_numbers(file, &row, 1, NULL, t->row_what));
  for (int i = 0; i < t->n_column; ++i) {
    const sal_table_column *c = &t->column[i];
    const sal_variable_dim dim = {c->across_name, (hsize_t)c->across};
    bool made = !c->across_name;
    for (int k = 0; k < i; ++k)
      made = made ||
             (t->column[k].across_name && strcmp(t->column[k].across_name, c->across_name) == 0);
    if (!made) SAL_TRY(sal_variable_create_numbers(file, &dim, 1, NULL, c->across_name));
  }
  return SAL_OK;
}

static sal_err put_whole(const sal_h5 *file, const sal_variable *v, int64_t n, const double *value)
{
  SAL_OWN int64_t *whole = NULL;

  SAL_TRY_ROOM(file, whole, n);
  for (int64_t i = 0; i < n; ++i) whole[i] = (int64_t)llrint(value[i]);
  return sal_variable_create(file, v, whole);
}

static sal_err put_column(const sal_h5 *file, const sal_table *t, const sal_table_column *c)
{
  const sal_variable_dim dim[] = {{t->row_name, (hsize_t)t->n},
                                  {c->across_name, (hsize_t)c->across}};
  const sal_datatype type = c->text    ? SAL_DATATYPE_TEXT
                            : c->whole ? SAL_DATATYPE_WHOLE
                                       : SAL_DATATYPE_REAL;
  const sal_variable v = {.name = c->name,
                          .unit = c->unit,
                          .what = c->what,
                          .kind = c->text    ? "text"
                                  : c->whole ? "count"
                                             : "real",
                          .type = type,
                          .missing = type == SAL_DATATYPE_REAL,
                          .n_dim = c->across_name ? 2 : 1,
                          .dim = dim};

  return c->whole ? put_whole(file, &v, t->n * c->across, c->value)
                  : sal_variable_create(file, &v, c->value);
}

sal_err sal_table_attributes_write(const sal_h5 *file, int n, const sal_table_attribute a[])
{
  for (int i = 0; i < n; ++i)
    SAL_TRY(a[i].text ? sal_h5_text_put(file, file->id, a[i].name, a[i].text)
                      : sal_h5_put(file, file->id, a[i].name, H5T_NATIVE_DOUBLE, 0, &a[i].number));
  return SAL_OK;
}

static sal_err fill_file(const sal_h5 *file, const sal_table *t)
{
  SAL_TRY(sal_provenance_of_build(file, t->content, t->model->title, t->model));
  SAL_TRY(sal_table_attributes_write(file, t->n_attribute, t->attribute));
  SAL_TRY(sal_table_parameters_write(file, t));
  SAL_TRY(put_scales(file, t));
  for (int i = 0; i < t->n_column; ++i) SAL_TRY(put_column(file, t, &t->column[i]));
  return SAL_OK;
}

sal_err sal_table_write(const char *path, const sal_table *table)
{
  sal_h5 file;

  sal_h5_quiet();
  SAL_TRY(sal_h5_create(path, &file));
  return sal_h5_finish(&file, fill_file(&file, table));
}
