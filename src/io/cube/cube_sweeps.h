/** @file src/io/cube/cube_sweeps.h
 *  In what the sweeps of two cubes differ, so that their values cannot be compared.
 */
#ifndef SAL_CUBE_SWEEPS_H
#define SAL_CUBE_SWEEPS_H

#include "cube.h"
#include "text.h"

/** Adds what differs in model, axes and dimensions: "axes k, f (8 x 8 cells) against rows b, m1 (13
 *  cells); methods ..".  Nothing is added when the cubes have the same dimensions. */
void sal_cube_sweeps_differ(const sal_cube *a, const sal_cube *b, sal_text *out);

#endif
