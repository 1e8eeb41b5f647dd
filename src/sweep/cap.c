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

bool sal_cap_stops(const sal_sweep *sweep)
{
  bool stops = sweep->cap.reference > 0;

  for (int m = 0; m < sweep->n_method; ++m) stops = stops || sweep->cap.role[m] != SAL_CAP_OTHERS;
  return stops;
}

double sal_cap_of_reference(const sal_sweep *sweep, double reference_work)
{
  return sweep->cap.reference > 0 ? sweep->cap.reference * reference_work : INFINITY;
}

/* Has the contender run by the time that the role is done? */
static bool has_run(const sal_sweep *sweep, int contender, sal_cap_role role)
{
  const sal_cap_role own = sal_cap_role_of(sweep, contender);

  for (int i = 0; sal_cap_order[i] != role; ++i)
    if (sal_cap_order[i] == own) return true;
  return own == role;
}

double sal_cap_of_cell(const sal_sweep *sweep, sal_cap_role behind, double reference_work,
                       const sal_cell_record *cell, const sal_record record[])
{
  const sal_error_metric *by      = sal_error_metrics; /* that of the trajectory */
  const sal_work_weights  weights = sal_work_presets(sweep);
  const double            truth   = sal_error_metric_truth(by, &sweep->orbit, cell);
  double                  pace = INFINITY, dearest = 0;

  for (int k = 0; k < sal_contender_count(sweep); ++k) {
    const double outcome = record[k].value[SAL_METRIC_OUTCOME];
    if (!has_run(sweep, k, behind) || outcome == SAL_OUT_LEFT_OUT) continue;
    const double work  = sal_work_of(&weights, by, &record[k]);
    const double error = record[k].value[by->error] + truth;
    dearest            = fmax(dearest, work);
    if (sal_metric_finished(outcome) && error <= sweep->cap.error) pace = fmin(pace, work);
  }
  if (isinf(truth) && dearest > 0) pace = dearest;
  return fmin(sweep->cap.factor * pace, sal_cap_of_reference(sweep, reference_work));
}
