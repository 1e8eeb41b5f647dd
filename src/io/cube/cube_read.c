/** @file src/io/cube/cube_read.c
 *  A cube back into memory.
 */
#include "cube_read.h"
#include "cube_open.h"
#include "dataset.h"
#include "h5.h"
#include <math.h>

/* One metric into every stride-th of n places.  A metric the file does not have, because a saltus
 * that did not know it made the file, is missing: NaN. */
static sal_err read_whole_metric(const sal_h5 *file, const sal_metric *metric, int64_t n,
                                 double *place, int stride)
{
  bool there;

  SAL_TRY(sal_h5_has(file, metric->name, &there));
  if (there) return sal_dataset_read_column(file, metric->name, n, stride, place);
  for (int64_t i = 0; i < n; ++i) place[i * stride] = NAN;
  return SAL_OK;
}

/* Before memory for all records is asked for: does the file have that many? */
static sal_err check_records(const sal_h5 *file, int64_t n)
{
  SAL_DATASET(outcome);

  SAL_TRY(sal_dataset_open(file, sal_metrics[SAL_METRIC_OUTCOME].name, &outcome));
  if (outcome.n == n) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' has %lld values; the dimensions say %lld",
                  file->path, outcome.name, (long long)outcome.n, (long long)n);
}

/* Until there were two errors of a reference, `reference_error` was that of the scored state; and
 * `max_error` was that of stopped runs, too. */
static sal_err complete_older(const sal_h5 *file, sal_cube *cube)
{
  bool there;

  SAL_TRY(sal_h5_has(file, sal_metrics[SAL_METRIC_MAX_ERROR_PARTIAL].name, &there));
  for (int64_t i = 0; i < sal_cube_open_records(cube) && !there; ++i)
    sal_cube_layout_older_run(&cube->record[i]);
  SAL_TRY(sal_h5_has(file, sal_metrics_of_cell[SAL_CELL_REFERENCE_ERROR_WATCHED].name, &there));
  for (int64_t i = 0; i < cube->n_cell && !there; ++i) sal_cube_layout_older(&cube->cell[i]);
  return SAL_OK;
}

static sal_err read_all(const sal_h5 *file, sal_cube *cube)
{
  SAL_TRY(sal_cube_open_frame(file, cube));
  SAL_TRY(sal_cube_open_columns(file, cube));
  const int64_t n_record = sal_cube_open_records(cube);
  SAL_TRY(check_records(file, n_record));
  SAL_TRY_ROOM(file, cube->record, n_record);
  SAL_TRY_ROOM(file, cube->cell, cube->n_cell);
  for (int m = 0; m < SAL_N_METRIC; ++m)
    SAL_TRY(read_whole_metric(file, &sal_metrics[m], n_record, &cube->record[0].value[m],
                              SAL_N_METRIC));
  for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
    SAL_TRY(read_whole_metric(file, &sal_metrics_of_cell[m], cube->n_cell, &cube->cell[0].value[m],
                              SAL_N_CELL_METRIC));
  return complete_older(file, cube);
}

sal_err sal_cube_read(const char *path, sal_cube *cube)
{
  sal_h5 file;

  *cube = (sal_cube){0};
  SAL_TRY(sal_cube_open(path, &file));
  const sal_err err = sal_h5_close(&file, read_all(&file, cube));
  if (err != SAL_OK) sal_cube_free(cube);
  return err;
}

void sal_cube_free(sal_cube *cube)
{
  char ***const list[] = {&cube->strategy, &cube->method, &cube->param_name, &cube->state_name};
  void *const own[] = {cube->model, cube->title,   cube->given, cube->sweep_text, cube->tolerance,
                       cube->param, cube->initial, cube->cell,  cube->record};

  for (size_t i = 0; i < sizeof list / sizeof *list; ++i) sal_h5_text_free(list[i]);
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) sal_free(own[i]);
  *cube = (sal_cube){0};
}
