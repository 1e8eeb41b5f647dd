/** A ball that bounces along without loss and counts its impacts, until a wall ends the run: a
 *  discrete state and a contact that ends.
 *
 *      y'' = -g,  x' = u;  v -> -v and n -> n + 1 on the floor y = 0;  the wall stands at x = X.
 */
#pragma once

#include "model.h"

enum { COURIER_Y, COURIER_V, COURIER_X, COURIER_N, COURIER_STATES };
enum { COURIER_FLOOR, COURIER_WALL };

/** Parameters g = 8, u = 1, X = 4; start y = 1 at rest, x = 0, n = 0: impacts at t = 1/2, 3/2, .., and
 *  the wall at t = 4. */
extern const sal_model courier;
