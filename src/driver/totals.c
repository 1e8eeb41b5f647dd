/** @file src/driver/totals.c
 *  Ranges over all records.
 */
#include "totals.h"
#include "sched.h"

void sal_totals_clear(const sal_sweep *sweep, sal_totals *totals)
{
  *totals = (sal_totals){.sweep = sweep};
  sal_points_range_clear(&totals->range);
}

void sal_totals_add(sal_totals *totals, const sal_tile_result *result)
{
  sal_points_range_add(&totals->range, totals->sweep, result);
}

static void see_result(void *with, const sal_tile_result *result) { sal_totals_add(with, result); }

sal_journal_visitor sal_totals_visitor(sal_totals *totals)
{
  return (sal_journal_visitor){see_result, totals};
}

sal_err sal_totals_reduce(MPI_Comm comm, sal_totals *totals)
{
  return sal_sched_reduce_range(comm, SAL_N_CRITERION * SAL_MAX_LIST, &totals->range.lo[0][0],
                                &totals->range.hi[0][0]);
}
