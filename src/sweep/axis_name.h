/** The name of an axis in a cube. */
#pragma once

#include "sweep.h"
#include "text.h"

/** Adds the name of axis a: that of its column, initial_STATE for a state, or the names of its columns with _ between
 *  them. */
void sal_axis_name(const sal_sweep *sweep, int a, sal_text *name);
