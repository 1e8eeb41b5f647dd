/** A test-only model: the oscillator of van der Pol, stiff where mu is large. */
#pragma once

#include "model.h"

/** x'' = mu (1 - x^2) x' - x with the parameter mu; states x, x'. */
extern const sal_model van_der_pol;
