/** @file src/sweep/cap.c
 *  From the runs of pacemakers to the cap of a cell.
 */
#include "cap.h"
#include "contender.h"
#include "error_metric.h"
#include "work.h"
#include <math.h>

const sal_cap_role sal_cap_order[SAL_N_CAP_ROLE] = {SAL_CAP_PACEMAKERS, SAL_CAP_RESERVE,
                                                    SAL_CAP_OTHERS};

sal_cap_role sal_cap_role_of(const sal_sweep *sweep, int contender)
{
  return sweep->cap.role[sal_contender_decode(sweep, contender).method];
}

static int place_of(sal_cap_role role)
{
  int i = 0;

  while (i < SAL_N_CAP_ROLE - 1 && sal_cap_order[i] != role) ++i;
  return i;
}

/* Has the contender run by the time that the role is done? */
static bool has_run(const sal_sweep *sweep, int contender, sal_cap_role role)
{
  return place_of(sal_cap_role_of(sweep, contender)) <= place_of(role);
}

/* An error is above that of a stair when it is so by more than any rounding. */
static const double clearly = 1.001, stair_ratio = 3.1622776601683795; /* sqrt(10) */

/* The cap by the reference; infinite: none. */
static double most_by_reference(const sal_sweep *sweep, double reference_work)
{
  return sweep->cap.reference > 0 ? sweep->cap.reference * reference_work : INFINITY;
}

/* A reference counts where it has finished. */
static double cheapest_of(double outcome, double reference_work)
{
  return sal_metric_finished(outcome) && reference_work > 0 ? reference_work : INFINITY;
}

static double budget_of(const sal_budget *b, double cheapest)
{
  const double relative = b->factor > 0 ? fmax(b->factor * cheapest, b->least) : INFINITY;
  const double most = fmin(relative, b->work > 0 ? b->work : INFINITY);

  return isinf(most) ? 0 : most;
}

static sal_cap_of_job cap_of_job(const sal_sweep *sweep, double most_work, double cheapest)
{
  return (sal_cap_of_job){.most_work = isinf(most_work) ? 0 : most_work,
                          .budget = budget_of(&sweep->budget, cheapest)};
}

sal_cap_of_job sal_cap_of_reference(const sal_sweep *sweep, double outcome, double reference_work)
{
  return cap_of_job(sweep, most_by_reference(sweep, reference_work),
                    cheapest_of(outcome, reference_work));
}

/* Least work of the runs before by the error of each stair, pace [SAL_MAX_STAIR], and of all that have
 * ended the most. */
static double find_paces(const sal_sweep *sweep, sal_cap_role after, double truth,
                         const sal_record record[], double pace[])
{
  const sal_error_metric *by = sal_error_metrics; /* that of the trajectory */
  const sal_work_weights weights = sal_work_presets(sweep);
  double dearest = 0;

  for (int i = 0; i < SAL_MAX_STAIR; ++i) pace[i] = INFINITY;
  for (int k = 0; k < sal_contender_count(sweep); ++k) {
    const double outcome = record[k].value[SAL_METRIC_OUTCOME];
    if (!has_run(sweep, k, after) || outcome == SAL_OUT_LEFT_OUT) continue;
    const double work = sal_work_of(&weights, by, &record[k]);
    const double error = record[k].value[by->error] + truth;
    double asked = sweep->cap.error;
    dearest = fmax(dearest, work);
    for (int i = 0; i < SAL_MAX_STAIR; ++i, asked *= stair_ratio)
      if (sal_metric_finished(outcome) && error <= asked) pace[i] = fmin(pace[i], work);
  }
  return dearest;
}

sal_cap_of_job sal_cap_of_cell(const sal_sweep *sweep, sal_cap_role after, double reference_work,
                               const sal_cell_record *cell, const sal_record record[])
{
  const double truth = sal_error_metric_truth(sal_error_metrics, &sweep->orbit, sweep->t_end, cell);
  const double factor = sweep->cap.factor;
  double pace[SAL_MAX_STAIR], asked = sweep->cap.error;
  const double dearest = find_paces(sweep, after, truth, record, pace);

  const double cheapest =
      fmin(pace[0], cheapest_of(cell->value[SAL_CELL_REFERENCE_OUTCOME], reference_work));

  if (isinf(truth) && dearest > 0) pace[0] = dearest;
  sal_cap_of_job cap =
      cap_of_job(sweep, fmin(factor * pace[0], most_by_reference(sweep, reference_work)), cheapest);
  for (int i = 0; i < SAL_MAX_STAIR && isfinite(truth); ++i, asked *= stair_ratio) {
    if (isinf(pace[i])) continue;
    cap.stairs.error[cap.stairs.n] = clearly * asked - truth;
    cap.stairs.work[cap.stairs.n++] = factor * pace[i];
  }
  return cap;
}
