/** Counts over the first cells of a sample, and over cells off a point. */
#include "performance_runs.h"
#include "scalar_math.h"

/* A share of the cells that counts as most. */
static const double most = 0.75;

/* An answer that is looser than this times the tightest tolerance is not bounded by it. */
static const double inner = 11;

/* The two runs of a certificate are a decade apart. */
static double amplification_of(const sal_sweep *s, const sal_tile_result *r, int64_t n,
                               double error, int64_t *referenced)
{
  double largest = 0;

  *referenced = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double e = r->cell[i].value[SAL_CELL_REFERENCE_ERROR_WATCHED];
    if (!(e <= error)) continue;
    ++*referenced;
    largest = fmax(largest, e / (10 * s->reference_tolerance));
  }
  return largest;
}

/* Mean work of the runs that reach the error; infinite where too few do. */
static double work_of(const sal_sweep *s, const sal_tile_result *r, int64_t n, int config,
                      double error)
{
  const int count = sal_config_count(s);
  double sum = 0;
  int64_t hits = 0;

  for (int64_t i = 0; i < n; ++i) {
    const double *v = r->record[i * count + config].value;
    const double of_reference = r->cell[i].value[SAL_CELL_REFERENCE_ERROR_WATCHED];
    if (!sal_metric_finished((int)v[SAL_METRIC_OUTCOME])) continue;
    if (!(v[SAL_METRIC_MAX_ERROR] + of_reference <= error)) continue;
    sum += v[SAL_METRIC_RHS];
    ++hits;
  }
  return hits > 0 && (double)hits >= most * (double)n ? sum / (double)hits : INFINITY;
}

sal_pilot_levels sal_pilot_levels_find(const sal_sweep *s, const sal_tile_result *r, int64_t n,
                                       double error)
{
  sal_pilot_levels found = {.answer = 0};
  double least = INFINITY;
  int64_t referenced;

  found.amplification = amplification_of(s, r, n, error, &referenced);
  found.referenced = (double)referenced >= most * (double)n;
  for (int k = 0; k < sal_config_count(s); ++k) {
    const double work = work_of(s, r, n, k, error);
    if (!(work < least)) continue;
    least = work;
    found.answer = sal_config_tolerance(s, k);
  }
  for (int t = 0; t < s->n_tolerance; ++t) /* others may need less work at tighter tolerances */
    if (found.answer > inner * s->tolerance[t]) found.amplification = 0;
  return found;
}

/* Difference of the log10 of two positive values; 0 where one of them is not positive. */
static double change(double from, double to)
{
  return from > 0 && to > 0 ? fabs(sal_scalar_log10(to / from)) : 0;
}

static double effect_of(const sal_sweep *s, const sal_tile_result *r, int64_t cell)
{
  const int count = sal_config_count(s);
  double sum = 0;
  int ended = 0;

  for (int k = 0; k < count; ++k) {
    const double *at = r->record[k].value, *off = r->record[cell * count + k].value;
    if (!sal_metric_finished((int)at[SAL_METRIC_OUTCOME]) ||
        !sal_metric_finished((int)off[SAL_METRIC_OUTCOME]))
      continue;
    sum += change(at[SAL_METRIC_RHS], off[SAL_METRIC_RHS]) +
           change(at[SAL_METRIC_MAX_ERROR], off[SAL_METRIC_MAX_ERROR]);
    ++ended;
  }
  return ended > 0 ? sum / ended : 0;
}

double sal_pilot_effects_find(const sal_sweep *s, const sal_tile_result *r, int64_t n,
                              double effect[])
{
  double largest = 0;

  for (int c = 0; c < s->axis[0].n_column; ++c) {
    effect[c] = c + 1 < n ? effect_of(s, r, c + 1) : 0;
    largest = fmax(largest, effect[c]);
  }
  return largest;
}
