/** Time stepping in a cell whose reference has not come to its end.  Two runs that agree may both be off by more than they
 *  differ, so that this is not an error: no configuration is scored by it.
 */
#pragma once

#include "sweep.h"

/** Mean over the mesh of the difference of the watched state between runs of the sweep's method of time stepping at its two
 *  tightest tolerances of at most SAL_CAPTURE_STEPS steps; NaN: it has no such method or tolerances, or a run failed.
 *  param [n_param + n_option], initial [n_state]. */
double sal_captured_difference(const sal_sweep *sweep, const double param[],
                               const double initial[]);
