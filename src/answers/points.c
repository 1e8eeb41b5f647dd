/** From values to points. */
#include "points.h"
#include "config.h"

typedef enum { NEVER_IS_END, NEVER_IS_ZERO, NO_NEVER } never_reading;

static const struct criterion {
  int value, points;
  bool more_is_better;
  never_reading never; /* what a NaN, "never", stands for */
} criteria[SAL_N_CRITERION] = {
    {SAL_METRIC_SD, SAL_METRIC_POINTS_SD, false, NO_NEVER},
    {SAL_METRIC_RHS, SAL_METRIC_POINTS_RHS, false, NO_NEVER},
    {SAL_METRIC_DT, SAL_METRIC_POINTS_DT, true, NEVER_IS_END},
    {SAL_METRIC_DT, SAL_METRIC_POINTS_DT0, true, NEVER_IS_ZERO},
    {SAL_METRIC_IAE, SAL_METRIC_POINTS_IAE, false, NO_NEVER},
};

static double criterion_value(const struct criterion *c, const sal_sweep *sweep,
                              const sal_record *r)
{
  const double value = r->value[c->value];

  if (!isnan(value) || c->never == NO_NEVER) return value;
  return c->never == NEVER_IS_END ? sweep->t_end : 0.0;
}

static bool run_counts(const sal_record *r)
{
  return sal_metric_finished(r->value[SAL_METRIC_OUTCOME]);
}

/* Not run, or stopped while it might have gone well. */
static bool has_no_points(const sal_record *r)
{
  const double outcome = r->value[SAL_METRIC_OUTCOME];

  return !sal_metric_was_run(outcome) || sal_metric_stopped(outcome);
}

void sal_points_range_clear(sal_points_range *range)
{
  for (int c = 0; c < SAL_N_CRITERION; ++c)
    for (int t = 0; t < SAL_MAX_LIST; ++t) {
      range->lo[c][t] = INFINITY;
      range->hi[c][t] = -INFINITY;
    }
}

static void add_cell_range(sal_points_range *range, const sal_sweep *sweep,
                           const sal_record record[])
{
  const int per_tolerance = sal_config_pairs(sweep);

  for (int t = 0; t < sweep->n_tolerance; ++t)
    for (int i = 0; i < per_tolerance; ++i) {
      const sal_record *r = &record[t * per_tolerance + i];
      for (int c = 0; c < SAL_N_CRITERION && run_counts(r); ++c) {
        const double value = criterion_value(&criteria[c], sweep, r);
        if (value < range->lo[c][t]) range->lo[c][t] = value;
        if (value > range->hi[c][t]) range->hi[c][t] = value;
      }
    }
}

void sal_points_range_add(sal_points_range *range, const sal_sweep *sweep,
                          const sal_tile_result *result)
{
  const int n = sal_config_count(sweep);

  for (int64_t i = 0; i < result->count; ++i) add_cell_range(range, sweep, result->record + i * n);
}

static double scale_points(double value, double lo, double hi, bool more_is_better)
{
  if (!(lo < hi)) return 10;
  return 1 + 9 * (more_is_better ? value - lo : hi - value) / (hi - lo);
}

static void fill_cell_points(const sal_points_range *range, const sal_sweep *sweep,
                             sal_record record[])
{
  const int per_tolerance = sal_config_pairs(sweep);

  for (int t = 0; t < sweep->n_tolerance; ++t)
    for (int i = 0; i < per_tolerance; ++i) {
      sal_record *r = &record[t * per_tolerance + i];
      for (int c = 0; c < SAL_N_CRITERION; ++c) {
        const double value = criterion_value(&criteria[c], sweep, r);
        double *out = &r->value[criteria[c].points];
        if (has_no_points(r))
          *out = NAN;
        else if (!run_counts(r))
          *out = 1;
        else
          *out = isnan(value) ? NAN
                              : scale_points(value, range->lo[c][t], range->hi[c][t],
                                             criteria[c].more_is_better);
      }
    }
}

void sal_points_fill(const sal_points_range *range, const sal_sweep *sweep, sal_tile_result *result)
{
  const int n = sal_config_count(sweep);

  for (int64_t i = 0; i < result->count; ++i) {
    sal_record *record = result->record + i * n;
    sal_points_range own;
    if (sweep->points == SAL_POINTS_PER_CELL) {
      sal_points_range_clear(&own);
      add_cell_range(&own, sweep, record);
    }
    fill_cell_points(sweep->points == SAL_POINTS_PER_CELL ? &own : range, sweep, record);
  }
}
