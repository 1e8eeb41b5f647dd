/** Parts of a sweep: every cell in one of them, whatever is there already. */
#include "memory.h"
#include "sal_test.h"
#include "tiles.h"
#include <string.h>

enum { MOST = 3000 };

/* How often each cell is in a part; the parts' sizes agree with sal_job_part_cells. */
static void count(int64_t n_cell, int n_part, int64_t n_run, const sal_tile run[], int times[MOST])
{
  memset(times, 0, MOST * sizeof times[0]);
  for (int i = 1; i <= n_part; ++i) {
    const sal_job_part part = {i, n_part};
    sal_tile *own;
    int64_t n, cells = 0, end = 0;
    CU_ASSERT_FATAL(sal_job_part_cut(part, n_cell, n_run, run, &own, &n) == SAL_OK);
    for (int64_t k = 0; k < n; ++k) {
      CU_ASSERT_FATAL(own[k].first >= end && own[k].count > 0);
      end = own[k].first + own[k].count;
      CU_ASSERT_FATAL(end <= n_cell);
      for (int64_t c = own[k].first; c < end; ++c) ++times[c];
      cells += own[k].count;
    }
    if (n_run == 1 && run[0].count == n_cell) {
      CU_ASSERT_EQUAL(cells, sal_job_part_cells(part, n_cell));
      CU_ASSERT(cells <= n_cell / n_part + n_cell / n_part / 4 + 64);
      if (n_cell >= n_part) CU_ASSERT(cells > 0);
    }
    sal_free(own);
  }
}

static void every_cell_is_in_one_part(void)
{
  static const int64_t cells[] = {1, 2, 13, 64, 65, 1000, MOST};
  static const int parts[] = {1, 2, 3, 7, 64, 100};
  int times[MOST], all = 0;

  for (int i = 0; i < 7; ++i)
    for (int k = 0; k < 6; ++k) {
      const sal_tile whole = {0, cells[i]};
      count(cells[i], parts[k], 1, &whole, times);
      for (int64_t c = 0; c < MOST; ++c) CU_ASSERT(times[c] == (c < cells[i]));
      ++all;
    }
  CU_ASSERT_EQUAL(all, 42);
}

/* Finished cells do not move a cell to another part. */
static void a_cell_stays_in_its_part(void)
{
  const sal_job_part part = {2, 3};
  const sal_tile whole = {0, 1000}, rest[] = {{3, 190}, {200, 1}, {500, 499}};
  sal_tile *all, *some;
  int64_t n_all, n_some;
  int first[1000] = {0}, again[1000] = {0}, both = 0;

  CU_ASSERT_FATAL(sal_job_part_cut(part, 1000, 1, &whole, &all, &n_all) == SAL_OK);
  CU_ASSERT_FATAL(sal_job_part_cut(part, 1000, 3, rest, &some, &n_some) == SAL_OK);
  for (int64_t k = 0; k < n_all; ++k)
    for (int64_t c = 0; c < all[k].count; ++c) first[all[k].first + c] = 1;
  for (int64_t k = 0; k < n_some; ++k)
    for (int64_t c = 0; c < some[k].count; ++c) again[some[k].first + c] = 1;
  for (int r = 0; r < 3; ++r)
    for (int64_t c = rest[r].first; c < rest[r].first + rest[r].count; ++c) {
      CU_ASSERT_EQUAL(first[c], again[c]);
      both += again[c];
      again[c] = 0;
    }
  CU_ASSERT(both > 150);
  for (int c = 0; c < 1000; ++c) CU_ASSERT_EQUAL(again[c], 0);
  sal_free(all);
  sal_free(some);
}

static void memory_comes_back(void) { CU_ASSERT(sal_memory_live() == 0); }

SAL_TEST_MAIN("part", NULL, {"every cell is in one part", every_cell_is_in_one_part},
              {"a cell stays in its part", a_cell_stays_in_its_part},
              {"memory comes back", memory_comes_back})
