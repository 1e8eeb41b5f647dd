/** From counts to work. */
#include "work.h"

sal_work_weights sal_work_presets(const sal_sweep *sweep)
{
  return sal_work_of_model(sweep->model, sweep->jacobian);
}

sal_work_weights sal_work_of_model(const sal_model *model, sal_jacobian jacobian)
{
  const double n = sal_model_continuous(model);

  /* differences are counted among the evaluations of f */
  return (sal_work_weights){.rhs = 1,
                            .jacobian = jacobian == SAL_JACOBIAN_ANALYTIC ? n : 0,
                            .factorisation = n * n / 15,
                            .solve = n / 5};
}

double sal_work_weight(const sal_work_weights *w, int kind)
{
  const double weight[SAL_N_WORK] = {[SAL_WORK_RHS] = w->rhs,
                                     [SAL_WORK_JACOBIANS] = w->jacobian,
                                     [SAL_WORK_FACTORISATIONS] = w->factorisation,
                                     [SAL_WORK_SOLVES] = w->solve};

  return weight[kind];
}

double sal_work_of(const sal_work_weights *w, const sal_error_metric *by, const sal_record *r)
{
  double sum = 0;

  for (int i = 0; i < SAL_N_WORK; ++i)
    if (sal_work_weight(w, i) > 0 && by->count[i] >= 0)
      sum += sal_work_weight(w, i) * r->value[by->count[i]];
  return sum;
}
