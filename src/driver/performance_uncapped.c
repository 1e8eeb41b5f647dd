/** @file src/driver/performance_uncapped.c
 *  Seconds of cells whose runs were stopped.
 */
#include "performance_uncapped.h"
#include "contender.h"
#include "cube_read.h"
#include "memory.h"
#include "performance_rows.h"
#include "uncapped.h"

enum { SAMPLE = 512 };

/* Evenly spaced cells, and what they took. */
typedef struct {
  int64_t n, cell[SAMPLE];
  double seconds[SAMPLE];
} sample;

static sal_err open_file(const char *path, sal_cube_file **file)
{
  SAL_OWN_BY(sal_cube_free) sal_cube frame = {0};

  return sal_cube_file_open(path, file, &frame);
}

static sal_err read_seconds(const sal_sweep *s, sample *of)
{
  static const sal_cube_file_metrics seconds = {.n_of_cell = 1, .of_cell = {SAL_CELL_SECONDS}};
  SAL_OWN_BY(sal_cube_file_close) sal_cube_file *file = NULL;
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  SAL_TRY(open_file(s->path, &file));
  SAL_TRY(sal_cube_file_room(file, &seconds, of->n, &result));
  SAL_TRY(sal_cube_file_read_cells(file, &seconds, of->n, of->cell, &result));
  for (int64_t i = 0; i < of->n; ++i) of->seconds[i] = result.cell[i].value[SAL_CELL_SECONDS];
  return SAL_OK;
}

static sal_err read_rows(const sal_performance_table *like, const sample *of,
                         sal_performance_table *rows)
{
  const sal_performance_rows_of wanted = {
      .sweep = like->sweep, .by = sal_error_metrics, .weights = like->weights};
  SAL_OWN_BY(sal_performance_rows_close) sal_performance_rows *open = NULL;
  sal_cube_file *file;

  SAL_TRY(open_file(like->sweep->path, &file));
  SAL_TRY(sal_performance_rows_open(file, &wanted, &open));
  SAL_TRY(sal_performance_create(like->sweep, of->n, &like->weights, false, false, rows));
  rows->by = sal_error_metrics;
  const sal_performance_source source = sal_performance_rows_source(open);
  return source.read(source.with, of->n, of->cell, rows);
}

sal_err sal_performance_uncapped(const sal_performance_table *of, double *seconds)
{
  const int64_t n = of->sweep->n_cell;
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};
  sample s = {.n = n < SAMPLE ? n : SAMPLE};

  for (int64_t i = 0; i < s.n; ++i) s.cell[i] = i * n / s.n;
  SAL_TRY(read_seconds(of->sweep, &s));
  SAL_TRY(read_rows(of, &s, &rows));
  *seconds = 0;
  for (int64_t i = 0; i < s.n; ++i)
    *seconds += s.seconds[i] * sal_uncapped_more(&rows, i) * (double)n / (double)s.n;
  return SAL_OK;
}
