/** Two numbers a configuration. */
#include "base.h"
#include "map_rows.h"

void sal_row_pack(const sal_performance_table *t, int64_t at, void *packed)
{
  const int64_t n = t->n_config;
  double *row = packed, *error = row + 1 + n;

  row[0] = t->reference_error[at];
  memcpy(row + 1, &t->work[at * n], (size_t)n * sizeof *row);
  for (int64_t i = 0; i < n; ++i) {
    const double e = t->error[at * n + i];
    error[i] = isinf(e) ? -t->least_error[at * n + i] : e;
  }
}

void sal_row_unpack(const void *packed, sal_performance_table *t, int64_t at)
{
  const int64_t n = t->n_config;
  const double *row = packed, *error = row + 1 + n;

  t->reference_error[at] = row[0];
  memcpy(&t->work[at * n], row + 1, (size_t)n * sizeof *row);
  for (int64_t i = 0; i < n; ++i) {
    const bool stopped = signbit(error[i]) && !isnan(error[i]);
    t->error[at * n + i] = stopped ? INFINITY : error[i];
    t->least_error[at * n + i] = stopped ? -error[i] : NAN;
  }
}

void sal_row_pack_points(const sal_performance_table *t, int64_t at, void *packed)
{
  const int64_t n = t->n_config;
  const double *const column[] = {t->sd, t->dt, t->iae};

  for (int k = 0; k < 3; ++k)
    memcpy((double *)packed + k * n, column[k] + at * n, (size_t)n * sizeof(double));
}

void sal_row_unpack_points(const void *packed, sal_performance_table *t, int64_t at)
{
  const int64_t n = t->n_config;
  double *const column[] = {t->sd, t->dt, t->iae};

  for (int k = 0; k < 3; ++k)
    memcpy(column[k] + at * n, (const double *)packed + k * n, (size_t)n * sizeof(double));
}
