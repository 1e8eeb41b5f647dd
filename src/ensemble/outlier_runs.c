/** The outlier runs of a sample. */
#include "base.h"
#include "config.h"
#include "estimate.h"
#include "scalar_math.h"
#include "work.h"

static const double far_above = 100, most_attempts = 1e9; /* as in kernels/integrate_width.c */

sal_sweep sal_outlier_runs_bounded(const sal_sweep *sample)
{
  sal_sweep bounded = *sample; /* borrows all it points to */

  if (!(bounded.budget.work > 0 && bounded.budget.work < SAL_OUTLIER_RUNS_BUDGET))
    bounded.budget.work = SAL_OUTLIER_RUNS_BUDGET;
  return bounded;
}

static double work_of(const sal_sweep *sweep, const sal_record *r)
{
  const sal_work_weights weights = sal_work_presets(sweep);

  return sal_work_of(&weights, sal_error_metrics, r);
}

static bool was_cut(const sal_sweep *sweep, double outcome)
{
  return outcome == SAL_OUT_OVER_BUDGET &&
         !(sweep->budget.work > 0 && sweep->budget.work < SAL_OUTLIER_RUNS_BUDGET);
}

static double whole_of(const sal_sweep *sweep, const sal_record *r)
{
  const double *value = r->value;
  const double done = work_of(sweep, r), share = value[SAL_METRIC_T_REACHED] / sweep->t_end;
  const double tried = value[SAL_METRIC_STEPS] + value[SAL_METRIC_FAILED];
  const double most = sweep->max_attempts > 0 ? (double)sweep->max_attempts : most_attempts;
  double whole = done;

  if (was_cut(sweep, value[SAL_METRIC_OUTCOME]))
    whole = fmin(share > 0 ? done / share : INFINITY, done * fmax(most / fmax(tried, 1), 1));
  return sweep->budget.work > 0 ? fmin(whole, fmax(sweep->budget.work, done)) : whole;
}

double sal_outlier_runs_scale(const sal_sweep *sweep, const sal_record *r)
{
  const double done = work_of(sweep, r);

  return done > 0 ? whole_of(sweep, r) / done : 1;
}

/* Keeps the most expensive ones, in order; what is not known stands before all others. */
static void keep(sal_outlier_runs *all, const sal_sweep *sample, int64_t cell,
                 const sal_outlier_run *one)
{
  const sal_model *m = sample->model;
  const double work = isnan(one->work) ? INFINITY : one->work;
  int at = all->n;

  while (at > 0 && !(all->outlier[at - 1].work >= work) && !isnan(all->outlier[at - 1].work)) --at;
  if (at == SAL_OUTLIER_RUNS_MOST) return;
  if (all->n < SAL_OUTLIER_RUNS_MOST) ++all->n;
  memmove(&all->outlier[at + 1], &all->outlier[at],
          (size_t)(all->n - 1 - at) * sizeof *all->outlier);
  all->outlier[at] = *one;
  sal_sweep_cell(sample, cell, all->outlier[at].value,
                 all->outlier[at].value + m->n_param + m->n_option);
}

static void add_run(const sal_sweep *sample, int64_t cell, int config, const sal_record *r,
                    sal_outlier_runs *all)
{
  const double work = whole_of(sample, r), bin = 8 * sal_scalar_log2(fmax(work, 1));
  const bool cut = was_cut(sample, r->value[SAL_METRIC_OUTCOME]);
  const sal_outlier_run one = {
      .config = config, .work = work, .reached = cut ? r->value[SAL_METRIC_T_REACHED] : NAN};

  ++all->runs;
  ++all->bin[bin < SAL_OUTLIER_RUNS_BINS ? (int)bin : SAL_OUTLIER_RUNS_BINS - 1];
  all->cut += cut;
  keep(all, sample, cell, &one);
}

void sal_outlier_runs_add(const sal_sweep *sample, const sal_tile_result *result,
                          sal_outlier_runs *all)
{
  const int n = sal_config_count(sample);

  for (int64_t i = 0; i < result->count; ++i) {
    if (was_cut(sample, result->cell[i].value[SAL_CELL_REFERENCE_OUTCOME])) {
      const sal_outlier_run one = {.config = -1, .work = NAN, .reached = NAN};
      ++all->cut;
      keep(all, sample, result->first + i, &one);
    }
    for (int k = 0; k < n; ++k) {
      const sal_record *r = &result->record[i * n + k];
      if (r->value[SAL_METRIC_OUTCOME] != SAL_OUT_INCOMPATIBLE)
        add_run(sample, result->first + i, k, r, all);
    }
  }
}

double sal_outlier_runs_median(const sal_outlier_runs *all)
{
  int64_t below = 0;

  for (int k = 0; k < SAL_OUTLIER_RUNS_BINS; ++k)
    if (all->runs > 0 && (below += all->bin[k]) >= (all->runs + 1) / 2)
      return sal_scalar_exp2((k + 0.5) / 8);
  return 0;
}

bool sal_outlier_runs_is_one(const sal_outlier_runs *all, int i)
{
  const double work = all->outlier[i].work;

  return isnan(work) || work > far_above * sal_outlier_runs_median(all);
}
