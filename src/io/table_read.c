/** A table of points, read. */
#include "dataset.h"
#include "provenance.h"
#include "table_file.h"

struct sal_table_file {
  sal_h5 h5;
  int64_t n;
};

static sal_err open_file(const char *path, const char *content, sal_table_file *f)
{
  SAL_DATASET(points);
  SAL_HID access = sal_h5_access();

  SAL_TRY(sal_dataset_access(&f->h5, access));
  SAL_TRY(sal_provenance_open(path, "a table", content, access, &f->h5));
  SAL_TRY(sal_dataset_open(&f->h5, "point", &points));
  f->n = points.n;
  return SAL_OK;
}

sal_err sal_table_open(const char *path, const char *content, sal_table_file **out)
{
  *out = sal_alloc(1, sizeof **out);
  if (!*out) return sal_fail(SAL_ERR_MEMORY, "no memory to read %s", path);
  (*out)->h5 = (sal_h5){.id = -1, .path = path};
  sal_h5_quiet();
  return open_file(path, content, *out);
}

void sal_table_close(sal_table_file *file)
{
  if (file && file->h5.id >= 0) H5Fclose(file->h5.id);
  sal_free(file);
}

int64_t sal_table_size(const sal_table_file *file) { return file->n; }

sal_err sal_table_text(const sal_table_file *file, const char *name, char **text)
{
  return sal_h5_text_get(&file->h5, file->h5.id, name, text);
}

sal_err sal_table_lines(const sal_table_file *file, const char *name, char **text)
{
  return sal_h5_text_bytes(&file->h5, file->h5.id, name, text);
}

sal_err sal_table_number(const sal_table_file *file, const char *name, double *number)
{
  return sal_h5_get(&file->h5, name, H5T_NATIVE_DOUBLE, number);
}

sal_err sal_table_column_read(const sal_table_file *file, const char *name, int64_t n,
                              double *value)
{
  return sal_dataset_read_column(&file->h5, name, n, 1, value);
}

sal_err sal_table_row_read(const sal_table_file *file, const char *name, int64_t row, double *value)
{
  sal_dataset points;

  SAL_TRY(sal_dataset_open(&file->h5, name, &points));
  const int64_t n = points.n;
  sal_dataset_close(&points);
  SAL_OWN double *all = sal_alloc((size_t)n, sizeof *all);
  if (!all) return sal_fail(SAL_ERR_MEMORY, "no memory to read %s", name);
  SAL_TRY(sal_dataset_read_column(&file->h5, name, n, 1, all));
  *value = all[n == file->n ? row : 0];
  return SAL_OK;
}
