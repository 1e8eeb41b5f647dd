/** @file kernels/point.c
 *  A model's flow and Jacobian at one point, for code outside the kernels (width 1).
 */
#include "integrate.h"
#include "lane.h"

static sal_phase phase_of(const sal_model *model, const double param[], bool all_closed,
                          sal_m closed[])
{
  for (int k = 0; k < SAL_MAX_GUARD; ++k) closed[k] = ~sal_none();
  return (sal_phase){.n_guard = sal_model_guards(model, param),
                     .p       = param,
                     .closed  = closed,
                     .held    = SAL_MASK(all_closed)};
}

void sal_model_jacobian(const sal_model *model, const double param[], double t, const double y[],
                        bool all_closed, double J[])
{
  sal_m           closed[SAL_MAX_GUARD];
  const sal_phase phase = phase_of(model, param, all_closed, closed);

  model->w1->jac(&phase, t, y, J);
}

void sal_model_rhs(const sal_model *model, const double param[], double t, const double y[],
                   double dy[])
{
  sal_m           closed[SAL_MAX_GUARD];
  const sal_phase phase = phase_of(model, param, false, closed);

  model->w1->rhs(&phase, t, y, dy);
}

void sal_model_gaps(const sal_model *model, const double param[], double t, const double y[],
                    double gap[])
{
  sal_m           unused[SAL_MAX_GUARD];
  const sal_phase phase = phase_of(model, param, false, unused);
  double          rate[SAL_MAX_GUARD], dy[SAL_MAX_STATE] = {0};

  model->w1->guard(&phase, t, y, dy, gap, rate);
}

void sal_model_mode(const sal_model *model, const double param[], double t, const double y[],
                    bool closed[])
{
  double gap[SAL_MAX_GUARD];

  sal_model_gaps(model, param, t, y, gap);
  for (int k = 0; k < sal_model_guards(model, param); ++k) closed[k] = gap[k] <= 0;
}
