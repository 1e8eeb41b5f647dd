/** The life of a rank, from tile to tile, and all of them together. */
#include "base.h"
#include "sim_state.h"
#include "tiles.h"

static node *node_of(const model *m, int r) { return &m->node[r / m->at->per_node]; }

/* The counter serves one rank after the other; a leader polls once it has its place. */
static void draw_tile(model *m, int r, double now)
{
  node *const k = node_of(m, r);
  double got = fmax(now, k->counter_free) + m->at->counter;

  k->counter_free = got;
  m->out->lost[SAL_SIM_LOSS_COUNTER] += got - now;
  ++k->next;
  if (r == k->first) {
    const double polled = sal_sim_poll(m, k, got);
    m->out->lost[SAL_SIM_LOSS_ANSWERS] += polled - got;
    got = polled;
  }
  sal_sim_wait(m, k, r, got);
  sal_sim_wake(m, k, got);
  sal_sim_ask_soon(m, k, got);
}

/* A leader polls when it reports a tile and when it shows how far the run is. */
static double poll_twice(model *m, node *k, double now)
{
  double then = now;

  for (int i = 0; i < 2; ++i) then = sal_sim_poll(m, k, then);
  m->out->lost[SAL_SIM_LOSS_ANSWERS] += then - now;
  return then;
}

static void finish_tile(model *m, int r, double now)
{
  assert(m->rank);
  rank *const w = &m->rank[r];
  node *const k = node_of(m, r);
  const double bytes = m->at->journal * (double)m->tile[w->tile].count;
  double then = now;

  if (m->at->bandwidth > 0 && bytes > 0) {
    m->disk_free = fmax(now, m->disk_free) + bytes / m->at->bandwidth;
    then = fmax(now, m->disk_free - m->slack);
    m->out->lost[SAL_SIM_LOSS_JOURNAL] += then - now;
  }
  sal_sim_add(m, &k->log, w->tile);
  *w = (rank){WRITES, now, then, SAL_NO_TILE, SAL_NO_RANK};
  if (r == k->first) w->end = then = poll_twice(m, k, then);
  if (then > now)
    sal_sim_put(m, (sal_sim_event){.time = then, .kind = SAL_SIM_DRAWS, .index = r});
  else
    draw_tile(m, r, now);
  if (k != m->node && r != k->first)
    sal_sim_poll_soon(m, k, fmax(now, k->reported + SAL_REPORT_PAUSE));
}

static void play_event(model *m, const sal_sim_event *event)
{
  const bool of_rank = event->kind == SAL_SIM_ENDS || event->kind == SAL_SIM_DRAWS;
  const rank *w = of_rank ? &m->rank[event->index] : NULL;

  if (w && event->time < w->end) { /* has been held up */
    sal_sim_event later = *event;
    later.time = w->end;
    sal_sim_put(m, later);
    return;
  }
  switch ((sal_sim_kind)event->kind) {
  case SAL_SIM_ENDS:
    finish_tile(m, event->index, event->time);
    break;
  case SAL_SIM_DRAWS:
    draw_tile(m, event->index, event->time);
    break;
  case SAL_SIM_POLLS:
    sal_sim_poll_between(m, event);
    break;
  case SAL_SIM_WISH:
    sal_sim_arrive(m, event);
    break;
  case SAL_SIM_ANSWER:
    m->node[event->index].answered = true;
    sal_sim_poll_soon(m, &m->node[event->index], event->time);
    break;
  }
}

static void start_ranks(model *m)
{
  const sal_sim_machine *at = m->at;

  for (int i = 0; i < m->out->n_node; ++i) {
    const int first = i * at->per_node, left = at->n_rank - first;
    m->node[i] = (node){.first = first,
                        .n_rank = left < at->per_node ? left : at->per_node,
                        .waits = SAL_NO_RANK,
                        .polls = INFINITY,
                        .reported = -INFINITY};
  }
  for (int r = 0; r < at->n_rank; ++r) {
    m->rank[r] = (rank){WRITES, 0, 0, SAL_NO_TILE, SAL_NO_RANK};
    sal_sim_put(m, (sal_sim_event){.time = 0, .kind = SAL_SIM_DRAWS, .index = r});
  }
}

/* Leaving: the last node sends GOES, receives GO, and all enter a barrier; then all
 * wait for the data that are not on the disk yet. */
static void sum_up_losses(model *m)
{
  const sal_sim_machine *at = m->at;
  sal_sim *out = m->out;
  const double stages = out->n_node > 1 ? 2 + ceil(log2(out->n_node)) : 0;
  const double leaving = stages * at->latency;

  for (int r = 0; r < at->n_rank; ++r) out->computed = fmax(out->computed, m->rank[r].since);
  for (int r = 0; r < at->n_rank; ++r)
    out->lost[SAL_SIM_LOSS_TAIL] += out->computed - m->rank[r].since;
  const double lag = fmax(0, m->disk_free - out->computed - leaving);
  out->lost[SAL_SIM_LOSS_JOURNAL] += lag * at->n_rank;
  out->lost[SAL_SIM_LOSS_LEAVE] = leaving * at->n_rank;
  out->wall = out->computed + leaving + lag;
}

static bool allocate_model(model *m)
{
  m->rank = sal_alloc((size_t)m->at->n_rank, sizeof *m->rank);
  m->node = sal_alloc((size_t)m->out->n_node, sizeof *m->node);
  m->link = sal_alloc((size_t)m->out->tiles, sizeof *m->link);
  return m->rank && m->node && m->link;
}

static void clear_model(model *m)
{
  sal_pool_destroy(&m->pool);
  sal_free_all(m->rank, m->node, m->link, m->inbox);
  sal_heap_free(&m->heap);
}

sal_err sal_sim_tiles(const sal_sim_machine *at, int64_t n, const sal_tile tile[],
                      const double cost[], sal_sim *out)
{
  model m = {.at = at,
             .tile = tile,
             .cost = cost,
             .out = out,
             .heap = {.size = sizeof(sal_sim_event), .before = sal_sim_earlier}};
  sal_sim_event event;

  assert(n == 0 || cost);
  *out = (sal_sim){.n_node = (at->n_rank + at->per_node - 1) / at->per_node, .tiles = n};
  if (at->bandwidth > 0) m.slack = at->buffer * out->n_node / at->bandwidth;
  for (int64_t i = 0; i < n; ++i) {
    out->cells += tile[i].count;
    out->busy += cost[i];
    out->heaviest = fmax(out->heaviest, cost[i]);
  }
  sal_err err = sal_pool_create(n, tile, NULL, &m.pool);
  if (err == SAL_OK) m.no_memory = !allocate_model(&m);
  if (err == SAL_OK && !m.no_memory) start_ranks(&m);
  while (err == SAL_OK && !m.no_memory && sal_heap_take(&m.heap, &event)) play_event(&m, &event);
  if (m.no_memory) err = sal_fail(SAL_ERR_MEMORY, "no memory for a model of %d ranks", at->n_rank);
  if (err == SAL_OK) {
    assert(sal_pool_left(m.pool) == 0);
    sum_up_losses(&m);
  }
  clear_model(&m);
  return err;
}

/* A rank has its core only for a share of its time: it computes in turns with the other threads of the core. */
static sal_err replay_turns(const sal_sim_machine *at, int64_t n, const sal_tile tile[],
                            double cost[], sal_sim *out)
{
  const double turns = fmax(1, at->turns);

  for (int64_t k = 0; k < n; ++k) cost[k] *= turns;
  SAL_TRY(sal_sim_tiles(at, n, tile, cost, out));
  const double alone = out->busy / turns;
  out->lost[SAL_SIM_LOSS_TURNS] = out->busy - alone;
  out->busy = alone;
  return SAL_OK;
}

sal_err sal_sim_cells(const sal_sim_machine *at, int64_t n_cell, const double seconds[],
                      int64_t scale, sal_sim *out)
{
  const sal_tile whole = {0, n_cell * scale};
  SAL_OWN sal_tile *tile = NULL;
  int64_t n;

  SAL_TRY(sal_tiles_cut(1, &whole, at->n_rank, at->most, at->unit > 1 ? at->unit : 1, &tile, &n));
  SAL_OWN double *cost = sal_alloc((size_t)n, sizeof *cost);
  if (!cost) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld tiles", (long long)n);
  for (int64_t k = 0; k < n; ++k)
    for (int64_t i = 0; i < tile[k].count; ++i) cost[k] += seconds[(tile[k].first + i) % n_cell];
  return replay_turns(at, n, tile, cost, out);
}
