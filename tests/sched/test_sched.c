/** Every tile is handed out once, on one node and on several, fast and slow, to the end and not.
 *
 *  Nodes are made up: MPI_Comm_split_type is taken over through MPI's profiling interface, so that
 *  the ranks of one machine count as living on `ranks_per_node`.
 */
#include "clock.h"
#include "memory.h"
#include "sal_test.h"
#include "sched.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 200, ONE_NODE = 1000 };

static int me, size, ranks_per_node = ONE_NODE;
static uint64_t seed;

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

/* xorshift64*: in [0, 1), the same on all ranks that start alike */
static double drawn(void)
{
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return (double)((seed * 2685821657736338717U) >> 11) / 9007199254740992.0;
}

static void doze(double seconds)
{
  const struct timespec time = {0, (long)(1e9 * seconds)};

  nanosleep(&time, NULL);
}

/* A list with holes, in any order. */
typedef struct {
  int64_t n, cells;
  sal_tile tile[MOST];
  double cost[MOST];
} list;

static list make(int64_t n, uint64_t number)
{
  list l = {.n = n};
  int64_t at = 0;

  seed = number * 977 + 1;
  for (int64_t i = 0; i < n; ++i) {
    l.tile[i] = (sal_tile){at + (int64_t)(3 * drawn()), 1 + (int64_t)(9 * drawn())};
    l.cost[i] = exp(6 * drawn());
    at = l.tile[i].first + l.tile[i].count;
    l.cells += l.tile[i].count;
  }
  for (int64_t i = n - 1; i > 0; --i) {
    const int64_t j = (int64_t)((double)(i + 1) * drawn());
    const sal_tile swap = l.tile[i];
    l.tile[i] = l.tile[j];
    l.tile[j] = swap;
  }
  return l;
}

static sal_sched *begin(const list *l, bool told)
{
  sal_sched *sched;

  CU_ASSERT_FATAL(sal_sched_create(MPI_COMM_WORLD, l->n, l->tile, told ? l->cost : NULL, &sched) ==
                  SAL_OK);
  return sched;
}

static int64_t number_of(const list *l, const sal_tile *tile)
{
  for (int64_t i = 0; i < l->n; ++i)
    if (l->tile[i].first == tile->first && l->tile[i].count == tile->count) return i;
  CU_FAIL_FATAL("a tile that is not in the list");
  return -1;
}

/* Draws till there are no more, or `most`; how often each tile came to this rank.  Counts work. */
static int draw(sal_sched *sched, const list *l, double seconds, int most, int mine[MOST])
{
  sal_tile tile;
  bool more = true;
  int n = 0;

  for (; n < most; ++n) {
    CU_ASSERT_FATAL(sal_sched_next(sched, &tile, &more) == SAL_OK);
    if (!more) break;
    ++mine[number_of(l, &tile)];
    for (double done = 0; done < seconds; done += 1e-3) { /* a tile and its pieces */
      doze(fmin(1e-3, seconds - done));
      CU_ASSERT(sal_sched_poll(sched) == SAL_OK);
    }
    CU_ASSERT(sal_sched_add_work(sched, 7 * tile.count, 0) == SAL_OK);
    CU_ASSERT(sal_sched_add_work(sched, 3 * tile.count, tile.count) == SAL_OK);
    CU_ASSERT(sal_sched_finished(sched, &tile, 1e-3) == SAL_OK);
  }
  if (!more) CU_ASSERT(sal_sched_next(sched, &tile, &more) == SAL_OK && !more); /* it stays so */
  return n;
}

static void wait_for_all(sal_sched *sched)
{
  bool over = false;

  while (!over) CU_ASSERT_FATAL(sal_sched_wait(sched, 0.01, &over) == SAL_OK);
}

static void sum_up(const int mine[MOST], int times[MOST])
{
  MPI_Allreduce(mine, times, MOST, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void try_one(int64_t n, uint64_t number, bool told, const double pace[3])
{
  const list l = make(n, number);
  int mine[MOST] = {0}, times[MOST];
  int64_t done, work;
  sal_sched *sched = begin(&l, told);

  draw(sched, &l, pace[me % 3], MOST + 1, mine);
  wait_for_all(sched);
  sum_up(mine, times);
  for (int64_t i = 0; i < MOST; ++i) CU_ASSERT(times[i] == (i < n));
  CU_ASSERT(sal_sched_work(sched, &work, &done) == SAL_OK);
  if (me == 0) CU_ASSERT(done == l.cells && work == 10 * l.cells); /* the last reports have come */
  const sal_sched_stats stats = sal_sched_statistics(sched);
  CU_ASSERT(stats.n_node == (size + ranks_per_node - 1) / ranks_per_node);
  CU_ASSERT((stats.messages > 0) == (stats.n_node > 1 && me % ranks_per_node == 0));
  int64_t cells[2] = {stats.cells};
  MPI_Allreduce(&cells[0], &cells[1], 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  CU_ASSERT(cells[1] == l.cells);
  sal_sched_destroy(&sched);
  CU_ASSERT(sched == NULL);
}

static void on_nodes_of(int ranks)
{
  static const int64_t n[] = {0, 1, 2, 3, 4, 5, 7, 12, 31, 64, MOST};
  static const double pace[][3] = {{0, 0, 0}, {2e-3, 0, 0}, {0, 2e-3, 0}, {0, 0, 1e-3}};

  ranks_per_node = ranks;
  for (size_t i = 0; i < sizeof n / sizeof n[0]; ++i)
    for (uint64_t number = 0; number < 8; ++number)
      try_one(n[i], number, number % 2, pace[n[i] > 64 ? 0 : number % 4]);
}

static void every_tile_once(void) { on_nodes_of(ONE_NODE); }
static void every_tile_once_on_nodes_of_one_rank(void) { on_nodes_of(1); }
static void every_tile_once_on_nodes_of_two_ranks(void) { on_nodes_of(2); }

/* One rank of one node takes the tiles in falling order of their given costs. */
static void heaviest_first(void)
{
  const list l = make(MOST, 3);
  double last = INFINITY;
  sal_tile tile;
  bool more;

  ranks_per_node = ONE_NODE;
  sal_sched *sched = begin(&l, true);
  while (sal_sched_next(sched, &tile, &more) == SAL_OK && more) {
    const double cost = l.cost[number_of(&l, &tile)];
    CU_ASSERT(cost <= last);
    last = cost;
  }
  wait_for_all(sched);
  sal_sched_destroy(&sched);
}

/* Serves ranks that still draw, and draws nothing itself. */
static void serve_till_all_are_here(sal_sched *sched)
{
  MPI_Request all;
  int here = 0;

  MPI_Ibarrier(MPI_COMM_WORLD, &all);
  while (!here) {
    CU_ASSERT(sal_sched_poll(sched) == SAL_OK);
    MPI_Test(&all, &here, MPI_STATUS_IGNORE);
    doze(1e-4);
  }
}

/* The cells from here on take a hundred times as long as the others, which no rank has been given. */
enum { HEAVY_FROM = 3 * MOST };

/* Draws and reports all there is; how many, and how many heavy ones among the last quarter. */
static int draw_and_report(sal_sched *sched, int *heavy, int *late)
{
  bool is_heavy[MOST], more = true;
  int n = 0;
  sal_tile tile;

  while (sal_sched_next(sched, &tile, &more) == SAL_OK && more) {
    const bool here = is_heavy[n++] = tile.first >= HEAVY_FROM;
    const double cell = here ? 1 : 0.01;
    CU_ASSERT(sal_sched_finished(sched, &tile, cell * (double)tile.count) == SAL_OK);
  }
  *heavy = *late = 0;
  for (int i = 0; i < n; ++i) *heavy += is_heavy[i];
  for (int i = n - n / 4; i < n; ++i) *late += is_heavy[i];
  return n;
}

/* Costs reported by one rank have arrived when only the light tiles are left. */
static void costs_are_learnt(void)
{
  static const int per_node[] = {ONE_NODE, 1};

  for (int k = 0; k < 2; ++k) {
    const list l = make(MOST, 6);
    int heavy, late, mine[MOST] = {0};
    ranks_per_node = per_node[k];
    sal_sched *sched = begin(&l, false);
    if (me == size - 1) { /* on another node than the pool, if there is one */
      const int n = draw_and_report(sched, &heavy, &late);
      CU_ASSERT(n > MOST / 2 && heavy > n / 4 && heavy < 3 * n / 4 && late <= n / 40);
    }
    serve_till_all_are_here(sched);
    draw(sched, &l, 0, MOST, mine);
    wait_for_all(sched);
    sal_sched_destroy(&sched);
  }
}

/* A slow rank leaves the work to the others, and the waiting time is reported. */
static void the_slow_get_less(void)
{
  static const int per_node[] = {ONE_NODE, 1};

  for (int k = 0; k < 2 && size > 1; ++k) {
    const list l = make(60, 5);
    int mine[MOST] = {0}, times[MOST], n[3] = {0}, all[3];
    ranks_per_node = per_node[k];
    for (int slow = 0; slow < 2; ++slow) {
      sal_sched *sched = begin(&l, false);
      memset(mine, 0, sizeof mine);
      n[me] = draw(sched, &l, me == slow ? 0.03 : 0.002, MOST, mine);
      wait_for_all(sched);
      sum_up(mine, times);
      for (int64_t i = 0; i < l.n; ++i) CU_ASSERT(times[i] == 1);
      MPI_Allreduce(n, all, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      CU_ASSERT(all[slow] >= 1 && 3 * all[slow] < all[1 - slow]);
      CU_ASSERT(sal_sched_statistics(sched).waited >= 0);
      sal_sched_destroy(&sched);
    }
  }
}

/* A rank that waits is asleep: an idle one takes little CPU time. */
static void waiting_takes_no_core(void)
{
  const list l = make(size, 1);
  int mine[MOST] = {0};
  const double cpu = sal_clock_cpu();

  ranks_per_node = 1;
  sal_sched *sched = begin(&l, false);
  draw(sched, &l, 0, 1, mine); /* at least the first rank has one */
  if (me == size - 1) doze(0.6);
  draw(sched, &l, 0, MOST, mine);
  wait_for_all(sched);
  if (me != size - 1) CU_ASSERT(sal_sched_statistics(sched).waited > 0.3);
  CU_ASSERT(sal_clock_cpu() - cpu < 0.25);
  sal_sched_destroy(&sched);
}

/* Any rank may end it for all, also while others are in a tile; nothing is lost but what no rank
 * had. */
static void a_drain_reaches_everybody(void)
{
  static const int per_node[] = {ONE_NODE, 1, 2};

  for (int k = 0; k < 3; ++k)
    for (int rank = 0; rank < size; ++rank) {
      const list l = make(MOST, 9);
      int mine[MOST] = {0}, times[MOST], undone = 0;
      sal_tile tile;
      bool more;
      ranks_per_node = per_node[k];
      sal_sched *sched = begin(&l, true);
      if (me == rank) {
        draw(sched, &l, 1e-3, 3, mine);
        CU_ASSERT(sal_sched_drain(sched) == SAL_OK);
        CU_ASSERT(sal_sched_drain(sched) == SAL_OK);
        CU_ASSERT(sal_sched_next(sched, &tile, &more) == SAL_OK && !more);
      } else
        draw(sched, &l, 4e-3, MOST, mine);
      wait_for_all(sched);
      sum_up(mine, times);
      for (int64_t i = 0; i < l.n; ++i) {
        CU_ASSERT(times[i] <= 1);
        undone += times[i] == 0;
      }
      CU_ASSERT(undone > MOST / 2); /* else everything was done before it came */
      sal_sched_destroy(&sched);
    }
}

/* A rank that fails drains and waits; one that does not even wait is waited for by destroy. */
static void a_schedule_may_be_given_up(void)
{
  for (int k = 1; k <= 2; ++k) {
    const list l = make(MOST, 2);
    int mine[MOST] = {0};
    ranks_per_node = k;
    sal_sched *sched = begin(&l, false);
    if (me == 0) draw(sched, &l, 0, 2, mine);
    sal_sched_destroy(&sched);
    sched = begin(&l, false);
    sal_sched_destroy(&sched);
  }
  CU_ASSERT(sal_memory_live() == 0);
}

/* Within tiles, too: work may be done before the first cell is. */
static void progress_reaches_the_first_rank(void)
{
  static const int per_node[] = {ONE_NODE, 1};

  for (int k = 0; k < 2; ++k) {
    const list l = make(50, 4);
    int64_t done, work, before = 0;
    int mine[MOST] = {0};
    ranks_per_node = per_node[k];
    sal_sched *sched = begin(&l, false);
    CU_ASSERT(sal_sched_work(sched, &work, &done) == SAL_OK && done >= 0 && work >= done);
    CU_ASSERT(sal_sched_add_work(sched, 5, 0) == SAL_OK);
    while (draw(sched, &l, 1e-3, 1, mine) == 1) {
      CU_ASSERT(sal_sched_work(sched, &work, &done) == SAL_OK && work >= before);
      CU_ASSERT((work >= 15 && done > 0) || me > 0);
      before = work;
    }
    wait_for_all(sched);
    CU_ASSERT(sal_sched_work(sched, &work, &done) == SAL_OK);
    if (me == 0) CU_ASSERT(done == l.cells && work == 10 * l.cells + 5 * size);
    sal_sched_destroy(&sched);
  }
}

/* A rank in a long tile can see that another one has stopped the run. */
static void a_stop_is_seen_by_all(void)
{
  static const int per_node[] = {ONE_NODE, 1};

  for (int k = 0; k < 2; ++k) {
    const list l = make(MOST, 9);
    bool seen = false;
    ranks_per_node = per_node[k];
    sal_sched *sched = begin(&l, false);
    CU_ASSERT(sal_sched_stopped(sched, &seen) == SAL_OK);
    MPI_Barrier(MPI_COMM_WORLD);
    CU_ASSERT(!seen);
    if (me == size - 1) CU_ASSERT(sal_sched_drain(sched) == SAL_OK);
    for (int i = 0; i < 5000 && !seen; ++i) {
      doze(1e-3);
      CU_ASSERT(sal_sched_poll(sched) == SAL_OK);
      CU_ASSERT(sal_sched_stopped(sched, &seen) == SAL_OK);
    }
    CU_ASSERT(seen);
    serve_till_all_are_here(sched);
    wait_for_all(sched);
    sal_sched_destroy(&sched);
  }
}

static void ranges_are_reduced_element_by_element(void)
{
  double lo[] = {me, -me, 5, INFINITY, me == size - 1 ? -1e300 : 7};
  double hi[] = {me, -me, 5, -INFINITY, me == 0 ? 1e300 : 7};

  CU_ASSERT(sal_sched_reduce_range(MPI_COMM_WORLD, 5, lo, hi) == SAL_OK);
  CU_ASSERT(lo[0] == 0 && hi[0] == size - 1);
  CU_ASSERT(lo[1] == 1 - size && hi[1] == 0);
  CU_ASSERT(lo[2] == 5 && hi[2] == 5);
  CU_ASSERT(lo[3] == INFINITY && hi[3] == -INFINITY); /* an empty range stays empty */
  CU_ASSERT(lo[4] == -1e300 && hi[4] == 1e300);
}

static void memory_comes_back(void) { CU_ASSERT(sal_memory_live() == 0); }

SAL_TEST_MAIN_MPI("sched", setup, {"every tile once", every_tile_once},
                  {"every tile once on nodes of one rank", every_tile_once_on_nodes_of_one_rank},
                  {"every tile once on nodes of two ranks", every_tile_once_on_nodes_of_two_ranks},
                  {"heaviest first", heaviest_first}, {"costs are estimated", costs_are_learnt},
                  {"the slow get less", the_slow_get_less},
                  {"waiting takes no core", waiting_takes_no_core},
                  {"a drain reaches everybody", a_drain_reaches_everybody},
                  {"a schedule may be given up", a_schedule_may_be_given_up},
                  {"progress reaches the first rank", progress_reaches_the_first_rank},
                  {"a stop is seen by all", a_stop_is_seen_by_all},
                  {"ranges are reduced element by element", ranges_are_reduced_element_by_element},
                  {"memory comes back", memory_comes_back})
