/** Data that the parts of the model (sim.h) share: sim_queue.c has the queues and the ranks that wait,
 *  sim_leader.c the messages of leaders, sim_rank.c the steps of a rank.
 */
#pragma once

#include "heap.h"
#include "pool.h"
#include "sim.h"

enum { SAL_NO_TILE = -1, SAL_NO_RANK = -1 };

/** Kinds of events, and what `index` is. */
typedef enum {
  SAL_SIM_ENDS,  /* a rank: its tile */
  SAL_SIM_DRAWS, /* a rank: the next one */
  SAL_SIM_POLLS, /* the leader of a node */
  SAL_SIM_WISH,  /* comes to the first leader: n finished tiles, and wants? */
  SAL_SIM_ANSWER /* comes to the leader of a node */
} sal_sim_kind;

/** An event at a time; of simultaneous events, the smaller serial is first. */
typedef struct {
  double time;
  int64_t serial;   /* set by sal_sim_put */
  int64_t first, n; /* SAL_SIM_WISH: a chain of finished tiles */
  int kind;         /* of sal_sim_kind */
  int index;        /* rank or node, by the kind */
  bool wants;       /* SAL_SIM_WISH: requests a chunk */
} sal_sim_event;

/** Phases of a rank. */
typedef enum { COMPUTES, WRITES, WAITS } phase;

/** Tiles in a row, by `link`: in a queue, in a message, finished and not yet reported. */
typedef struct {
  int64_t first, last, n;
} chain;

typedef struct {
  phase is;
  double since, end; /* of the phase; a rank that waits has no end */
  int64_t tile;
  int next; /* the rank that waits after this one, or SAL_NO_RANK */
} rank;

typedef struct {
  int first, n_rank; /* the first one is the leader */
  int waits, waits_last;
  int64_t filled, next;
  chain queue, log, come; /* come: a chunk that the leader has not looked at yet */
  double counter_free, polls, reported;
  bool asked, answered, ended;
} node;

typedef struct {
  const sal_sim_machine *at;
  const sal_tile *tile;
  const double *cost;
  sal_sim *out;
  sal_pool *pool;
  sal_heap heap;  /* of sal_sim_event, the earliest first */
  int64_t serial; /* of the next event */
  rank *rank;
  node *node;
  int64_t *link;
  sal_sim_event *inbox; /* of the first leader */
  int n_inbox;
  int64_t room;
  double serves; /* until then the first leader answers */
  double disk_free;
  double slack; /* the disk may be so far behind [s] */
  bool no_memory;
} model;

/** The order of the heap: time, then serial. */
bool sal_sim_earlier(const void *a, const void *b);
/** An event is to come. */
void sal_sim_put(model *m, sal_sim_event event);

/** Tiles go to the end of a chain and are taken from its beginning. */
void sal_sim_add(model *m, chain *c, int64_t tile);
int64_t sal_sim_take(const model *m, chain *c);

/** When a rank that has waited since then looks again, from now on. */
double sal_sim_next_look(const model *m, double since, double now);
/** A rank waits, after those that do already. */
void sal_sim_wait(model *m, node *k, int r, double now);
/** Ranks that wait get what is in the queue, in the order in which they came. */
void sal_sim_wake(model *m, node *k, double now);
/** Moves tiles to the queue of a node, and wakes its ranks. */
void sal_sim_append(model *m, node *k, chain *tiles, double now);

/** The leader of a node polls; returns the time when it is done. */
double sal_sim_poll(model *m, node *k, double now);
/** The leader is to poll at its first chance from now on. */
void sal_sim_poll_soon(model *m, node *k, double now);
/** The same right after now, if its node runs low and no chunk is under way. */
void sal_sim_ask_soon(model *m, node *k, double now);
/** The leader polls at this event; one in the middle of a tile finishes that later. */
void sal_sim_poll_between(model *m, const sal_sim_event *event);
/** A message has come to the first leader. */
void sal_sim_arrive(model *m, const sal_sim_event *wish);
