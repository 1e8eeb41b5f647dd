/** f at one point, over and over in all lanes (lane half). */
#include "model.h"

void SAL_FN(sal_field_again)(const sal_model *model, const double param[], const bool mode[],
                             int times, const double y[], double dy[])
{
  double p[SAL_MAX_P] = {0};
  sal_v constant[SAL_MAX_P], state[SAL_MAX_STATE], slope[SAL_MAX_STATE];
  sal_m closed[SAL_MAX_GUARD];
  const int n = sal_model_continuous(model);

  sal_model_fill(model, param, p);
  for (int i = 0; i < SAL_MAX_P; ++i) constant[i] = sal_set(p[i]);
  for (int i = 0; i < model->n_state; ++i) state[i] = sal_set(y[i]);
  const sal_phase phase = {.n_guard = sal_model_guards(model, param),
                           .p = constant,
                           .q = state + n,
                           .closed = closed,
                           .held = ~sal_none(),
                           .inner = model->inner};
  for (int k = 0; k < phase.n_guard; ++k) closed[k] = mode[k] ? ~sal_none() : sal_none();
  for (int i = 0; i < times; ++i) model->SAL_WIDTH(w)->rhs(&phase, sal_set(1e-9 * i), state, slope);
  for (int i = 0; i < n; ++i) dy[i] = SAL_AT(slope[i], 0);
  sal_narrow();
}
