/** Cells by Sobol's sequence, written down as the rows of an axis. */
#include "sample.h"
#include "base.h"
#include "parameter_column.h"
#include "random.h"

enum { SEED = 1976, TRIES = 8, BATCHES = 8, LEAST = 4 };

/* The place of a share 0 <= u < 1 among n. */
static int64_t place_among(double u, int64_t n)
{
  const int64_t place = (int64_t)(u * (double)n);

  return place < n ? place : n - 1;
}

/* The cell at a point of the unit cube: a coordinate for each axis, and one for scattered cells,
 * which lie at its upper end. */
static int64_t cell_at(const sal_sweep *sweep, const double u[])
{
  const int64_t place = place_among(u[sweep->n_axis], sweep->n_cell);
  int64_t cell = 0;

  if (place >= sweep->n_grid) /* sorted, neighbours lie side by side */
    return sweep->n_grid + sweep->scattered.number[place - sweep->n_grid];
  for (int a = 0; a < sweep->n_axis; ++a)
    cell = cell * sweep->axis[a].n_point + place_among(u[a], sweep->axis[a].n_point);
  return cell;
}

static bool is_among(int64_t cell, int64_t n, const int64_t list[])
{
  for (int64_t i = 0; i < n; ++i)
    if (list[i] == cell) return true;
  return false;
}

/* Point k of the sequence, moved by the shift. */
static int64_t cell_of_point(const sal_sweep *sweep, const sal_axis *sobol, int64_t k)
{
  double u[SAL_MAX_AXIS + 1] = {0};

  for (int c = 0; c < sobol->n_column; ++c) {
    u[c] = sal_axis_value(sobol, k, c) + sal_random(SEED, 0, (uint32_t)c);
    u[c] -= floor(u[c]);
  }
  return cell_at(sweep, u);
}

static void free_values(sal_axis *axis) { sal_free(axis->value); }

/* Different cells [n]; false when memory ran out.  A sequence that is used up has met almost all
 * cells of a small sweep: the rest follow by number. */
static bool choose_cells(const sal_sweep *sweep, int64_t n, int64_t cell[])
{
  SAL_OWN_BY(free_values)
  sal_axis sobol = {
      .kind = SAL_AXIS_SOBOL, .n_column = sweep->n_axis + 1, .n_point = TRIES * n, .lo = {0}};
  int64_t found = 0;

  for (int c = 0; c < sobol.n_column; ++c) sobol.hi[c] = 1;
  if (!sal_axis_fill(&sobol)) return false;
  for (int64_t k = 0; k < sobol.n_point && found < n; ++k) {
    const int64_t next = cell_of_point(sweep, &sobol, k);
    if (!is_among(next, found, cell)) cell[found++] = next;
  }
  for (int64_t next = 0; found < n; ++next)
    if (!is_among(next, found, cell)) cell[found++] = next;
  return true;
}

/* The columns that axes vary, as one axis. */
static void list_columns(const sal_sweep *sweep, sal_axis *rows)
{
  const int n = sal_parameter_column_count(sweep->model);

  for (int column = 0; column < n; ++column)
    if (sal_parameter_column_varies(sweep, column)) rows->column[rows->n_column++] = column;
}

static void fill_rows(const sal_sweep *sweep, const int64_t cell[], sal_axis *rows)
{
  double value[SAL_MAX_QUANTITY];
  double *const initial = value + sweep->model->n_param + sweep->model->n_option;

  for (int64_t i = 0; i < rows->n_point; ++i) {
    sal_sweep_cell(sweep, cell[i], value, initial);
    for (int c = 0; c < rows->n_column; ++c)
      rows->value[i * rows->n_column + c] = value[rows->column[c]];
  }
}

/* An axis of n rows without values yet, or NULL. */
static sal_axis *create_rows(const sal_sweep *sweep, int64_t n)
{
  sal_axis *rows = sal_alloc(1, sizeof *rows);

  if (!rows) return NULL;
  *rows = (sal_axis){.kind = SAL_AXIS_ROWS, .n_point = n};
  list_columns(sweep, rows);
  rows->value = sal_alloc((size_t)n, (size_t)rows->n_column * sizeof *rows->value);
  return rows;
}

sal_err sal_sample_make(const sal_sweep *sweep, int64_t n, sal_sweep *sample)
{
  if (n > sweep->n_cell) n = sweep->n_cell;
  *sample = *sweep;
  sample->axis = create_rows(sweep, n);
  sample->n_axis = 1;
  sample->n_cell = n;
  sample->n_grid = n;
  sample->scattered = (sal_scattered){0};
  SAL_OWN int64_t *cell = sal_alloc((size_t)n, sizeof *cell);
  if (!cell || !sample->axis || !sample->axis->value || !choose_cells(sweep, n, cell)) {
    sal_sample_free(sample);
    return sal_fail(SAL_ERR_MEMORY, "no memory for a sample of %lld cells", (long long)n);
  }
  fill_rows(sweep, cell, sample->axis);
  return SAL_OK;
}

void sal_sample_free(sal_sweep *sample)
{
  if (sample->axis) sal_free(sample->axis->value);
  sal_free(sample->axis);
  sample->axis = NULL;
}

static double mean_of(int64_t n, const double x[])
{
  double sum = 0;

  for (int64_t i = 0; i < n; ++i) sum += x[i];
  return sum / (double)n;
}

double sal_sample_error(int64_t n, int64_t n_cell, const double cost[])
{
  const int64_t batch = n > BATCHES ? n / BATCHES : 1, batches = n / batch;
  const double all = mean_of(n, cost);
  double sum = 0;

  if (n == n_cell) return 0;
  if (n < LEAST || !(all > 0)) return INFINITY;
  const double centre = mean_of(batch * batches, cost);
  for (int64_t i = 0; i < batches; ++i) {
    const double away = mean_of(batch, cost + i * batch) - centre;
    sum += away * away;
  }
  const double left = 1 - (double)n / (double)n_cell; /* cells that might differ */
  return sqrt(left * sum / (double)(batches * (batches - 1))) / all;
}
