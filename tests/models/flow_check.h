/** Checks of a model against its descriptor.  Each one looks at one point and returns in words what is wrong.
 */
#pragma once

#include "flow_probe.h"
#include <stdio.h>

/** Result of a check: no fault where text is empty.  `size` is the largest of the numbers compared: where
 *  it is 0, nothing was. */
typedef struct {
  char text[256];
  double size;
} flow_verdict;

typedef flow_verdict flow_check(const sal_model *m, int n_guard, const flow_point *at);

/** d f_i / d y_j in a frozen mode, against central differences. */
flow_check flow_check_jacobian;

/** dh/dt + grad h . dy, against differences along (1, dy). */
flow_check flow_check_rate;

/** f leaves its arguments alone, and has no slope for discrete states. */
flow_check flow_check_slope;

/** In a second-order system the slope of a position is the velocity; or it depends on no state and the
 *  velocity does not either, where a contact holds the system.  `size` counts the former. */
flow_check flow_check_velocity;

/** In an autonomous model f is the same at another time. */
flow_check flow_check_time;

/** The invariant does not change along f. */
flow_check flow_check_energy;
