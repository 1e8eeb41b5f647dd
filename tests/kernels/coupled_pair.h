/** A test-only second-order system of two positions, non-linear in all it depends on, time included,
 *  and four opinions of its Jacobian:
 *
 *      y1'' = -y1 + (1 - y2^2) y1' / 2 + y2 sin(2 t) / 5,
 *      y2'' = -2 sin y2 - y2'^3 / 10 + 3 y1 y1' / 10 + cos t.
 */
#pragma once

#include "method.h"

enum { COUPLED_STATES = 4, COUPLED_SPAN = 2 };

/** Where it starts, and where it is at COUPLED_SPAN, by Taylor series with 34 digits. */
static const double coupled_start[COUPLED_STATES] = {1, 0.5, 0, 1};
static const double coupled_end[COUPLED_STATES] = {-0.19066601281497223523, 0.53421805224862226859,
                                                   -0.85480250553936167853, -1.4083464825242200336};

/** The Jacobian as it is, that of the start, none at all, and a wrong one: the diagonals of df/dy
 *  and df/dy' alone, times 0.7 and 1.3. */
extern const sal_model coupled_exact, coupled_frozen, coupled_zero, coupled_wrong;

/** rosnys4 and rosnysw2 going on from their embedded solutions, and rosnys4 with a21 = 0.2 as it is
 *  printed.  Width 1. */
extern const sal_method rosnys4_embedded, rosnysw2_embedded, rosnys4_printed;
