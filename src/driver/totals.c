/** Ranges over all records. */
#include "assemble.h"
#include "collective_error.h"
#include "journal.h"
#include "sched.h"

/* Ranges of points as journals keep them: those of the tolerances of the sweep, criterion after
 * criterion. */
static void pack_range(const sal_points_range *range, int n_tolerance, double packed[])
{
  const int n = SAL_N_CRITERION * n_tolerance;

  for (int i = 0; i < n; ++i) {
    packed[i] = range->lo[i / n_tolerance][i % n_tolerance];
    packed[n + i] = range->hi[i / n_tolerance][i % n_tolerance];
  }
}

static void unpack_range(const double packed[], int n_tolerance, sal_points_range *range)
{
  const int n = SAL_N_CRITERION * n_tolerance;

  sal_points_range_clear(range);
  for (int i = 0; i < n; ++i) {
    range->lo[i / n_tolerance][i % n_tolerance] = packed[i];
    range->hi[i / n_tolerance][i % n_tolerance] = packed[n + i];
  }
}

static void measure_points(const void *with, const sal_tile_result *result, double range[])
{
  const sal_sweep *sweep = with;
  sal_points_range points;

  sal_points_range_clear(&points);
  sal_points_range_add(&points, sweep, result);
  pack_range(&points, sweep->n_tolerance, range);
}

/* Points of each cell by itself, and none, need no range over all cells. */
sal_journal_ranges sal_totals_ranges(const sal_sweep *sweep)
{
  const bool all = sweep->points != SAL_POINTS_PER_CELL && !sweep->without_points;

  return (sal_journal_ranges){.n = all ? SAL_N_CRITERION * sweep->n_tolerance : 0,
                              .measure = measure_points,
                              .with = sweep};
}

sal_err sal_totals_of(const sal_journal *j, sal_totals *totals)
{
  double packed[2 * SAL_N_CRITERION * SAL_MAX_LIST];

  SAL_TRY(sal_collective_error(j->comm, sal_journal_scan_ranges(j, packed)));
  if (j->ranges.n > 0)
    unpack_range(packed, j->sweep->n_tolerance, &totals->range);
  else
    sal_points_range_clear(&totals->range);
  return sal_sched_reduce_range(j->comm, SAL_N_CRITERION * SAL_MAX_LIST, &totals->range.lo[0][0],
                                &totals->range.hi[0][0]);
}
