/** A ball above a floor that rises ever faster, s(t) = c t + a t^2 / 2: a gap that depends on time and
 *  a jump that does.  Seen from the floor it is a bouncing ball under g + a.
 *
 *      y'' = -g,  h = y - s(t);  at h = 0:  y -> s,  v -> s' - e (v - s').
 */
#pragma once

#include "model.h"

enum { LIFT_G, LIFT_E, LIFT_C, LIFT_A, LIFT_PARAMS };

extern const sal_model lift;
