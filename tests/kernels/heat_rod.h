/** A test-only model whose Jacobian is a band: heat and drift along a rod of 12 pieces, with a loss
 *  that grows with the temperature.  It has no Jacobian of its own.
 */
#pragma once

#include "model.h"

enum { HEAT_ROD_PIECES = 12, HEAT_ROD_LOWER = 2, HEAT_ROD_UPPER = 1 };

/** With the parameters stiffness and loss; the same flow, described as a band and as full. */
extern const sal_model heat_rod_banded, heat_rod_full;
