/** @file src/driver/totals.h
 *  What the cube needs to know of all records before the first of them is written: seen while they
 *  are run or scanned, so that nothing is read for it alone.
 */
#ifndef SAL_TOTALS_H
#define SAL_TOTALS_H

#include "journal_state.h"
#include "points.h"

typedef struct {
  const sal_sweep *sweep; /* borrowed */
  sal_points_range range;
} sal_totals;

/** Of no records. */
void sal_totals_clear(const sal_sweep *sweep, sal_totals *totals);
/** Adds a result; seeing one twice does no harm. */
void sal_totals_add(sal_totals *totals, const sal_tile_result *result);
/** The same while journals are scanned. */
sal_journal_visitor sal_totals_visitor(sal_totals *totals);
/** Collective: those of all ranks. */
SAL_MUST_CHECK sal_err sal_totals_reduce(MPI_Comm comm, sal_totals *totals);

#endif
