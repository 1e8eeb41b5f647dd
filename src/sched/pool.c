/** The pool: prediction, order, guided chunks. */
#include "pool.h"
#include "base.h"
#include "quantiles.h"
#include "tiles.h"

enum { SHARE = 4, AGAIN = 8 };

/* A tile that no node has; rank breaks ties; sum: cost of this and of all lighter ones. */
typedef struct {
  double cost, sum;
  int64_t tile, rank;
} entry;

struct sal_pool {
  int64_t n, left;
  int64_t n_finished, n_sorted; /* finished tiles, and how many the order has seen */
  int64_t ordered;              /* tiles put into order, all in all */
  const sal_tile *tile;
  double *apriori, *seconds, *predicted; /* [n]; seconds < 0: not finished */
  entry *queue;                          /* [left], lightest first */
  int64_t *by_cell;                      /* [n] numbers of the tiles, first cells ascending */
};

typedef struct {
  int64_t first, tile;
} place;

static int by_cost(const void *a, const void *b)
{
  const entry *x = a, *y = b;

  if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
  return (x->rank < y->rank) - (x->rank > y->rank);
}

static bool sort_by_cell(sal_pool *p)
{
  SAL_OWN place *order = sal_alloc((size_t)p->n, sizeof *order);

  if (!order) return false;
  for (int64_t i = 0; i < p->n; ++i) order[i] = (place){p->tile[i].first, i};
  sal_quantiles_sort_wholes(p->n, sizeof *order, order);
  for (int64_t i = 0; i < p->n; ++i) p->by_cell[i] = order[i].tile;
  return true;
}

static void put_in_order(sal_pool *p)
{
  double sum = 0;

  qsort(p->queue, (size_t)p->left, sizeof *p->queue, by_cost);
  for (int64_t i = 0; i < p->left; ++i) p->queue[i].sum = sum += p->queue[i].cost;
  p->ordered += p->left;
}

/* Equal costs: first those that are spread best over the cells. */
static bool fill_queue(sal_pool *p)
{
  SAL_OWN int64_t *spread = sal_alloc((size_t)p->n, sizeof *spread);

  if (!spread) return false;
  sal_tiles_spread(p->n, spread);
  for (int64_t k = 0; k < p->n; ++k) {
    const int64_t tile = p->by_cell[spread[k]];
    p->queue[k] = (entry){.cost = p->apriori[tile], .tile = tile, .rank = k};
  }
  put_in_order(p);
  return true;
}

sal_err sal_pool_create(int64_t n, const sal_tile tile[], const double cost[], sal_pool **out)
{
  sal_pool *p = *out = sal_alloc(1, sizeof *p);
  const size_t size = (size_t)n;

  if (!p) return sal_fail(SAL_ERR_MEMORY, "no memory for the schedule");
  *p = (sal_pool){.n = n,
                  .left = n,
                  .tile = tile,
                  .apriori = sal_alloc(size, sizeof(double)),
                  .seconds = sal_alloc(size, sizeof(double)),
                  .predicted = sal_alloc(size, sizeof(double)),
                  .queue = sal_alloc(size, sizeof(entry)),
                  .by_cell = sal_alloc(size, sizeof(int64_t))};
  bool ok = p->apriori && p->seconds && p->predicted && p->queue && p->by_cell;
  for (int64_t i = 0; i < n && ok; ++i) {
    p->apriori[i] = cost && cost[i] > 0 ? cost[i] : (double)tile[i].count;
    p->seconds[i] = -1;
  }
  ok = ok && sort_by_cell(p) && fill_queue(p);
  if (ok) return SAL_OK;
  sal_pool_destroy(out);
  return sal_fail(SAL_ERR_MEMORY, "no memory to schedule %lld tiles", (long long)n);
}

void sal_pool_destroy(sal_pool **pool)
{
  sal_pool *p = *pool;

  if (!p) return;
  sal_free_all(p->apriori, p->seconds, p->predicted, p->queue, p->by_cell, p);
  *pool = NULL;
}

void sal_pool_learn(sal_pool *p, int64_t tile, double seconds)
{
  if (p->seconds[tile] >= 0) return;
  p->seconds[tile] = seconds > 0 ? seconds : 0;
  ++p->n_finished;
}

static double middle_cell(const sal_pool *p, int64_t tile)
{
  return (double)p->tile[tile].first + 0.5 * (double)p->tile[tile].count;
}

/* The next finished tile from place k on, in the order of the cells; n when there is none. */
static int64_t next_finished(const sal_pool *p, int64_t k)
{
  while (k < p->n && p->seconds[p->by_cell[k]] < 0) ++k;
  return k;
}

void sal_pool_predict(const sal_pool *p, double cost[])
{
  int64_t before = -1, after = next_finished(p, 0);

  for (int64_t k = 0; k < p->n; ++k) {
    const int64_t here = p->by_cell[k];
    if (k == after) {
      before = k;
      after = next_finished(p, k + 1);
      cost[here] = p->seconds[here];
      continue;
    }
    double ratio[2] = {1, 1}, at = 0;
    if (before >= 0)
      ratio[0] = ratio[1] = p->seconds[p->by_cell[before]] / p->apriori[p->by_cell[before]];
    if (after < p->n) {
      const int64_t right = p->by_cell[after];
      ratio[1] = p->seconds[right] / p->apriori[right];
      if (before < 0) ratio[0] = ratio[1];
      const double from = before < 0 ? middle_cell(p, right) : middle_cell(p, p->by_cell[before]);
      const double span = middle_cell(p, right) - from;
      at = span > 0 ? (middle_cell(p, here) - from) / span : 0;
    }
    cost[here] = p->apriori[here] * (ratio[0] + at * (ratio[1] - ratio[0]));
  }
}

/* As much news as an eighth of what was known is worth a new order: sorting stays cheap however
 * often chunks are asked for. */
static void sort_again(sal_pool *p)
{
  if (p->n_finished == p->n_sorted || p->n_finished < p->n_sorted + p->n_sorted / AGAIN) return;
  sal_pool_predict(p, p->predicted);
  for (int64_t i = 0; i < p->left; ++i) p->queue[i].cost = p->predicted[p->queue[i].tile];
  put_in_order(p);
  p->n_sorted = p->n_finished;
}

int64_t sal_pool_take(sal_pool *p, int n_node, int n_rank, int64_t most, int64_t chunk[])
{
  const int64_t fair = (p->left + 2 * (int64_t)n_node - 1) / (2 * (int64_t)n_node);
  const int64_t least = fair < n_rank ? fair : n_rank;
  double taken = 0;
  int64_t n = 0;

  sort_again(p);
  const double all = p->left > 0 ? p->queue[p->left - 1].sum : 0;
  while (p->left > 0 && n < most) {
    const entry *heaviest = &p->queue[p->left - 1];
    if (n >= least && taken + heaviest->cost > all / (SHARE * n_node)) break;
    taken += heaviest->cost;
    chunk[n++] = heaviest->tile;
    --p->left;
  }
  return n;
}

int64_t sal_pool_left(const sal_pool *p) { return p->left; }

int64_t sal_pool_ordered(const sal_pool *p) { return p->ordered; }

void sal_pool_close(sal_pool *p) { p->left = 0; }
