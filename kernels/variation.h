/** How a trajectory inside one mode depends on where it starts: the variational equation
 *
 *      y' = f(t, y),    Phi' = J(t, y) Phi,    Phi(t0) = 1,
 *
 *  integrated by any method of the registry (width 1).  Discrete states hold still; what f depends on
 *  them by is a difference.
 */
#pragma once

#include "integrate.h"
#include "tangent_model.h"

enum { SAL_VARIATION_TOGETHER = 32 }; /* states integrated at a time, where a column fits in */

/** Can this model be varied?  State and at least one column of Phi must fit into SAL_MAX_DENSE. */
static inline bool sal_variation_works(const sal_model *model)
{
  return sal_tangent_model_most(model) > 0;
}

/** Bytes of work space for one call, aligned to 64.  The setup's model, method, tolerances,
 *  max_step, max_order and max_attempts are used. */
size_t sal_variation_bytes(const sal_setup *setup);

/** From (t0, y) to t1 > t0 with the mode frozen, closed [n_guard].  Leaves y [n_state] at t1 and
 *  Phi[i * n_state + j] = d y_i(t1) / d y_j(t0) [n_state][n_state].  Anything but SAL_OUT_DONE
 *  leaves both undefined. */
sal_outcome sal_variation_run(const sal_setup *setup, const double param[], const bool closed[],
                              double t0, double t1, double y[], double Phi[], void *work);
