/** @file kernels/flow_jacobian.h
 *  The Jacobian of a flow as a derivative, exact or nearly so (width 1): for stiffness and
 *  sensitivities.  What implicit methods take is methods/jacobian.h, whose differences are counted.
 */
#ifndef SAL_FLOW_JACOBIAN_H
#define SAL_FLOW_JACOBIAN_H

#include "model.h"

/** J [n][n] at (t, y [n]) in the mode of the phase: the model's own, or by central differences with
 *  a relative error of about 1e-10. */
void sal_flow_jacobian(const sal_flow *flow, int n, const sal_phase *s, double t, const double y[],
                       double J[]);

#endif
