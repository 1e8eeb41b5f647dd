/** @file src/ensemble/cell_cycles.h
 *  The cycle of each of many cells: sought from simulations and from an orbit that is known, in lanes.
 *
 *  What is found in a cell depends on its parameters, its initial state and the sweep alone, not on
 *  its neighbours: an orbit that is known is carried to the cell on a straight line in the parameters,
 *  by steps that the cell itself makes shorter or longer.
 */
#ifndef SAL_CELL_CYCLES_H
#define SAL_CELL_CYCLES_H

#include "cell_cycle.h"
#include "err.h"
#include "sweep.h"

/** SAL_ERR_INPUT when the anchor of the sweep is no orbit. */
SAL_MUST_CHECK sal_err sal_cell_cycles_create(const sal_sweep *sweep, int width,
                                              sal_cell_cycles **out);
void sal_cell_cycles_destroy(sal_cell_cycles **cycles);

/** Seeks the cycles of `count` <= SAL_TILE_MOST cells, whose parameters [count][n_param + n_option]
 *  and initial states [count][n_state] are given; out [count].  Fails for want of memory only. */
SAL_MUST_CHECK sal_err sal_cell_cycles_find(sal_cell_cycles *cycles, int64_t count,
                                            const double param[], const double initial[],
                                            sal_cell_cycle out[]);

/** The largest value of the watched state over the period of a cycle, from a mesh of 512 points and
 *  the parabola through the highest three. */
double sal_cell_cycles_apex(sal_cell_cycles *cycles, const double param[],
                            const sal_cell_cycle *of);

/** States that points of the section may differ in: [n] of them. */
const int *sal_cell_cycles_unknowns(const sal_cell_cycles *cycles, int *n);

#endif
