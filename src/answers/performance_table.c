/** From records to work, errors and points; a table in memory as a source of rows. */
#include "performance_table.h"
#include "base.h"
#include "step_cost.h"
#include <string.h>

sal_err sal_performance_create(const sal_sweep *sweep, int64_t n_cell, const sal_error_metric *by,
                               const sal_work_weights *weights, bool points, bool timed,
                               sal_performance_table *a)
{
  *a = (sal_performance_table){.sweep = sweep,
                               .n_cell = n_cell,
                               .n_config = sal_config_count(sweep),
                               .by = by              ? by
                                     : sweep->map_by ? sweep->map_by
                                                     : sal_error_metrics,
                               .weights = *weights,
                               .timed = timed};
  double **column[] = {&a->work, &a->error, &a->least_error, &a->sd, &a->dt, &a->iae};
  const size_t n = (size_t)n_cell * (size_t)a->n_config;

  a->reference_error = sal_alloc((size_t)n_cell, sizeof(double));
  bool ok = a->reference_error != NULL;
  for (int i = 0; ok && i < (points ? 6 : 3); ++i) {
    *column[i] = sal_alloc(n, sizeof(double));
    ok = *column[i] != NULL;
    for (size_t k = 0; ok && k < n; ++k) (*column[i])[k] = NAN;
  }
  if (!ok) {
    sal_performance_free(a);
    return sal_fail(SAL_ERR_MEMORY, "no memory for a map of %lld cells", (long long)n_cell);
  }
  for (int64_t c = 0; c < n_cell; ++c) a->reference_error[c] = INFINITY;
  return SAL_OK;
}

void sal_performance_free(sal_performance_table *a)
{
  sal_free_all(a->work, a->error, a->least_error, a->reference_error, a->sd, a->dt, a->iae);
  *a = (sal_performance_table){0};
}

static void add_record(sal_performance_table *a, int64_t at, const sal_record *r,
                       double reference_error)
{
  const double outcome = r->value[SAL_METRIC_OUTCOME];
  const sal_config config = sal_config_decode(a->sweep, (int)(at % a->n_config));
  const double work = sal_step_cost_work(&a->weights, a->by, config, r);
  const double error = r->value[a->by->error] + reference_error;
  const bool done = !a->by->trajectory || sal_metric_finished(outcome);

  if (a->by->trajectory && sal_metric_stopped(outcome) && isfinite(work)) {
    const double least = a->by->partial < 0 ? NAN : r->value[a->by->partial] + reference_error;
    a->work[at] = work; /* it would have done more */
    a->error[at] = INFINITY;
    a->least_error[at] = isnan(least) ? 0 : least;
    ++a->n_censored;
  }
  if (a->by->trajectory && sal_metric_was_run(outcome) && isfinite(work)) a->work[at] = work;
  if (!done || !isfinite(error) || !isfinite(work)) return;
  a->work[at] = work;
  a->error[at] = error;
  ++a->n_counted;
  if (!a->sd) return;
  a->sd[at] = a->timed ? r->value[SAL_METRIC_SD] : work;
  a->dt[at] = r->value[SAL_METRIC_DT];
  a->iae[at] = r->value[SAL_METRIC_IAE];
}

void sal_performance_add(sal_performance_table *a, const sal_tile_result *result)
{
  for (int64_t c = 0; c < result->count; ++c) {
    const double error =
        sal_error_metric_truth(a->by, &a->sweep->orbit, a->sweep->t_end, &result->cell[c]);
    if (isinf(error) && sal_sweep_captures(a->sweep) &&
        !isnan(result->cell[c].value[SAL_CELL_CAPTURED]))
      a->reference_error[result->first + c] = NAN;
    if (!isfinite(error)) continue;
    a->reference_error[result->first + c] = error;
    for (int i = 0; i < a->n_config; ++i)
      add_record(a, (result->first + c) * a->n_config + i, &result->record[c * a->n_config + i],
                 error);
  }
}

/* The records of a cell for its points.  A configuration that does not count gets none, and does
 * not stretch the scale. */
static void unpack_points(const sal_performance_table *a, int64_t cell, sal_record record[])
{
  for (int i = 0; i < a->n_config; ++i) {
    const int64_t at = cell * a->n_config + i;
    double *v = record[i].value;
    for (int m = 0; m < SAL_N_METRIC; ++m) v[m] = NAN;
    v[SAL_METRIC_OUTCOME] = isfinite(a->error[at]) ? SAL_OUT_DONE : SAL_OUT_INCOMPATIBLE;
    v[SAL_METRIC_SD] = a->sd[at];
    v[SAL_METRIC_DT] = a->dt[at];
    v[SAL_METRIC_IAE] = a->iae[at];
  }
}

static void pack_points(sal_performance_table *a, int64_t cell, const sal_record record[])
{
  for (int i = 0; i < a->n_config; ++i) {
    const int64_t at = cell * a->n_config + i;
    a->sd[at] = record[i].value[SAL_METRIC_POINTS_SD];
    a->dt[at] = record[i].value[SAL_METRIC_POINTS_DT];
    a->iae[at] = record[i].value[SAL_METRIC_POINTS_IAE];
  }
}

/* Room for the records of a cell. */
static sal_err make_records(const sal_performance_table *a, sal_tile_result *result)
{
  sal_record *record = sal_alloc((size_t)a->n_config, sizeof *record);

  if (!record) return sal_fail(SAL_ERR_MEMORY, "no memory for points");
  *result = (sal_tile_result){.count = 1, .record = record};
  return SAL_OK;
}

sal_err sal_performance_range(const sal_performance_table *a, sal_points_range *range)
{
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  SAL_TRY(make_records(a, &result));
  assert(result.record);
  for (int64_t c = 0; c < a->n_cell; ++c) {
    unpack_points(a, c, result.record);
    sal_points_range_add(range, a->sweep, &result);
  }
  return SAL_OK;
}

sal_err sal_performance_score_in(sal_performance_table *a, sal_points_scope scope,
                                 const sal_points_range *range)
{
  sal_sweep sweep = *a->sweep;
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  SAL_TRY(make_records(a, &result));
  assert(result.record);
  sweep.points = a->scope = scope;
  a->range = *range;
  for (int64_t c = 0; c < a->n_cell; ++c) {
    unpack_points(a, c, result.record);
    sal_points_fill(range, &sweep, &result);
    pack_points(a, c, result.record);
  }
  a->scored = true;
  return SAL_OK;
}

sal_err sal_performance_score(sal_performance_table *a, sal_points_scope scope)
{
  sal_points_range range;

  sal_points_range_clear(&range);
  if (scope == SAL_POINTS_GLOBAL) SAL_TRY(sal_performance_range(a, &range));
  return sal_performance_score_in(a, scope, &range);
}

void sal_performance_copy_row(const sal_performance_table *from, int64_t cell,
                              sal_performance_table *to, int64_t row)
{
  double *const own[] = {to->work, to->error, to->least_error, to->sd, to->dt, to->iae};
  const double *const there[] = {from->work, from->error, from->least_error,
                                 from->sd,   from->dt,    from->iae};
  const int64_t each = from->n_config;

  for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
    if (own[i] && there[i])
      memcpy(&own[i][row * each], &there[i][cell * each], (size_t)each * sizeof **own);
  to->reference_error[row] = from->reference_error[cell];
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
