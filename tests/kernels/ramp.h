/** A test-only model: x follows a force that grows with time. */
#pragma once

#include "model.h"

/** x' = -2 x + t. */
extern const sal_model ramp;
