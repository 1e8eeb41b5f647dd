/** A test-only model M dy/dt = f of index 1 with a full, singular M and a known solution. */
#pragma once

#include "model.h"

enum { WEIGHTED_STATES = 3 };

/** u' = u cos t, m w' = -m w^2, 0 = v - u w with the parameter m, all three equations mixed:
 *  u = e^(sin t), w = 1 / (2 + t), v = u w.  From t = 0: u = 1, w = 1/2, v = 1/2. */
extern const sal_model weighted;
void weighted_exact(double t, double y[]);
