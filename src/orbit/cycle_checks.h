/** @file src/orbit/cycle_checks.h
 *  What is stored with an orbit: its multipliers, and how well it is one.
 */
#ifndef SAL_CYCLE_CHECKS_H
#define SAL_CYCLE_CHECKS_H

#include "cycle_record.h"

/** Fills what a cell tells of its orbit where it is FOUND, from y, closed and the derivative dp
 *  [n][n_unknown][n_unknown] there; an orbit that grazes, has no length or a start in the wrong phase
 *  is none: why says so then.  Fails only for want of memory. */
SAL_MUST_CHECK sal_err sal_cycle_checks_run(const sal_return_map *map, const sal_cycle_setup *setup,
                                            int64_t n, const double *const dp[], sal_cycle cell[]);

#endif
