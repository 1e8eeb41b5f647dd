/** A table in memory as a source of rows. */
#include "performance_table.h"
#include <string.h>

/* Numbers of one row of a column that both tables have. */
static void copy_numbers(double *to, int64_t row, const double *from, int64_t cell, int64_t each)
{
  if (to && from) memcpy(&to[row * each], &from[cell * each], (size_t)each * sizeof *to);
}

void sal_performance_copy_row(const sal_performance_table *from, int64_t cell,
                              sal_performance_table *to, int64_t row)
{
  const int64_t each = from->n_config;

  copy_numbers(to->work, row, from->work, cell, each);
  copy_numbers(to->error, row, from->error, cell, each);
  copy_numbers(to->least_error, row, from->least_error, cell, each);
  copy_numbers(to->sd, row, from->sd, cell, each);
  copy_numbers(to->dt, row, from->dt, cell, each);
  copy_numbers(to->iae, row, from->iae, cell, each);
  copy_numbers(to->reference_error, row, from->reference_error, cell, 1);
}

static sal_err read_memory(void *with, int64_t n, const int64_t cell[], sal_performance_table *rows)
{
  const sal_performance_table *from = with;

  for (int64_t i = 0; i < n; ++i) sal_performance_copy_row(from, cell[i], rows, i);
  rows->scope = from->scope;
  return SAL_OK;
}

sal_performance_source sal_performance_source_of(const sal_performance_table *table)
{
  return (sal_performance_source){.sweep = table->sweep,
                                  .by = table->by,
                                  .weights = table->weights,
                                  .n_cell = table->n_cell,
                                  .n_config = table->n_config,
                                  .read = read_memory,
                                  .with = (void *)(uintptr_t)table};
}
