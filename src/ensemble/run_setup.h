/** The setup that references, configurations and captured runs of a sweep share. */
#pragma once

#include "sweep.h"

/** How a run of the sweep is set up, without its zone and fixed steps. */
sal_setup sal_run_setup(const sal_sweep *sweep, const sal_method *method,
                        const sal_strategy *strategy, double tolerance);
