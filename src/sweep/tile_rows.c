/** Sizes of records, and room for them. */
#include "tile_rows.h"
#include "config.h"
#include <string.h>

int64_t sal_tile_rows_values(const sal_sweep *s, int i)
{
  const sal_long_run *o = &s->orbit;

  if (i < SAL_N_METRIC) return sal_config_count(s);
  if (i < SAL_METRICS_BEFORE_ROWS) return 1;
  if (sal_metric_at(i)->group == SAL_GROUP_MEASURES) return s->measured ? s->measured->n_column : 0;
  return sal_metric_at(i)->group == SAL_GROUP_SECTION ? (int64_t)o->n_state * o->kept
                                                      : o->n_exponent;
}

int64_t sal_tile_rows_at(const sal_sweep *s, int i)
{
  int64_t at = 0;

  for (int k = SAL_METRICS_BEFORE_ROWS; k < i; ++k)
    if (sal_sweep_asks(s, sal_metric_at(k)->group)) at += sal_tile_rows_values(s, k);
  return at;
}

int64_t sal_tile_rows_bytes(const sal_sweep *s)
{
  return (int64_t)sizeof(sal_cell_record) + sal_config_count(s) * (int64_t)sizeof(sal_record) +
         sal_tile_rows_at(s, SAL_METRICS_ALL) * (int64_t)sizeof(double);
}

bool sal_tile_rows_alloc(const sal_sweep *s, int64_t count, sal_tile_result *r)
{
  const size_t n = (size_t)count;

  r->n_row = sal_tile_rows_at(s, SAL_METRICS_ALL);
  if (!r->cell) r->cell = sal_alloc(n, sizeof *r->cell);
  if (!r->record) r->record = sal_alloc(n * (size_t)sal_config_count(s), sizeof *r->record);
  if (!r->row && r->n_row > 0) r->row = sal_alloc(n * (size_t)r->n_row, sizeof *r->row);
  return r->cell && r->record && (r->row || r->n_row == 0);
}

void sal_tile_rows_copy(sal_tile_result *to, int64_t at, const sal_tile_result *from, int64_t there,
                        int64_t count, int64_t n_config)
{
  const size_t n = (size_t)count;

  memcpy(to->cell + at, from->cell + there, n * sizeof *to->cell);
  memcpy(to->record + at * n_config, from->record + there * n_config,
         n * (size_t)n_config * sizeof *to->record);
  if (to->n_row > 0)
    memcpy(to->row + at * to->n_row, from->row + there * to->n_row,
           n * (size_t)to->n_row * sizeof *to->row);
}
