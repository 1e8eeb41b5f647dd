/** @file src/io/cube/cube_file.c
 *  A cube read a few cells at a time.
 */
#include "cube_open.h"
#include "variable.h"
#include <math.h>
#include <string.h>

struct sal_cube_file {
  sal_h5  file;
  int64_t n_record; /* of a cell */
  char    path[];
};

sal_err sal_cube_file_open(const char *path, sal_cube_file **out, sal_cube *frame)
{
  const size_t   length = strlen(path) + 1;
  sal_cube_file *f      = sal_alloc(1, sizeof *f + length);

  *out   = NULL;
  *frame = (sal_cube){0};
  if (!f) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  memcpy(f->path, path, length);
  sal_err err = sal_cube_open(f->path, &f->file);
  if (err != SAL_OK) {
    sal_free(f);
    return err;
  }
  *out        = f;
  err         = sal_cube_open_frame(&f->file, frame);
  f->n_record = sal_cube_open_records(frame) / (frame->n_cell ? frame->n_cell : 1);
  if (err == SAL_OK) return SAL_OK;
  sal_cube_file_close(out);
  sal_cube_free(frame);
  return err;
}

/* Selects cells of a dataset whose first dimension is theirs, and checks that they hold `each`
 * values. */
static sal_err select_cells(const sal_h5 *file, const char *name, hid_t set,
                            const sal_tile_result *result, int64_t each, hid_t *space)
{
  hsize_t size[H5S_MAX_RANK] = {0}, first[H5S_MAX_RANK] = {0};
  int64_t found = 1;
  int     n_dim;

  SAL_TRY_H5(file, *space = H5Dget_space(set));
  SAL_TRY_H5(file, n_dim = H5Sget_simple_extent_dims(*space, size, NULL));
  for (int i = 1; i < n_dim; ++i) found *= (int64_t)size[i];
  if (n_dim < 1 || found != each || (int64_t)size[0] < result->first + result->count)
    return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' has not the shape that the dimensions say",
                    file->path, name);
  first[0] = (hsize_t)result->first;
  size[0]  = (hsize_t)result->count;
  SAL_TRY_H5(file, H5Sselect_hyperslab(*space, H5S_SELECT_SET, first, NULL, size, NULL));
  return SAL_OK;
}

/* One metric of those cells into every stride-th place. */
static sal_err read_metric(const sal_h5 *file, const sal_metric *metric,
                           const sal_tile_result *result, int64_t each, double *column,
                           double *place, int stride)
{
  SAL_HID       set = -1, space = -1, memory = -1;
  const int64_t n     = result->count * each;
  const hsize_t size  = (hsize_t)n;
  const bool    whole = sal_store_of(metric->kind) != SAL_STORE_REAL; /* -1 stands for missing */

  if (H5Lexists(file->id, metric->name, H5P_DEFAULT) <= 0) return SAL_OK;
  SAL_TRY_H5(file, set = H5Dopen2(file->id, metric->name, H5P_DEFAULT));
  SAL_TRY(select_cells(file, metric->name, set, result, each, &space));
  SAL_TRY_H5(file, memory = H5Screate_simple(1, &size, NULL));
  SAL_TRY_H5(file, H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, column));
  for (int64_t i = 0; i < n; ++i) place[i * stride] = whole && column[i] == -1 ? NAN : column[i];
  return SAL_OK;
}

static sal_err read_metrics(const sal_cube_file *f, int n, const int metric[],
                            sal_tile_result *result, double *column)
{
  for (int i = 0; i < n; ++i)
    SAL_TRY(read_metric(&f->file, &sal_metrics[metric[i]], result, f->n_record, column,
                        &result->record[0].value[metric[i]], SAL_N_METRIC));
  for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
    SAL_TRY(read_metric(&f->file, &sal_metrics_of_cell[m], result, 1, column,
                        &result->cell[0].value[m], SAL_N_CELL_METRIC));
  return SAL_OK;
}

sal_err sal_cube_file_read(sal_cube_file *f, int n, const int metric[], sal_tile_result *result)
{
  double *column;

  for (int64_t i = 0; i < result->count * f->n_record; ++i)
    for (int m = 0; m < SAL_N_METRIC; ++m) result->record[i].value[m] = NAN;
  for (int64_t i = 0; i < result->count; ++i)
    for (int m = 0; m < SAL_N_CELL_METRIC; ++m) result->cell[i].value[m] = NAN;
  SAL_TRY_ROOM(&f->file, column, result->count * f->n_record);
  const sal_err err = read_metrics(f, n, metric, result, column);
  sal_free(column);
  return err;
}

void sal_cube_file_close(sal_cube_file **file)
{
  if (*file && (*file)->file.id >= 0) H5Fclose((*file)->file.id); /* nothing was written */
  sal_free(*file);
  *file = NULL;
}
