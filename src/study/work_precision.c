/** Medians over starts. */
#include "base.h"
#include "calibration.h"
#include "quantiles.h"
#include "random.h"

enum { RMS, RHS, SECONDS, N_FIGURE };

/* Sorts the values; of the middle two the geometric mean. */
static double geometric_median(int n, double value[])
{
  if (n == 0) return NAN;
  sal_quantiles_sort(n, value);
  return n % 2 ? value[n / 2] : sqrt(value[n / 2 - 1]) * sqrt(value[n / 2]);
}

/* All configurations from one start; figure [n][N_FIGURE][n_start], of which column `at` is filled. */
static sal_err measure_start(const sal_certified_run *certified, int n, const sal_setup config[],
                             int repeats, int n_start, int at, double figure[])
{
  for (int i = 0; i < n; ++i) {
    sal_certified_measurement s;
    SAL_TRY(sal_certified_run_measure(certified, &config[i], repeats, &s));
    double *row = figure + (int64_t)i * N_FIGURE * n_start + at;
    row[(int64_t)RMS * n_start] = s.rms;
    row[(int64_t)RHS * n_start] = s.record.value[SAL_METRIC_RHS];
    row[(int64_t)SECONDS * n_start] = s.record.value[SAL_METRIC_SD];
  }
  return SAL_OK;
}

static sal_err measure_starts(int n, const sal_setup config[], const double param[], int n_start,
                              const double start[], int watch, int64_t n_mesh, int repeats,
                              double figure[], int *used)
{
  const int n_state = config->model->n_state;

  *used = 0;
  for (int s = 0; s < n_start; ++s) {
    SAL_OWN_BY(sal_certified_run_free) sal_certified_run certified = {0};
    SAL_TRY(sal_certified_run_create(config, param, start + (int64_t)s * n_state, watch, n_mesh,
                                     &certified));
    if (!isfinite(certified.error)) continue;
    SAL_TRY(measure_start(&certified, n, config, repeats, n_start, *used, figure));
    ++*used;
  }
  return SAL_OK;
}

/* Medians of row [N_FIGURE][n_start], which is reordered; a run that ended early has no cost. */
static sal_work_precision_point summarise_config(int n_start, int used, double row[])
{
  double *rms = row + (int64_t)RMS * n_start, *rhs = row + (int64_t)RHS * n_start,
         *seconds = row + (int64_t)SECONDS * n_start;
  int n = 0;

  for (int s = 0; s < used; ++s)
    if (isfinite(rms[s])) {
      rhs[n] = rhs[s];
      seconds[n++] = seconds[s];
    }
  return (sal_work_precision_point){.rms = geometric_median(used, rms),
                                    .rhs = geometric_median(n, rhs),
                                    .seconds = geometric_median(n, seconds),
                                    .failed = used - n};
}

sal_err sal_work_precision_run(int n, const sal_setup config[], const double param[], int n_start,
                               const double start[], int watch, int64_t n_mesh, int repeats,
                               sal_work_precision_point out[], int *used)
{
  SAL_OWN double *figure = sal_alloc((size_t)n * N_FIGURE, (size_t)n_start * sizeof *figure);

  if (!figure) return sal_fail(SAL_ERR_MEMORY, "no memory for %d starts", n_start);
  SAL_TRY(measure_starts(n, config, param, n_start, start, watch, n_mesh, repeats, figure, used));
  for (int i = 0; i < n; ++i)
    out[i] = summarise_config(n_start, *used, figure + (int64_t)i * N_FIGURE * n_start);
  return SAL_OK;
}

void sal_work_precision_start(const sal_model *model, const double given[], uint64_t seed, int i,
                              double start[])
{
  for (int j = 0; j < model->n_state; ++j) {
    const sal_field *f = &model->state[j];
    start[j] = isnan(given[j])
                   ? f->lo + (f->hi - f->lo) * sal_random(seed, (uint64_t)i, (uint32_t)j)
                   : given[j];
  }
}
