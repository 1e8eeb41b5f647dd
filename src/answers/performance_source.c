/** @file src/answers/performance_source.c
 *  A table in memory as a source of rows.
 */
#include "performance_table.h"
#include <string.h>

/* One row of a column that both tables have. */
static void copy_row(double *to, int64_t row, const double *from, int64_t cell, int64_t each)
{
  if (to && from) memcpy(&to[row * each], &from[cell * each], (size_t)each * sizeof *to);
}

static sal_err read_memory(void *with, int64_t n, const int64_t cell[], sal_performance_table *rows)
{
  const sal_performance_table *table = with;
  const int64_t each = table->n_contender;

  for (int64_t i = 0; i < n; ++i) {
    copy_row(rows->work, i, table->work, cell[i], each);
    copy_row(rows->error, i, table->error, cell[i], each);
    copy_row(rows->least_error, i, table->least_error, cell[i], each);
    copy_row(rows->sd, i, table->sd, cell[i], each);
    copy_row(rows->dt, i, table->dt, cell[i], each);
    copy_row(rows->iae, i, table->iae, cell[i], each);
    copy_row(rows->reference_error, i, table->reference_error, cell[i], 1);
  }
  return SAL_OK;
}

sal_performance_source sal_performance_source_of(const sal_performance_table *table)
{
  return (sal_performance_source){.sweep = table->sweep,
                                  .by = table->by,
                                  .weights = table->weights,
                                  .n_cell = table->n_cell,
                                  .n_contender = table->n_contender,
                                  .read = read_memory,
                                  .with = (void *)(uintptr_t)table};
}
