/** Queues of tiles, and ranks that wait in front of them. */
#include "sim_state.h"
#include <math.h>

void sal_sim_add(model *m, chain *c, int64_t tile)
{
  m->link[tile] = SAL_NO_TILE;
  if (c->n++ == 0)
    c->first = tile;
  else
    m->link[c->last] = tile;
  c->last = tile;
}

int64_t sal_sim_take(const model *m, chain *c)
{
  const int64_t tile = c->first;

  c->first = m->link[tile];
  --c->n;
  return tile;
}

bool sal_sim_earlier(const void *a, const void *b)
{
  const sal_sim_event *x = a, *y = b;

  return x->time != y->time ? x->time < y->time : x->serial < y->serial;
}

void sal_sim_put(model *m, sal_sim_event event)
{
  event.serial = m->serial++;
  m->no_memory |= !sal_heap_put(&m->heap, &event);
}

double sal_sim_next_look(const model *m, double since, double now)
{
  if (now <= since) return since;
  if (m->at->nap <= 0) return now;
  return fmax(now, since + ceil((now - since) / m->at->nap) * m->at->nap);
}

static void begin_tile(model *m, int r, int64_t tile, double now)
{
  rank *w = &m->rank[r];

  m->out->lost[SAL_SIM_LOSS_CHUNKS] += now - w->since;
  *w = (rank){COMPUTES, now, now + m->cost[tile], tile, SAL_NO_RANK};
  sal_sim_put(m, (sal_sim_event){.time = w->end, .kind = SAL_SIM_ENDS, .index = r});
}

/* The leader looks right after it has polled. */
void sal_sim_wake(model *m, node *k, double now)
{
  while (k->waits != SAL_NO_RANK && k->queue.n > 0) {
    const int r = k->waits;
    k->waits = m->rank[r].next;
    const double looks = r == k->first ? now : sal_sim_next_look(m, m->rank[r].since, now);
    begin_tile(m, r, sal_sim_take(m, &k->queue), looks);
  }
}

void sal_sim_wait(model *m, node *k, int r, double now)
{
  m->rank[r] = (rank){WAITS, now, INFINITY, SAL_NO_TILE, SAL_NO_RANK};
  if (k->waits == SAL_NO_RANK)
    k->waits = r;
  else
    m->rank[k->waits_last].next = r;
  k->waits_last = r;
}

void sal_sim_append(model *m, node *k, chain *tiles, double now)
{
  k->filled += tiles->n;
  while (tiles->n > 0) sal_sim_add(m, &k->queue, sal_sim_take(m, tiles));
  sal_sim_wake(m, k, now);
}
