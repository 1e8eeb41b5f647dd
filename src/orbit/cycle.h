/** @file src/orbit/cycle.h
 *  Periodic orbits: fixed points of a return map, by Newton's iteration in lanes, with their
 *  multipliers and checks.
 *
 *  The unknowns are those of the map: the states that a point of the section may differ in.  With
 *  redundant coordinates the equations are singular (Zana, Bodor, Bencsik & Zelei (2018), whose (31)
 *  has two multipliers of 1 that belong to its constraints), and any miss of the constraints would
 *  stay: the setup's `project` puts guess and trials onto them, and steps lie along them then, normal
 *  to `normals`.  Without them an orbit may be found beside the constraints: one of a family, which its
 *  multipliers of 1 tell.  The step is damped: halved until the residual falls and the orbit comes back.  It
 *  ends where rounding stops it.
 *
 *  A cell depends on its own parameters and guess alone: not on its neighbours, nor on the width.
 */
#ifndef SAL_CYCLE_H
#define SAL_CYCLE_H

#include "cycle_record.h"

/** Seeks an orbit in each of n cells.  Fails only for want of memory. */
SAL_MUST_CHECK sal_err sal_cycle_find(const sal_return_map *map, const sal_cycle_setup *setup,
                                      int64_t n, sal_cycle cell[]);

/** The orbit of a cell that is FOUND and has closed sooner (`least`), once more by Newton's iteration on
 *  the map of that many returns, with its own period, multipliers and events; *reduced: that found
 *  the same orbit.  Else the cell is as it was.  Fails only for want of memory. */
SAL_MUST_CHECK sal_err sal_cycle_reduce(const sal_return_map *fewer, const sal_cycle_setup *setup,
                                        sal_cycle *cell, bool *reduced);

#endif
