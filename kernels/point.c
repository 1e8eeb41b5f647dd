/** @file kernels/point.c
 *  A model's flow and Jacobian at one point, for code outside the kernels (width 1).
 */
#include "integrate.h"
#include "lane.h"

enum { MAX_GUARD = 1024 };

static sal_phase phase_of(const double param[], bool all_closed, sal_m closed[])
{
  for (int k = 0; k < MAX_GUARD; ++k) closed[k] = ~sal_none();
  return (sal_phase){.p = param, .closed = closed, .held = SAL_MASK(all_closed)};
}

void sal_model_jacobian(const sal_model *model, const double param[], double t, const double y[],
                        bool all_closed, double J[])
{
  sal_m           closed[MAX_GUARD];
  const sal_phase phase = phase_of(param, all_closed, closed);

  model->w1->jac(&phase, t, y, J);
}

void sal_model_rhs(const sal_model *model, const double param[], double t, const double y[],
                   double dy[])
{
  sal_m           closed[MAX_GUARD];
  const sal_phase phase = phase_of(param, false, closed);

  model->w1->rhs(&phase, t, y, dy);
}

void sal_model_mode(const sal_model *model, const double param[], double t, const double y[],
                    bool closed[])
{
  sal_m           unused[MAX_GUARD];
  const sal_phase phase = phase_of(param, false, unused);
  double          gap[MAX_GUARD], rate[MAX_GUARD], dy[SAL_MAX_STATE] = {0};

  model->w1->guard(&phase, t, y, dy, gap, rate);
  for (int k = 0; k < model->n_guard; ++k) closed[k] = gap[k] <= 0;
}
