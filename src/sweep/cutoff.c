/** From the runs so far to the cutoffs of a cell. */
#include "cutoff.h"
#include "config.h"
#include "scalar_math.h"
#include "work.h"

/* An error is above that of a stair when it is so by more than any rounding. */
static const double clearly = 1.001, stair_ratio = 3.1622776601683795; /* sqrt(10) */

/* A pair is close to the best baseline work within this; of the last rise of its work so much, as a power, is relied on. */
static const double near_baseline = 2, trusted_rise = 0.8;

/* Place of each role in their order. */
enum { N_PLACE = 3 };
static const int place_of[SAL_N_CAP_ROLE] = {[SAL_CUTOFF_BASELINES] = 0,
                                             [SAL_CUTOFF_SECOND_BASELINES] = 1,
                                             [SAL_CUTOFF_EXEMPT] = 1,
                                             [SAL_CUTOFF_OTHERS] = 2};

static sal_cutoff_role role_of(const sal_sweep *sweep, int config)
{
  return sweep->cutoff.role[sal_config_decode(sweep, config).method];
}

static bool by_tolerance(const sal_sweep *sweep)
{
  return sweep->cutoff.order == SAL_CUTOFF_BY_TOLERANCE;
}

bool sal_cutoff_keeps_points(const sal_sweep *s)
{
  bool keeps = !(s->cutoff.reference > 0) && !(s->cutoff.loosest > 0) && s->pilots.cells == 0 &&
               sal_sweep_keeps(s, SAL_METRIC_DT) && sal_sweep_keeps(s, SAL_METRIC_IAE);

  for (int m = 0; m < s->n_method; ++m) keeps = keeps && s->cutoff.role[m] == SAL_CUTOFF_OTHERS;
  return keeps;
}

int sal_cutoff_phases(const sal_sweep *sweep)
{
  return N_PLACE * (by_tolerance(sweep) ? sweep->n_tolerance : 1);
}

/* Does tolerance i come before j? */
static bool is_looser(const sal_sweep *sweep, int i, int j)
{
  const double of_i = sweep->tolerance[i], of_j = sweep->tolerance[j];

  return of_i > of_j || (of_i == of_j && i < j);
}

int sal_cutoff_looser_count(const sal_sweep *sweep, int config)
{
  const int own = sal_config_decode(sweep, config).tolerance;
  int n = 0;

  for (int t = 0; t < sweep->n_tolerance; ++t) n += is_looser(sweep, t, own);
  return n;
}

int sal_cutoff_phase_of(const sal_sweep *sweep, int config)
{
  const int place = place_of[role_of(sweep, config)];

  if (!by_tolerance(sweep)) return place;
  return place * sweep->n_tolerance + sal_cutoff_looser_count(sweep, config);
}

int sal_cutoff_looser(const sal_sweep *sweep, int config)
{
  sal_config c = sal_config_decode(sweep, config);
  int next = -1;

  for (int t = 0; t < sweep->n_tolerance; ++t)
    if (is_looser(sweep, t, c.tolerance) && (next < 0 || is_looser(sweep, next, t))) next = t;
  if (next < 0) return -1;
  c.tolerance = next;
  return sal_config_encode(sweep, c);
}

/* The cutoff by the reference; infinite: none. */
static double most_by_reference(const sal_sweep *sweep, double reference_work)
{
  return sweep->cutoff.reference > 0 ? sweep->cutoff.reference * reference_work : INFINITY;
}

static double budget_of(const sal_budget *b, double cheapest)
{
  const double relative = b->factor > 0 ? fmax(b->factor * cheapest, b->least) : INFINITY;
  const double most = fmin(relative, b->work > 0 ? b->work : INFINITY);

  return isinf(most) ? 0 : most;
}

sal_cutoff_baseline sal_cutoff_begin(const sal_sweep *sweep, double reference_work,
                                     const sal_cell_record *cell)
{
  const bool finished = sal_metric_finished(cell->value[SAL_CELL_REFERENCE_OUTCOME]);
  sal_cutoff_baseline baseline = {
      .truth = sal_error_metric_truth(sal_error_metrics, &sweep->orbit, sweep->t_end, cell),
      .reference_work = reference_work,
      .cheapest = finished && reference_work > 0 ? reference_work : INFINITY};

  for (int i = 0; i < SAL_MAX_STAIR; ++i) baseline.best[i] = INFINITY;
  return baseline;
}

void sal_cutoff_add(const sal_sweep *sweep, int n, const int config[], const sal_record record[],
                    sal_cutoff_baseline *baseline)
{
  const sal_error_metric *by = sal_error_metrics; /* that of the trajectory */
  const sal_work_weights weights = sal_work_presets(sweep);

  for (int k = 0; k < n; ++k) {
    const sal_record *r = &record[config[k]];
    const double outcome = r->value[SAL_METRIC_OUTCOME];
    if (!sal_metric_was_run(outcome)) continue;
    const double work = sal_work_of(&weights, by, r), error = r->value[by->error] + baseline->truth;
    double asked = sweep->cutoff.error;
    baseline->most_work = fmax(baseline->most_work, work);
    if (!sal_metric_finished(outcome)) continue;
    for (int i = 0; i < SAL_MAX_STAIR; ++i, asked *= stair_ratio)
      if (error <= asked) baseline->best[i] = fmin(baseline->best[i], work);
  }
}

/* Has the pair reached the tightest error within twice the best baseline work, at a tolerance looser than the configuration's? */
static bool is_near(const sal_sweep *sweep, int config, const sal_cutoff_baseline *baseline,
                    const sal_record record[])
{
  const sal_error_metric *by = sal_error_metrics;
  const sal_work_weights weights = sal_work_presets(sweep);

  if (!by_tolerance(sweep) || sweep->cutoff.near_factor == 0) return false;
  for (int k = sal_cutoff_looser(sweep, config); k >= 0; k = sal_cutoff_looser(sweep, k))
    if (sal_metric_finished(record[k].value[SAL_METRIC_OUTCOME]) &&
        record[k].value[by->error] + baseline->truth <= sweep->cutoff.error &&
        sal_work_of(&weights, by, &record[k]) <= near_baseline * baseline->best[0])
      return true;
  return false;
}

/* Most work of a run that aims at the tightest error; infinite: no bound. */
static double most_of(const sal_sweep *sweep, const sal_cutoff_baseline *baseline, double factor)
{
  const double least =
      isinf(baseline->truth) && baseline->most_work > 0 ? baseline->most_work : baseline->best[0];

  return fmin(factor * least, most_by_reference(sweep, baseline->reference_work));
}

static void add_stair(sal_work_stairs *stairs, double error, double work)
{
  stairs->error[stairs->n] = error;
  stairs->work[stairs->n++] = work;
}

/* The last stair leads to nothing: it replaces those at larger errors. */
static void end_stairs(const sal_sweep *sweep, double truth, sal_work_stairs *stairs)
{
  const double error = clearly * sweep->cutoff.loosest - truth;

  if (sweep->cutoff.loosest == 0 || !(error > 0)) return;
  while (stairs->n > 0 && (stairs->error[stairs->n - 1] >= error || stairs->n == SAL_MAX_STAIR))
    --stairs->n;
  add_stair(stairs, error, 0);
}

static sal_cutoff_of_job cutoff_of_job(const sal_sweep *sweep, const sal_cutoff_baseline *baseline,
                                       double most)
{
  return (sal_cutoff_of_job){
      .most_work = isinf(most) ? 0 : most,
      .budget = budget_of(&sweep->budget, fmin(baseline->best[0], baseline->cheapest))};
}

sal_cutoff_of_job sal_cutoff_of_run(const sal_sweep *sweep, int config,
                                    const sal_cutoff_baseline *baseline, const sal_record record[])
{
  const sal_cutoff *c = &sweep->cutoff;
  const double factor = is_near(sweep, config, baseline, record) ? c->near_factor : c->factor;
  double asked = c->error;

  if (role_of(sweep, config) == SAL_CUTOFF_EXEMPT)
    return cutoff_of_job(sweep, baseline, most_by_reference(sweep, baseline->reference_work));
  sal_cutoff_of_job cutoff = cutoff_of_job(sweep, baseline, most_of(sweep, baseline, factor));
  if (isinf(baseline->truth)) return cutoff;
  for (int i = 0; i < SAL_MAX_STAIR; ++i, asked *= stair_ratio)
    if (isfinite(baseline->best[i]))
      add_stair(&cutoff.stairs, clearly * asked - baseline->truth, factor * baseline->best[i]);
  end_stairs(sweep, baseline->truth, &cutoff.stairs);
  return cutoff;
}

/* Would a run take more than that, if its looser neighbours are anything to go by? */
static bool would_exceed(const sal_sweep *sweep, int looser, double most, const sal_record record[])
{
  const sal_work_weights weights = sal_work_presets(sweep);
  const double now = sal_work_of(&weights, sal_error_metrics, &record[looser]);
  const int before = sal_cutoff_looser(sweep, looser);

  if (now > most) return true;
  if (before < 0 || !sal_metric_finished(record[looser].value[SAL_METRIC_OUTCOME]) ||
      !sal_metric_finished(record[before].value[SAL_METRIC_OUTCOME]))
    return false;
  const double rise = now / sal_work_of(&weights, sal_error_metrics, &record[before]);
  return now * sal_scalar_pow(fmax(rise, 1), trusted_rise) > most;
}

/* The record of a run that is not begun because of the run at a looser tolerance. */
static sal_record skipped_over_cutoff(const sal_record *looser)
{
  const int *count = sal_error_metrics->count;
  sal_record r;

  for (int i = 0; i < SAL_N_METRIC; ++i) r.value[i] = NAN;
  for (int i = 0; i < SAL_N_WORK; ++i)
    if (count[i] >= 0) r.value[count[i]] = looser->value[count[i]];
  r.value[SAL_METRIC_OUTCOME] = SAL_OUT_SKIPPED_OVER_CUTOFF;
  r.value[SAL_METRIC_T_REACHED] = 0;
  return r;
}

bool sal_cutoff_closes(const sal_sweep *sweep, int config, const sal_cutoff_baseline *baseline,
                       const sal_record record[], sal_record *value)
{
  const bool may = by_tolerance(sweep) && role_of(sweep, config) != SAL_CUTOFF_EXEMPT;
  int looser = may ? sal_cutoff_looser(sweep, config) : -1;

  while (looser >= 0 && record[looser].value[SAL_METRIC_OUTCOME] == SAL_OUT_SKIPPED_BY_PILOTS)
    looser = sal_cutoff_looser(sweep, looser);
  if (looser < 0) return false;
  const double outcome = record[looser].value[SAL_METRIC_OUTCOME];
  const double most = sal_cutoff_of_run(sweep, config, baseline, record).most_work;
  const bool closed =
      outcome == SAL_OUT_SKIPPED_OVER_CUTOFF ||
      (outcome != SAL_OUT_INCOMPATIBLE && most > 0 && would_exceed(sweep, looser, most, record));
  if (closed) *value = skipped_over_cutoff(&record[looser]);
  return closed;
}
