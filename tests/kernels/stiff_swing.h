/** A test-only second-order system that is stiff and depends on time: x - cos t fades at two rates.
 */
#pragma once

#include "model.h"

/** x'' = -cos t - (r_0 + r_1) (x' + sin t) - r_0 r_1 (x - cos t) with parameters r_0, r_1; states
 *  x, x'.  x = cos t from x = 1, x' = 0. */
extern const sal_model stiff_swing;
