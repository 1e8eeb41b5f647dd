/** @file kernels/flow_jacobian.c
 *  The model's own Jacobian, or central differences of its right-hand side.
 */
#include "flow_jacobian.h"

static void take_differences(const sal_flow *flow, int n, const sal_phase *s, double t,
                             const double y[], double J[])
{
  double x[SAL_MAX_STATE], above[SAL_MAX_STATE], below[SAL_MAX_STATE];

  memcpy(x, y, (size_t)n * sizeof *x);
  for (int j = 0; j < n; ++j) {
    const double wish = 0x1p-17 * sal_max(sal_abs(y[j]), 1), d = (y[j] + wish) - y[j];
    x[j] = y[j] + d;
    flow->rhs(s, t, x, above);
    x[j] = y[j] - d;
    flow->rhs(s, t, x, below);
    x[j] = y[j];
    for (int i = 0; i < n; ++i) J[i * n + j] = (above[i] - below[i]) / (2 * d);
  }
}

void sal_flow_jacobian(const sal_flow *flow, int n, const sal_phase *s, double t, const double y[],
                       double J[])
{
  if (flow->jac)
    flow->jac(s, t, y, J);
  else
    take_differences(flow, n, s, t, y, J);
}
