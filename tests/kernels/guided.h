/** A test-only system of index 3: a mass that is held on a moving guide by a force. */
#pragma once

#include "model.h"

/** x' = v, v' = -v + force, 0 = x - sin t; x = sin t, v = cos t, force = cos t - sin t.  The first
 *  declares the indices of its states (1, 2, 3), the other one does not. */
extern const sal_model guided, guided_undeclared;
