/** @file src/io/cube/cube_file.c
 *  A cube read a few cells at a time.
 */
#include "cube_file.h"
#include "cube_layout.h"
#include "cube_open.h"
#include "cube_read.h"
#include "dataset.h"
#include "memory.h"
#include <math.h>
#include <string.h>

/* How far a metric has been read in order, and the sum of that. */
typedef struct {
  int64_t  next; /* cell; -1: not in order */
  uint64_t sum;
} progress;

struct sal_cube_file {
  sal_h5   file;
  int64_t  n_cell, n_record; /* and records of a cell */
  progress metric[SAL_N_METRIC], cell_metric[SAL_N_CELL_METRIC];
  char     path[];
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
  f->n_cell   = frame->n_cell;
  f->n_record = sal_cube_open_records(frame) / (frame->n_cell ? frame->n_cell : 1);
  if (err == SAL_OK) return SAL_OK;
  sal_cube_file_close(out);
  sal_cube_free(frame);
  return err;
}

/* Opens a metric and checks that it has all cells, and `each` values of each. */
static sal_err open_metric(const sal_cube_file *f, const char *name, int64_t each, sal_dataset *d)
{
  SAL_TRY(sal_dataset_open(&f->file, name, d));
  if (d->n_dim >= 1 && d->size[0] == (hsize_t)f->n_cell && d->n == each * f->n_cell &&
      d->type != SAL_DATATYPE_TEXT)
    return SAL_OK;
  sal_dataset_close(d);
  return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' has not the shape that the dimensions say",
                  f->path, name);
}

/* Counts what is read in order, and verifies it at the end.  A step back to the first cell begins
 * anew; after any other step only a new beginning can be verified. */
static sal_err verify_so_far(const sal_h5 *file, progress *p, const sal_dataset *d,
                             const sal_tile_result *result, uint64_t sum)
{
  if (result->first == 0) *p = (progress){0, 0};
  if (result->first != p->next) {
    p->next = -1;
    return SAL_OK;
  }
  p->next += result->count;
  p->sum += sum;
  if (p->next < (int64_t)d->size[0]) return SAL_OK;
  return sal_checksum_compare(file, d->name, d->checksum, p->sum);
}

/* One metric of those cells into every stride-th place. */
static sal_err read_metric(sal_cube_file *f, progress *p, const sal_metric *metric,
                           const sal_tile_result *result, int64_t each, void *column, double *place,
                           int stride)
{
  sal_dataset d;
  uint64_t    sum = 0;
  bool        there;

  SAL_TRY(sal_h5_has(&f->file, metric->name, &there));
  if (!there) return SAL_OK;
  SAL_TRY(open_metric(f, metric->name, each, &d));
  sal_err err = sal_dataset_read_rows(&f->file, &d, result->first, result->count, column, &sum);
  if (err == SAL_OK) err = verify_so_far(&f->file, p, &d, result, sum);
  if (err == SAL_OK) sal_datatype_unpack(d.type, result->count * each, column, stride, place);
  sal_dataset_close(&d);
  return err;
}

static sal_err read_metrics(sal_cube_file *f, int n, const int metric[], sal_tile_result *result,
                            void *column)
{
  for (int i = 0; i < n; ++i)
    SAL_TRY(read_metric(f, &f->metric[metric[i]], &sal_metrics[metric[i]], result, f->n_record,
                        column, &result->record[0].value[metric[i]], SAL_N_METRIC));
  for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
    SAL_TRY(read_metric(f, &f->cell_metric[m], &sal_metrics_of_cell[m], result, 1, column,
                        &result->cell[0].value[m], SAL_N_CELL_METRIC));
  bool there;
  SAL_TRY(sal_h5_has(&f->file, sal_metrics_of_cell[SAL_CELL_REFERENCE_ERROR_WATCHED].name, &there));
  for (int64_t i = 0; i < result->count && !there; ++i) sal_cube_layout_older(&result->cell[i]);
  return SAL_OK;
}

sal_err sal_cube_file_read(sal_cube_file *f, int n, const int metric[], sal_tile_result *result)
{
  void *column;

  for (int64_t i = 0; i < result->count * f->n_record; ++i)
    for (int m = 0; m < SAL_N_METRIC; ++m) result->record[i].value[m] = NAN;
  for (int64_t i = 0; i < result->count; ++i)
    for (int m = 0; m < SAL_N_CELL_METRIC; ++m) result->cell[i].value[m] = NAN;
  column = sal_alloc((size_t)(result->count * f->n_record), sizeof(double));
  if (!column) return sal_h5_full(&f->file);
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
