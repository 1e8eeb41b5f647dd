/** @file tests/ensemble/test_tile_tasks.c
 *  Tasks of a tile: everything once, enough of them, full lanes, heaviest first.
 */
#include "sal_test.h"
#include "tile_tasks.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_CONTENDER = 50, MOST_CELL = 64, ROOM = MOST_CONTENDER * MOST_CELL };

static const int widths[] = {1, 4, 8};

static int all[MOST_CONTENDER]; /* by number */

static double cost_of(int contender) { return 1 + contender * 7 % 5; }

static void check(int n_contender, int64_t cells, int width, int threads)
{
  double cost[MOST_CONTENDER], last = INFINITY;
  sal_tile_task task[ROOM];
  int times[MOST_CONTENDER][MOST_CELL] = {0};
  bool cut = false, fine = true;

  for (int i = 0; i < n_contender; ++i) cost[i] = cost_of(i);
  for (int i = 0; i < n_contender; ++i) all[i] = i;
  const int64_t n = sal_tile_tasks_cut(n_contender, all, cells, width, threads, cost, task);
  CU_ASSERT_FATAL(n >= n_contender && n <= n_contender * ((cells + width - 1) / width));
  for (int64_t k = 0; k < n; ++k) {
    const sal_tile_task *p = &task[k];
    CU_ASSERT(p->cost <= last && p->cost == cost_of(p->contender) * (double)p->count);
    CU_ASSERT(p->count % width == 0 || p->first + p->count == cells);
    CU_ASSERT_FATAL(p->first >= 0 && p->count >= 1 && p->first + p->count <= cells);
    for (int64_t i = p->first; i < p->first + p->count; ++i) ++times[p->contender][i];
    last = p->cost;
    cut = cut || p->count < cells;
    fine = fine && p->count <= width;
  }
  for (int i = 0; i < n_contender; ++i)
    for (int64_t j = 0; j < cells; ++j) CU_ASSERT(times[i][j] == 1);
  if (n_contender >= 4 * threads) CU_ASSERT(!cut); /* whole ones fill the lanes best */
  if (n_contender < 4 * threads && cells > width) CU_ASSERT(cut);
  CU_ASSERT(n >= 2 * threads || fine); /* 4 for each thread, but for the rounding to full lanes */
}

static void every_contender_meets_every_cell_once(void)
{
  static const int n[] = {1, 2, 3, 7, 8, 42, MOST_CONTENDER};

  for (size_t i = 0; i < sizeof n / sizeof n[0]; ++i)
    for (int64_t cells = 1; cells <= MOST_CELL; ++cells)
      for (int w = 0; w < 3; ++w)
        for (int threads = 1; threads <= 16; ++threads) check(n[i], cells, widths[w], threads);
}

/* Nothing is known before the first tile: tight tolerances, the last ones, go first. */
static void without_costs_the_last_contender_goes_first(void)
{
  const double cost[6] = {0};
  sal_tile_task task[6];

  for (int i = 0; i < 6; ++i) all[i] = i;

  CU_ASSERT_FATAL(sal_tile_tasks_cut(6, all, 5, 8, 1, cost, task) == 6);
  for (int k = 0; k < 6; ++k) CU_ASSERT(task[k].contender == 5 - k && task[k].count == 5);
}

/* The contenders of a phase keep their numbers, and their costs by number. */
static void some_contenders_are_cut_like_all(void)
{
  const int some[] = {4, 1};
  const double cost[] = {9, 2, 9, 9, 3};
  sal_tile_task task[4];

  CU_ASSERT_FATAL(sal_tile_tasks_cut(2, some, 8, 4, 1, cost, task) == 4);
  for (int k = 0; k < 4; ++k)
    CU_ASSERT(task[k].contender == (k < 2 ? 4 : 1) && task[k].cost == 4 * (k < 2 ? 3 : 2));
}

static void a_lone_contender_is_shared(void)
{
  const double cost[1] = {3};
  sal_tile_task task[8];

  CU_ASSERT_FATAL(sal_tile_tasks_cut(1, all, 64, 8, 2, cost, task) == 8);
  for (int k = 0; k < 8; ++k) CU_ASSERT(task[k].first == 8 * k && task[k].count == 8);
  CU_ASSERT(sal_tile_tasks_cut(1, all, 64, 8, 1, cost, task) == 4 && task[0].count == 16);
}

SAL_TEST_MAIN("tile_tasks", NULL,
              {"every contender meets every cell once", every_contender_meets_every_cell_once},
              {"without costs the last contender goes first",
               without_costs_the_last_contender_goes_first},
              {"some contenders are cut like all", some_contenders_are_cut_like_all},
              {"a lone contender is shared", a_lone_contender_is_shared})
