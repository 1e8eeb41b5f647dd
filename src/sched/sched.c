/** A rank's view of the schedule. */
#include "sched.h"
#include "base.h"
#include "clock.h"
#include "collective_error.h"
#include "node.h"
#include <time.h>

static const struct timespec nap = {0, SAL_NAP};

/* A tile and its number in the list. */
typedef struct {
  sal_tile tile;
  int64_t number;
} place;

struct sal_sched {
  MPI_Comm comm;
  sal_node node;
  sal_node_leader *leader; /* NULL: another rank leads */
  sal_pool *pool;          /* of rank 0 */
  int64_t n_tile;
  sal_tile *tile;          /* [n_tile] */
  place *by_cell;          /* [n_tile], first cells ascending */
  bool whole;              /* created to the end */
  bool none;               /* no tile is left for this rank */
  bool leaves, left, over; /* waits; has said the last word; all have */
  MPI_Request everybody;   /* barrier of the ranks that wait */
  sal_sched_stats stats;
};

static int by_first_cell(const void *a, const void *b)
{
  const int64_t x = ((const place *)a)->tile.first, y = ((const place *)b)->tile.first;

  return (x > y) - (x < y);
}

static sal_err copy_tiles(sal_sched *s, const sal_tile tile[])
{
  s->tile = sal_alloc((size_t)s->n_tile, sizeof *s->tile);
  s->by_cell = sal_alloc((size_t)s->n_tile, sizeof *s->by_cell);
  if (!s->tile || !s->by_cell)
    return sal_fail(SAL_ERR_MEMORY, "no memory to schedule %lld tiles", (long long)s->n_tile);
  for (int64_t i = 0; i < s->n_tile; ++i) {
    s->tile[i] = tile[i];
    s->by_cell[i] = (place){tile[i], i};
  }
  qsort(s->by_cell, (size_t)s->n_tile, sizeof *s->by_cell, by_first_cell);
  return SAL_OK;
}

static sal_err make_pool(sal_sched *s, const double cost[])
{
  if (sal_collective_rank(s->comm) == 0)
    SAL_TRY(sal_pool_create(s->n_tile, s->tile, cost, &s->pool));
  return SAL_OK;
}

/* Memory that is short on one rank is short for all, lest the others wait for it. */
static sal_err fail_together(MPI_Comm comm, sal_err mine)
{
  int failed = mine != SAL_OK, any;

  SAL_TRY_MPI(MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm));
  if (mine == SAL_OK && any) return sal_fail(SAL_ERR_MEMORY, "no memory for the schedule");
  return mine;
}

sal_err sal_sched_create(MPI_Comm comm, int64_t n_tile, const sal_tile tile[], const double cost[],
                         sal_sched **out)
{
  sal_sched *s = *out = sal_alloc(1, sizeof *s);

  if (s) *s = (sal_sched){.comm = comm, .n_tile = n_tile, .everybody = MPI_REQUEST_NULL};
  SAL_TRY(fail_together(comm, s ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for the schedule")));
  assert(s);
  sal_err err = sal_node_open(comm, n_tile, &s->node);
  s->stats.n_node = s->node.ranks.n_node;
  if (err == SAL_OK) err = copy_tiles(s, tile);
  if (err == SAL_OK) err = make_pool(s, cost);
  SAL_TRY(fail_together(comm, err));
  if (s->node.ranks.rank == 0) err = sal_node_leader_create(&s->node, s->pool, &s->leader);
  SAL_TRY(fail_together(comm, err));
  s->whole = true;
  return SAL_OK;
}

sal_err sal_sched_poll(sal_sched *s)
{
  return s->leader && !s->left ? sal_node_leader_poll(s->leader) : SAL_OK;
}

/* Is there a tile at this place of the queue, or will there never be one? */
static sal_err look_at_queue(sal_sched *s, int64_t mine, bool *there, bool *none)
{
  int64_t stopped, ended, filled;

  SAL_TRY(sal_sched_poll(s));
  SAL_TRY(sal_node_add(&s->node, SAL_NODE_STOPPED, 0, &stopped));
  SAL_TRY(sal_node_add(&s->node, SAL_NODE_ENDED, 0, &ended)); /* before what it was the end of */
  SAL_TRY(sal_node_add(&s->node, SAL_NODE_FILLED, 0, &filled));
  *none = stopped || (ended && mine >= filled);
  *there = !*none && mine < filled;
  return SAL_OK;
}

static sal_err draw_number(sal_sched *s, int64_t *number, bool *more)
{
  bool none;
  int64_t mine;

  SAL_TRY(sal_node_add(&s->node, SAL_NODE_NEXT, 1, &mine));
  SAL_TRY(look_at_queue(s, mine, more, &none));
  while (!*more && !none) {
    nanosleep(&nap, NULL);
    SAL_TRY(look_at_queue(s, mine, more, &none));
  }
  return *more ? sal_node_tile(&s->node, mine, number) : SAL_OK;
}

sal_err sal_sched_next(sal_sched *s, sal_tile *tile, bool *more)
{
  const double began = sal_clock_wall();
  int64_t number;

  *more = false;
  if (s->leaves || s->none) return SAL_OK;
  SAL_TRY(draw_number(s, &number, more));
  s->stats.waited += sal_clock_wall() - began;
  s->none = !*more;
  if (s->none) return SAL_OK;
  *tile = s->tile[number];
  ++s->stats.tiles;
  s->stats.cells += tile->count;
  return SAL_OK;
}

sal_err sal_sched_finished(sal_sched *s, const sal_tile *tile, double seconds)
{
  const place key = {*tile, 0};
  const place *found =
      bsearch(&key, s->by_cell, (size_t)s->n_tile, sizeof *s->by_cell, by_first_cell);

  assert(found && found->tile.count == tile->count);
  SAL_TRY(sal_node_log(&s->node, found->number, seconds));
  return sal_sched_poll(s);
}

sal_err sal_sched_add_work(sal_sched *s, int64_t work, int64_t cells)
{
  int64_t before;

  SAL_TRY(sal_node_add(&s->node, SAL_NODE_WORK, work, &before));
  return cells ? sal_node_add(&s->node, SAL_NODE_CELLS, cells, &before) : SAL_OK;
}

sal_err sal_sched_work(sal_sched *s, int64_t *work, int64_t *cells)
{
  SAL_TRY(sal_sched_poll(s));
  if (s->leader) return sal_node_leader_work(s->leader, work, cells);
  SAL_TRY(sal_node_add(&s->node, SAL_NODE_WORK, 0, work));
  return sal_node_add(&s->node, SAL_NODE_CELLS, 0, cells);
}

sal_err sal_sched_stopped(sal_sched *s, bool *stopped)
{
  int64_t word;

  SAL_TRY(sal_node_add(&s->node, SAL_NODE_STOPPED, 0, &word));
  *stopped = word != 0;
  return SAL_OK;
}

atomic_int *sal_sched_halt(sal_sched *s) { return s->node.halt; }

sal_err sal_sched_drain(sal_sched *s)
{
  if (s->left) return SAL_OK;
  SAL_TRY(sal_node_set(&s->node, SAL_NODE_STOPPED));
  return sal_sched_poll(s);
}

/* One step towards the end; a leader goes last of its node, the first leader last of all. */
static sal_err step_out(sal_sched *s)
{
  int all;
  int64_t before;
  bool gone = true;

  if (!s->leaves && !s->leader) SAL_TRY(sal_node_add(&s->node, SAL_NODE_LEFT, 1, &before));
  s->leaves = true;
  if (!s->left) {
    if (s->leader) SAL_TRY(sal_node_leader_go(s->leader, &gone));
    if (!gone) return SAL_OK;
    s->left = true;
    SAL_TRY_MPI(MPI_Ibarrier(s->comm, &s->everybody));
  }
  SAL_TRY_MPI(MPI_Test(&s->everybody, &all, MPI_STATUS_IGNORE));
  s->over = all;
  return SAL_OK;
}

sal_err sal_sched_wait(sal_sched *s, double most, bool *over)
{
  const double began = sal_clock_wall();

  for (;;) {
    if (!s->over) SAL_TRY(step_out(s));
    if (s->over || sal_clock_wall() - began >= most) break;
    nanosleep(&nap, NULL);
  }
  s->stats.waited += sal_clock_wall() - began;
  *over = s->over;
  return SAL_OK;
}

sal_sched_stats sal_sched_statistics(const sal_sched *s)
{
  sal_sched_stats stats = s->stats;

  if (s->leader) stats.messages = sal_node_leader_messages(s->leader);
  return stats;
}

void sal_sched_destroy(sal_sched **sched)
{
  sal_sched *s = *sched;
  bool over;

  if (!s) return;
  sal_err err = SAL_OK; /* the window goes in any case */
  if (s->whole && !s->none) err = sal_sched_drain(s);
  if (s->whole && err == SAL_OK) err = sal_sched_wait(s, INFINITY, &over);
  (void)err;
  sal_node_leader_destroy(&s->leader);
  sal_pool_destroy(&s->pool);
  sal_node_close(&s->node);
  sal_free_all(s->tile, s->by_cell, s);
  *sched = NULL;
}

sal_err sal_sched_reduce_range(MPI_Comm comm, int n, double lo[], double hi[])
{
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, lo, n, MPI_DOUBLE, MPI_MIN, comm));
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, hi, n, MPI_DOUBLE, MPI_MAX, comm));
  return SAL_OK;
}
