/** @file src/io/cube/axes_name.h
 *  What the axes of a sweep are called in its cube.
 */
#ifndef SAL_AXES_NAME_H
#define SAL_AXES_NAME_H

#include "sweep.h"
#include "text.h"

/** Adds the name of axis number a: "n", "initial_z", "z_th". */
void sal_axes_name(const sal_sweep *sweep, int a, sal_text *name);

#endif
