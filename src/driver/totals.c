/** @file src/driver/totals.c
 *  Ranges and what is missing, over all records.
 */
#include "totals.h"
#include "collective_error.h"
#include "contender.h"
#include "sched.h"
#include <math.h>

void sal_totals_clear(const sal_sweep *sweep, sal_totals *totals)
{
  *totals = (sal_totals){.sweep = sweep};
  sal_range_clear(&totals->range);
}

static bool misses_count(const sal_record *r)
{
  for (int m = 0; m < SAL_N_METRIC; ++m)
    if (sal_metrics[m].kind == SAL_COUNT && isnan(r->value[m])) return true;
  return false;
}

void sal_totals_add(sal_totals *totals, const sal_tile_result *result)
{
  const int64_t n = result->count * sal_contender_count(totals->sweep);

  sal_range_add(&totals->range, totals->sweep, result);
  for (int64_t i = 0; i < n && !totals->count_missing; ++i)
    totals->count_missing = misses_count(&result->record[i]);
}

static void see_result(void *with, const sal_tile_result *result) { sal_totals_add(with, result); }

sal_journal_visitor sal_totals_visitor(sal_totals *totals)
{
  return (sal_journal_visitor){see_result, totals};
}

sal_err sal_totals_reduce(MPI_Comm comm, sal_totals *totals)
{
  const int mine = totals->count_missing;
  int       any;

  SAL_TRY_MPI(MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm));
  totals->count_missing = any;
  return sal_sched_reduce_range(comm, SAL_N_CRITERION * SAL_MAX_LIST, &totals->range.lo[0][0],
                                &totals->range.hi[0][0]);
}
