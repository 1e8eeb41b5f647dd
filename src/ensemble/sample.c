/** @file src/ensemble/sample.c
 *  Cells by van der Corput's sequence, written down as the rows of an axis.
 */
#include "sample.h"
#include "memory.h"
#include "parameter_point.h"

/* Number k of van der Corput's sequence among n places: 0, 1/2, 1/4, 3/4, 1/8, .. of n. */
static int64_t place(int64_t k, int64_t n)
{
  double share = 0, digit = 0.5;

  for (; k > 0; k >>= 1, digit /= 2) share += (double)(k & 1) * digit;
  return (int64_t)(share * (double)n);
}

/* k counts to a power of 2 from n_cell on, so that each cell comes up at least once; the middle
 * first, and the first cell, which lies in a corner, last. */
static void choose_cells(int64_t n_cell, int64_t n, int64_t cell[])
{
  int64_t end = 1, found = 0;

  while (end < n_cell) end *= 2;
  for (int64_t k = 1; k <= end && found < n; ++k) {
    const int64_t here = place(k % end, n_cell);
    bool          seen = false;
    for (int64_t j = 0; j < found && !seen; ++j) seen = cell[j] == here;
    if (!seen) cell[found++] = here;
  }
}

/* What the axes vary, as one axis. */
static void list_columns(const sal_sweep *sweep, sal_axis *rows)
{
  const int n = sal_parameter_column_count(sweep->model);

  for (int column = 0; column < n; ++column)
    if (sal_parameter_column_varies(sweep, column)) rows->column[rows->n_column++] = column;
}

static void fill_rows(const sal_sweep *sweep, const int64_t cell[], sal_axis *rows)
{
  double        value[SAL_MAX_QUANTITY];
  double *const initial = value + sweep->model->n_param + sweep->model->n_option;

  for (int64_t i = 0; i < rows->n_point; ++i) {
    sal_sweep_cell(sweep, cell[i], value, initial);
    for (int c = 0; c < rows->n_column; ++c)
      rows->value[i * rows->n_column + c] = value[rows->column[c]];
  }
}

sal_err sal_sample_make(const sal_sweep *sweep, int64_t n, sal_sweep *sample)
{
  *sample = *sweep;
  if (n > sweep->n_cell) n = sweep->n_cell;
  sample->axis   = sal_alloc(1, sizeof *sample->axis);
  int64_t *cell  = sal_alloc((size_t)n, sizeof *cell);
  double  *value = NULL;
  if (sample->axis) {
    *sample->axis = (sal_axis){.kind = SAL_AXIS_ROWS, .n_point = n};
    list_columns(sweep, sample->axis);
    value               = sal_alloc((size_t)(n * sample->axis->n_column + 1), sizeof *value);
    sample->axis->value = value;
  }
  sample->n_axis    = 1;
  sample->n_cell    = n;
  sample->n_grid    = n;
  sample->scattered = (sal_scattered){0};
  if (cell && value) {
    choose_cells(sweep->n_cell, n, cell);
    fill_rows(sweep, cell, sample->axis);
  }
  const bool made = cell && value;
  sal_free(cell);
  if (!made) sal_sample_free(sample);
  return made ? SAL_OK
              : sal_fail(SAL_ERR_MEMORY, "no memory for a sample of %lld cells", (long long)n);
}

void sal_sample_free(sal_sweep *sample)
{
  if (sample->axis) sal_free(sample->axis->value);
  sal_free(sample->axis);
  sample->axis = NULL;
}
