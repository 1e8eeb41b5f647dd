/** @file tests/kernels/ramp.h
 *  A test-only model: x follows a force that grows with time.
 */
#ifndef RAMP_H
#define RAMP_H

#include "model.h"

/** x' = -2 x + t. */
extern const sal_model ramp;

#endif
