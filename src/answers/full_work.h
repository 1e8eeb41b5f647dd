/** @file src/answers/full_work.h
 *  Estimated work of a stopped run.
 *
 *  The full work of a stopped run is extrapolated from the runs of its method and strategy at looser tolerances in
 *  that cell, whose work grows by a power of the tolerance: that of the two tightest which ended, up to the
 *  -1/(p + 1) of a method of order p, or that where only one did.  Where none did it is taken to be half done.
 */
#ifndef SAL_FULL_WORK_H
#define SAL_FULL_WORK_H

#include "performance_table.h"

/** Estimated full work of a run that was stopped at the cutoff of its cell. */
double sal_full_work_of(const sal_performance_table *table, int64_t cell, int config);

#endif
