/** @file tests/par/test_sched.c
 *  Every cell is handed out once, on one node and on several.
 *
 *  Nodes are made up: MPI_Comm_split_type is taken over through MPI's profiling interface, so that
 *  the ranks of one machine count as living on `ranks_per_node`.
 */
#include "memory.h"
#include "sal_test.h"
#include "sched.h"
#include <math.h>
#include <string.h>

enum { MOST = 300, ONE_NODE = 1000 };

static int me, size, ranks_per_node = ONE_NODE;

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
  int here;

  (void)info;
  CU_ASSERT(type == MPI_COMM_TYPE_SHARED);
  MPI_Comm_rank(comm, &here);
  return PMPI_Comm_split(comm, here / ranks_per_node, key, out);
}

static int setup(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return 0;
}

/* How often each cell was handed out to any rank, and how many tiles this rank got. */
static int draw_all(sal_sched *sched, int64_t n_cell, int64_t most, int times[MOST])
{
  int      mine[MOST] = {0}, n_tile = 0;
  sal_tile tile;
  bool     more = true;

  for (;;) {
    CU_ASSERT_FATAL(sal_sched_next(sched, &tile, &more) == SAL_OK);
    if (!more) break;
    CU_ASSERT_FATAL(tile.first >= 0 && tile.count >= 1 && tile.count <= most &&
                    tile.first + tile.count <= n_cell);
    for (int64_t i = 0; i < tile.count; ++i) ++mine[tile.first + i];
    CU_ASSERT(sal_sched_finished(sched, tile.count) == SAL_OK);
    ++n_tile;
  }
  CU_ASSERT(sal_sched_next(sched, &tile, &more) == SAL_OK && !more); /* and it stays so */
  MPI_Allreduce(mine, times, MOST, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return n_tile;
}

static void try_one(int64_t n_cell, int64_t tile)
{
  sal_sched *sched;
  int        times[MOST], n_tile, total;
  int64_t    done, all, node_all[2] = {0, 0};

  CU_ASSERT_FATAL(sal_sched_create(MPI_COMM_WORLD, n_cell, tile, &sched) == SAL_OK);
  n_tile = draw_all(sched, n_cell, tile, times);
  for (int64_t i = 0; i < MOST; ++i) CU_ASSERT(times[i] == (i < n_cell));
  MPI_Allreduce(&n_tile, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CU_ASSERT(total == (n_cell + tile - 1) / tile);

  /* all ranks are through: whoever asks hears that all cells of its node are done */
  CU_ASSERT(sal_sched_progress(sched, &done, &all) == SAL_OK);
  CU_ASSERT(done == all);
  if (ranks_per_node == ONE_NODE) CU_ASSERT(all == n_cell);
  if (me % ranks_per_node == 0) node_all[0] = all;
  MPI_Allreduce(&node_all[0], &node_all[1], 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  CU_ASSERT(node_all[1] == n_cell);
  sal_sched_destroy(&sched);
  CU_ASSERT(sched == NULL);
}

static void try_many(void)
{
  static const int64_t cells[] = {1, 2, 3, 4, 5, 7, 13, 64, 65, 97, 128, MOST},
                       tiles[] = {1, 2, 3, 5, 13, 64, MOST};

  for (size_t i = 0; i < sizeof cells / sizeof cells[0]; ++i)
    for (size_t k = 0; k < sizeof tiles / sizeof tiles[0]; ++k) try_one(cells[i], tiles[k]);
}

static void every_cell_is_handed_out_once(void)
{
  ranks_per_node = ONE_NODE;
  try_many();
}

static void every_cell_is_handed_out_once_on_nodes_of_one_rank(void)
{
  ranks_per_node = 1;
  try_many();
}

static void every_cell_is_handed_out_once_on_nodes_of_two_ranks(void)
{
  ranks_per_node = 2;
  try_many();
}

static void nodes_take_tiles_by_turns(void)
{
  sal_sched *sched;
  sal_tile   tile;
  bool       more;

  ranks_per_node = 1;
  CU_ASSERT_FATAL(sal_sched_create(MPI_COMM_WORLD, 100, 5, &sched) == SAL_OK);
  for (int k = me; k < 20; k += size) {
    CU_ASSERT(sal_sched_next(sched, &tile, &more) == SAL_OK && more);
    CU_ASSERT(tile.first == 5 * k && tile.count == 5);
  }
  CU_ASSERT(sal_sched_next(sched, &tile, &more) == SAL_OK && !more);
  sal_sched_destroy(&sched);
}

static void who_is_busy_leaves_the_work_to_the_others(void)
{
  sal_sched *sched;
  int        times[MOST] = {0}, n_tile = 0;

  ranks_per_node = ONE_NODE;
  CU_ASSERT_FATAL(sal_sched_create(MPI_COMM_WORLD, MOST, 10, &sched) == SAL_OK);
  if (me == size - 1) { /* the last rank does all while the others wait at the barrier */
    bool     more;
    sal_tile tile;
    while (sal_sched_next(sched, &tile, &more) == SAL_OK && more) ++n_tile;
    CU_ASSERT(n_tile == MOST / 10);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT(draw_all(sched, MOST, 10, times) == 0);
  sal_sched_destroy(&sched);
}

static void progress_reaches_all_ranks(void)
{
  sal_sched *sched;
  int64_t    done, all;

  ranks_per_node = ONE_NODE;
  CU_ASSERT_FATAL(sal_sched_create(MPI_COMM_WORLD, 90, 7, &sched) == SAL_OK);
  CU_ASSERT(sal_sched_progress(sched, &done, &all) == SAL_OK && done == 0 && all == 90);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT(sal_sched_finished(sched, 10 + me) == SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT(sal_sched_progress(sched, &done, &all) == SAL_OK && all == 90);
  CU_ASSERT(done == 10 * size + size * (size - 1) / 2);
  MPI_Barrier(MPI_COMM_WORLD);
  sal_sched_destroy(&sched);
}

static void ranges_are_reduced_element_by_element(void)
{
  double lo[] = {me, -me, 5, INFINITY, me == size - 1 ? -1e300 : 7};
  double hi[] = {me, -me, 5, -INFINITY, me == 0 ? 1e300 : 7};

  CU_ASSERT(sal_reduce_range(MPI_COMM_WORLD, 5, lo, hi) == SAL_OK);
  CU_ASSERT(lo[0] == 0 && hi[0] == size - 1);
  CU_ASSERT(lo[1] == 1 - size && hi[1] == 0);
  CU_ASSERT(lo[2] == 5 && hi[2] == 5);
  CU_ASSERT(lo[3] == INFINITY && hi[3] == -INFINITY); /* an empty range stays empty */
  CU_ASSERT(lo[4] == -1e300 && hi[4] == 1e300);
}

static void tiles_are_small_enough_for_everybody_and_large_enough_for_lanes(void)
{
  int largest = 0;

  for (int ranks = 1; ranks <= 512; ranks = ranks * 2 + 1)
    for (int64_t n = 1; n < 2000000; n = n * 5 / 4 + 1) {
      const int64_t tile = sal_sched_tile_size(n, ranks);
      CU_ASSERT_FATAL(tile >= 1 && tile <= 64);
      const int64_t tiles = (n + tile - 1) / tile;
      CU_ASSERT(tiles >= (n < 2 * ranks ? n : 2 * ranks));
      if (n >= 64 * 4 * (int64_t)ranks) CU_ASSERT(tile == 64);
      if (tile > largest) largest = (int)tile;
    }
  CU_ASSERT(largest == 64);
}

static void memory_comes_back(void) { CU_ASSERT(sal_memory_live() == 0); }

SAL_TEST_MAIN_MPI("sched", setup, {"every cell is handed out once", every_cell_is_handed_out_once},
                  {"every cell is handed out once on nodes of one rank",
                   every_cell_is_handed_out_once_on_nodes_of_one_rank},
                  {"every cell is handed out once on nodes of two ranks",
                   every_cell_is_handed_out_once_on_nodes_of_two_ranks},
                  {"nodes take tiles by turns", nodes_take_tiles_by_turns},
                  {"who is busy leaves the work to the others",
                   who_is_busy_leaves_the_work_to_the_others},
                  {"progress reaches all ranks", progress_reaches_all_ranks},
                  {"ranges are reduced element by element", ranges_are_reduced_element_by_element},
                  {"tiles are small enough for everybody and large enough for lanes",
                   tiles_are_small_enough_for_everybody_and_large_enough_for_lanes},
                  {"memory comes back", memory_comes_back})
