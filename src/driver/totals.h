/** @file src/driver/totals.h
 *  What the cube needs to know of all records before the first of them is written: kept by the
 *  journals with each record, so that nothing is read for it alone.
 */
#ifndef SAL_TOTALS_H
#define SAL_TOTALS_H

#include "journal_state.h"
#include "points.h"

typedef struct {
  sal_points_range range;
} sal_totals;

/** What journals of a sweep, which is borrowed, have to keep for that (sal_journal_open). */
sal_journal_ranges sal_totals_ranges(const sal_sweep *sweep);
/** Collective: of all records that the journals hold. */
SAL_MUST_CHECK sal_err sal_totals_of(const sal_journal *journal, sal_totals *totals);

#endif
