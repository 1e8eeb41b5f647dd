/** A test-only model with a known solution and nothing that is not smooth: no contact, right-hand
 *  side non-linear, dependent on time, Jacobian full.
 */
#pragma once

#include "model.h"

/** x = 2 u + w, z = u + w with u' = u cos t, w' = -w^2; starts from u = 1, w = 1/2. */
extern const sal_model smooth_growth;

/** y [2] at time t. */
void smooth_growth_exact(long double t, long double y[]);
