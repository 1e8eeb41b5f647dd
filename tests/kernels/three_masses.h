/** A test-only model with three contacts: masses that bounce on linear ground side by side,
 *  uncoupled, so that each has the exact solution of linear-ground.
 */
#pragma once

#include "model.h"

enum { MASSES = 3 };

/** State (y, v) of each mass in turn; parameters g, k, d are shared. */
extern const sal_model three_masses;
