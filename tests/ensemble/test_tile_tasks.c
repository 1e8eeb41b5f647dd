/** Tasks of a tile: everything once, enough of them, full lanes, heaviest first. */
#include "sal_test.h"
#include "tile_tasks.h"
#include <stdbool.h>
#include <string.h>

enum { MOST_CONFIG = 50, MOST_CELL = 64, ROOM = MOST_CONFIG * MOST_CELL };

static const int widths[] = {1, 4, 8};

static int all[MOST_CONFIG]; /* by number */

/* Cells of a configuration: not all have the same. */
static int64_t cells_of(int config, int64_t most)
{
  return config == 0 ? most : config * 7 % (most + 1);
}

static void check(int n_config, int64_t most, int width, int threads)
{
  sal_tile_task task[ROOM];
  int times[MOST_CONFIG][MOST_CELL] = {0};
  int64_t cells[MOST_CONFIG] = {0}, batches = 0;
  bool cut = false, fine = true;

  for (int i = 0; i < n_config; ++i)
    batches += ((cells[i] = cells_of(i, most)) + width - 1) / width;
  for (int i = 0; i < n_config; ++i) all[i] = i;
  const int64_t n = sal_tile_tasks_cut(n_config, all, cells, width, threads, task);
  CU_ASSERT_FATAL(n >= 1 && n <= batches);
  for (int64_t k = 0; k < n; ++k) {
    const sal_tile_task *p = &task[k];
    CU_ASSERT(p->count % width == 0 || p->first + p->count == cells[p->config]);
    CU_ASSERT_FATAL(p->first >= 0 && p->count >= 1 && p->first + p->count <= cells[p->config]);
    for (int64_t i = p->first; i < p->first + p->count; ++i) ++times[p->config][i];
    cut = cut || p->count < cells[p->config];
    fine = fine && p->count <= width;
  }
  for (int i = 0; i < n_config; ++i)
    for (int64_t j = 0; j < MOST_CELL; ++j) CU_ASSERT(times[i][j] == (j < cells[i]));
  if (threads == 1 || n_config >= 4 * threads) CU_ASSERT(!cut); /* whole ones fill the lanes best */
  if (threads > 1 && n_config < 4 * threads && most > width) CU_ASSERT(cut);
  CU_ASSERT(n_config > 1 || threads == 1 || n >= 2 * threads || fine);
}

static void every_config_meets_its_cells_once(void)
{
  static const int n[] = {1, 2, 3, 7, 8, 42, MOST_CONFIG};

  for (size_t i = 0; i < sizeof n / sizeof n[0]; ++i)
    for (int64_t cells = 1; cells <= MOST_CELL; ++cells)
      for (int w = 0; w < 3; ++w)
        for (int threads = 1; threads <= 16; ++threads) check(n[i], cells, widths[w], threads);
}

/* Nothing is known before the first tile: tight tolerances, the last ones, go first. */
static void the_heaviest_goes_first_and_of_equals_the_last(void)
{
  static const double cost[] = {0, 9, 0, 2, 9};
  static const int order[] = {4, 1, 3, 2, 0};
  sal_tile_task task[5];

  for (int i = 0; i < 5; ++i) task[i] = (sal_tile_task){.config = i, .cost = cost[i]};
  sal_tile_tasks_heaviest_first(5, task);
  for (int k = 0; k < 5; ++k) CU_ASSERT(task[k].config == order[k]);
}

/* The configurations of a phase keep their numbers; one that has nothing to run has no task. */
static void some_configs_are_cut_like_all(void)
{
  const int some[] = {4, 1, 2};
  const int64_t cells[] = {64, 8, 0, 64, 11};
  sal_tile_task task[4];

  CU_ASSERT_FATAL(sal_tile_tasks_cut(3, some, cells, 4, 1, task) == 2);
  CU_ASSERT(task[0].config == 4 && task[0].count == 11);
  CU_ASSERT(task[1].config == 1 && task[1].count == 8);
  CU_ASSERT(sal_tile_tasks_cut(1, some + 2, cells, 4, 2, task) == 0);
}

static void a_lone_config_is_shared(void)
{
  const int64_t cells[1] = {64};
  sal_tile_task task[8];

  all[0] = 0;
  CU_ASSERT_FATAL(sal_tile_tasks_cut(1, all, cells, 8, 2, task) == 8);
  for (int k = 0; k < 8; ++k) CU_ASSERT(task[k].first == 8 * k && task[k].count == 8);
  CU_ASSERT(sal_tile_tasks_cut(1, all, cells, 8, 1, task) == 1 && task[0].count == 64);
}

/* One run takes one lane, some take four, and eight are for many; what was asked for is taken. */
static void few_runs_take_few_lanes(void)
{
  int before = 0;

  for (int64_t runs = 1; runs <= MOST_CELL; ++runs) {
    const int eight = sal_tile_tasks_width(8, false, runs);
    CU_ASSERT(eight == (runs == 1 ? 1 : runs < 32 ? 4 : 8) && eight >= before);
    CU_ASSERT(sal_tile_tasks_width(4, false, runs) == (runs == 1 ? 1 : 4));
    CU_ASSERT(sal_tile_tasks_width(1, false, runs) == 1);
    for (int w = 0; w < 3; ++w) CU_ASSERT(sal_tile_tasks_width(widths[w], true, runs) == widths[w]);
    before = eight;
  }
}

SAL_TEST_MAIN("tile_tasks", NULL,
              {"every configuration runs its cells once", every_config_meets_its_cells_once},
              {"the heaviest goes first, and of equals the last",
               the_heaviest_goes_first_and_of_equals_the_last},
              {"some configurations are cut like all", some_configs_are_cut_like_all},
              {"a lone configuration is shared", a_lone_config_is_shared},
              {"few runs take few lanes", few_runs_take_few_lanes})
