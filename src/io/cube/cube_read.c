/** @file src/io/cube/cube_read.c
 *  A cube back into memory.
 */
#include "cube_open.h"
#include "variable.h"
#include <math.h>

/* One metric into every stride-th of n places.  A metric the file does not have, because a saltus
 * that did not know it made the file, is missing: NaN. */
static sal_err read_metric(const sal_h5 *file, const sal_metric *metric, int64_t n, double *column,
                           double *place, int stride)
{
  const bool there = H5Lexists(file->id, metric->name, H5P_DEFAULT) > 0;
  const bool whole = sal_store_of(metric->kind) != SAL_STORE_REAL; /* -1 stands for missing */

  if (there) SAL_TRY(sal_cube_open_column(file, metric->name, n, H5T_NATIVE_DOUBLE, column));
  for (int64_t i = 0; i < n; ++i)
    place[i * stride] = !there || (whole && column[i] == -1) ? NAN : column[i];
  return SAL_OK;
}

static sal_err read_metrics(const sal_h5 *file, sal_cube *cube, double *column)
{
  const int64_t n_record = sal_cube_open_records(cube);

  for (int m = 0; m < SAL_N_METRIC; ++m)
    SAL_TRY(read_metric(file, &sal_metrics[m], n_record, column, &cube->record[0].value[m],
                        SAL_N_METRIC));
  for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
    SAL_TRY(read_metric(file, &sal_metrics_of_cell[m], cube->n_cell, column,
                        &cube->cell[0].value[m], SAL_N_CELL_METRIC));
  return SAL_OK;
}

static sal_err read_all(const sal_h5 *file, sal_cube *cube)
{
  double *column;

  SAL_TRY(sal_cube_open_frame(file, cube));
  const int64_t n_record = sal_cube_open_records(cube);
  SAL_TRY_ROOM(file, cube->record, n_record);
  SAL_TRY_ROOM(file, cube->cell, cube->n_cell);
  SAL_TRY_ROOM(file, column, n_record);
  const sal_err err = read_metrics(file, cube, column);
  sal_free(column);
  return err;
}

sal_err sal_cube_read(const char *path, sal_cube *cube)
{
  sal_h5 file;

  *cube = (sal_cube){0};
  SAL_TRY(sal_cube_open(path, &file));
  sal_err       err    = read_all(&file, cube);
  const sal_err closed = sal_h5_close(&file);
  if (err == SAL_OK) err = closed;
  if (err != SAL_OK) sal_cube_free(cube);
  return err;
}

static void free_names(char **name, int n)
{
  for (int i = 0; name && i < n; ++i) sal_free(name[i]);
  sal_free(name);
}

void sal_cube_free(sal_cube *cube)
{
  free_names(cube->strategy, cube->n_strategy);
  free_names(cube->method, cube->n_method);
  free_names(cube->param_name, cube->n_param);
  free_names(cube->state_name, cube->n_state);
  sal_free(cube->model);
  sal_free(cube->title);
  sal_free(cube->sweep_text);
  sal_free(cube->tolerance);
  sal_free(cube->param);
  sal_free(cube->initial);
  sal_free(cube->cell);
  sal_free(cube->record);
  *cube = (sal_cube){0};
}
