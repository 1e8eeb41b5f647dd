/** Anderson & Revzen's hopper (section 5.1) and its configurations, for tests of zones. */
#pragma once

#include "calibration.h"
#include "parameter_column.h"
#include "registry.h"
#include "sweep.h"
#include <math.h>

enum { HOPPER_Z, HOPPER_V, HOPPER_STATES, HOPPER_MESH = 1000 };

/* Parameters and start of the paper; k is not in it. */
typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
} hopper;

static inline hopper hopper_with(double k)
{
  hopper h;

  sal_parameter_presets(sal_registry_model("hopper1d"), h.param, h.initial);
  h.param[1] = k;
  return h;
}

/* ode45 over [0, 2], tolerances `tol`, steps of 2 ms where steps are fixed; zones in the gap. */
static inline sal_setup hopper_config(const char *strategy, double tol)
{
  const sal_strategy *s = sal_registry_strategy(strategy);

  return (sal_setup){.model = sal_registry_model("hopper1d"),
                     .method = sal_registry_method("ode45"),
                     .strategy = s,
                     .rtol = tol,
                     .atol = tol,
                     .t_end = 2,
                     .n_guard = 1,
                     .fixed_step = s->fixed ? 0.002 : 0,
                     .max_attempts = 1000000};
}
