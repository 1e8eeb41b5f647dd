/** A model as large as any may be: 128 states x_i' = -p_j x_i, j = i mod 64, and x_i = e^(-p_j t).
 */
#pragma once

#include "model.h"

/** States x0 .. x127, which begin at 1, parameters p0 .. p63 = 1 .. 64, four options of four words;
 *  no Jacobian of its own. */
const sal_model *wide_model(void);
