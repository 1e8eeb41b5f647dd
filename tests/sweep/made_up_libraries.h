/** A table of libraries in place of that of this build (providers.h): "Made-Up" with a Runge-Kutta
 *  method of order 4, which options set, and "Absent", which is not in it.
 */
#pragma once

#include "provider.h"

/** Ended by NULL. */
extern const sal_provider *const made_up_libraries[];

/** Methods made by options that have not been freed. */
extern int made_up_live;
