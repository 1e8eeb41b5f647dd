/** Leaders: when they poll, and what they then say. */
#include "array.h"
#include "sim_state.h"
#include <math.h>

/* The first time from now on at which a leader looks at its messages. */
static double next_chance(const model *m, const node *k, double now)
{
  const rank *l = &m->rank[k->first];

  if (k == m->node && now < m->serves) return m->serves;
  if (l->is == WAITS) return sal_sim_next_look(m, l->since, now);
  const double piece = (l->end - l->since) / m->at->pieces;
  if (l->is == WRITES || !(piece > 0)) return l->end;
  return fmin(l->end, fmax(now, l->since + ceil((now - l->since) / piece) * piece));
}

void sal_sim_poll_soon(model *m, node *k, double now)
{
  const double when = next_chance(m, k, now);

  if (when >= k->polls) return;
  k->polls = when;
  sal_sim_put(m, (sal_sim_event){.time = when, .kind = SAL_SIM_POLLS, .index = (int)(k - m->node)});
}

void sal_sim_ask_soon(model *m, node *k, double now)
{
  const bool low = sal_sched_runs_low(k->filled, k->next, k->n_rank);

  if (low && !k->ended && !k->asked) sal_sim_poll_soon(m, k, nextafter(now, INFINITY));
}

static void learn_costs(model *m, chain *log, int64_t n)
{
  for (; n > 0; --n) {
    const int64_t tile = sal_sim_take(m, log);
    sal_pool_learn(m->pool, tile, m->cost[tile]);
  }
}

/* A chunk for a node; the time it takes is added to *now. */
static chain chunk_for(model *m, const node *k, double *now)
{
  const int64_t before = sal_pool_ordered(m->pool);
  int64_t tile[SAL_MOST_CHUNK];
  chain chunk = {SAL_NO_TILE, SAL_NO_TILE, 0};

  const int64_t n = sal_pool_take(m->pool, m->out->n_node, k->n_rank, SAL_MOST_CHUNK, tile);
  for (int64_t i = 0; i < n; ++i) sal_sim_add(m, &chunk, tile[i]);
  *now += m->at->answer + m->at->order * (double)(sal_pool_ordered(m->pool) - before);
  return chunk;
}

static double serve_wish(model *m, const sal_sim_event *wish, double now)
{
  node *from = &m->node[wish->index];
  chain log = {wish->first, SAL_NO_TILE, wish->n};

  learn_costs(m, &log, wish->n);
  if (!wish->wants) return now + m->at->answer;
  const chain chunk = chunk_for(m, from, &now);
  from->come = chunk;
  ++m->out->messages;
  sal_sim_put(m, (sal_sim_event){
                     .time = now + m->at->latency, .kind = SAL_SIM_ANSWER, .index = wish->index});
  return now;
}

/* Returns the time when it is done. */
static double poll_first(model *m, node *k, double now)
{
  learn_costs(m, &k->log, k->log.n);
  for (int i = 0; i < m->n_inbox; ++i) now = serve_wish(m, &m->inbox[i], now);
  m->n_inbox = 0;
  if (!k->ended && sal_sched_runs_low(k->filled, k->next, k->n_rank)) {
    chain chunk = chunk_for(m, k, &now);
    sal_sim_append(m, k, &chunk, now);
    k->ended = sal_pool_left(m->pool) == 0;
  }
  m->serves = now;
  return now;
}

void sal_sim_arrive(model *m, const sal_sim_event *wish)
{
  sal_sim_event *inbox = sal_array_grow(m->inbox, m->n_inbox, 1, &m->room, sizeof *inbox);

  m->no_memory |= !inbox;
  if (!inbox) return;
  m->inbox = inbox;
  inbox[m->n_inbox++] = *wish;
  sal_sim_poll_soon(m, m->node, wish->time);
}

static void send_report(model *m, node *k, bool wants, double now)
{
  const int64_t n = k->log.n < SAL_MOST_ENTRIES ? k->log.n : SAL_MOST_ENTRIES;

  sal_sim_put(m, (sal_sim_event){.time = now + m->at->latency,
                                 .first = k->log.first,
                                 .n = n,
                                 .kind = SAL_SIM_WISH,
                                 .index = (int)(k - m->node),
                                 .wants = wants});
  for (int64_t i = 0; i < n; ++i) sal_sim_take(m, &k->log);
  ++m->out->messages;
  k->asked |= wants;
  k->reported = now;
}

static void poll_other(model *m, node *k, double now)
{
  if (k->answered) {
    k->answered = k->asked = false;
    k->ended = k->come.n == 0;
    sal_sim_append(m, k, &k->come, now);
  }
  const bool wants = !k->ended && !k->asked && sal_sched_runs_low(k->filled, k->next, k->n_rank);
  if (wants || (k->log.n > 0 && now - k->reported > SAL_REPORT_PAUSE))
    send_report(m, k, wants, now);
}

double sal_sim_poll(model *m, node *k, double now)
{
  if (k == m->node) return poll_first(m, k, now);
  poll_other(m, k, now);
  return now;
}

void sal_sim_poll_between(model *m, const sal_sim_event *event)
{
  node *k = &m->node[event->index];
  rank *l = &m->rank[k->first];

  if (event->time != k->polls) return; /* it has polled since */
  k->polls = INFINITY;
  const bool busy = l->is != WAITS;
  const double stalled = sal_sim_poll(m, k, event->time) - event->time;
  if (busy) {
    l->since += stalled;
    l->end += stalled;
    m->out->lost[SAL_SIM_LOSS_ANSWERS] += stalled;
  }
  sal_sim_ask_soon(m, k, event->time + stalled);
}
