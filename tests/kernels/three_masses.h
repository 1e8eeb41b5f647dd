/** @file tests/kernels/three_masses.h
 *  A test-only model with three contacts: masses that bounce on linear ground side by side,
 *  uncoupled, so that each has the exact solution of linear-ground.
 */
#ifndef THREE_MASSES_H
#define THREE_MASSES_H

#include "model.h"

enum { MASSES = 3 };

/** State (y, v) of each mass in turn; parameters g, k, d are shared. */
extern const sal_model three_masses;

#endif
