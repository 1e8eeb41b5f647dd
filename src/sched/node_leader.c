/** Wishes and reports to the first leader, chunks from it. */
#include "base.h"
#include "clock.h"
#include "collective_error.h"
#include "node.h"

enum { TO_FIRST = 1, FROM_FIRST = 2 };                   /* tags */
enum { WANTS, GOES, STOPS, WORK, CELLS, N_ENTRY, HEAD }; /* a message to the first leader */
enum { TO_SIZE = HEAD + 2 * SAL_MOST_ENTRIES, FROM_SIZE = 1 + SAL_MOST_CHUNK };
typedef enum { CHUNK, END, STOP, GO } answer;

/* Data of the first leader about another one: answers under way, and the work of its node.  A
 * new CHUNK or END is asked for only when the last one has come, so one buffer will do; STOP and GO
 * are sent once. */
typedef struct {
  int64_t out[FROM_SIZE];
  MPI_Request request[GO + 1];
  int n_rank;
  int64_t work, cells;
  bool gone;
} other;

static const int64_t word_of[] = {CHUNK, END, STOP, GO};

struct sal_node_leader {
  sal_node *node;
  sal_pool *pool; /* NULL: not the first */
  int64_t messages;
  bool ended;   /* no tile will come any more */
  bool stopped; /* all leaders know, or will */
  /* of the first one */
  other *others; /* [n_node], the first entry unused */
  int n_gone;
  /* of the others */
  int64_t out[TO_SIZE];
  MPI_Request request;
  bool asked, goes, gone;
  double reported;
  int64_t reported_work;
};

static bool is_first(const sal_node_leader *l) { return l->pool != NULL; }

/* Collective over the leaders: n_rank [n_node] on the first one, NULL elsewhere. */
static sal_err gather_ranks(sal_node_leader *l, int n_rank[])
{
  assert(l);
  SAL_TRY_MPI(MPI_Gather(&l->node->ranks.n_rank, 1, MPI_INT, n_rank, 1, MPI_INT, 0,
                         l->node->ranks.leaders));
  for (int i = 0; n_rank && i < l->node->ranks.n_node; ++i) {
    l->others[i].n_rank = n_rank[i];
    for (int k = 0; k <= GO; ++k) l->others[i].request[k] = MPI_REQUEST_NULL;
  }
  return SAL_OK;
}

/* A leader that is short of memory still takes part in what all leaders do. */
sal_err sal_node_leader_create(sal_node *node, sal_pool *pool, sal_node_leader **out)
{
  sal_node_leader *l = *out = sal_alloc(1, sizeof *l);
  SAL_OWN int *n_rank = pool ? sal_alloc((size_t)node->ranks.n_node, sizeof *n_rank) : NULL;

  if (l) {
    *l = (sal_node_leader){.node = node, .pool = pool, .request = MPI_REQUEST_NULL};
    if (pool) l->others = sal_alloc((size_t)node->ranks.n_node, sizeof *l->others);
  }
  int ready = l && (!pool || (n_rank && l->others)), all = 0;
  if (MPI_Allreduce(&ready, &all, 1, MPI_INT, MPI_MIN, node->ranks.leaders) != MPI_SUCCESS) all = 0;
  if (all) return gather_ranks(l, n_rank);
  return sal_fail(SAL_ERR_MEMORY, "no memory for the schedule of %d nodes", node->ranks.n_node);
}

void sal_node_leader_destroy(sal_node_leader **leader)
{
  if (!*leader) return;
  sal_free_all((*leader)->others, *leader);
  *leader = NULL;
}

sal_err sal_node_leader_work(sal_node_leader *l, int64_t *work, int64_t *cells)
{
  SAL_TRY(sal_node_add(l->node, SAL_NODE_WORK, 0, work));
  SAL_TRY(sal_node_add(l->node, SAL_NODE_CELLS, 0, cells));
  for (int i = 1; l->others && i < l->node->ranks.n_node; ++i) {
    *work += l->others[i].work;
    *cells += l->others[i].cells;
  }
  return SAL_OK;
}

int64_t sal_node_leader_messages(const sal_node_leader *l) { return l->messages; }

static sal_err send_answer(sal_node_leader *l, int to, answer kind, const int64_t out[], int n)
{
  MPI_Request *request = &l->others[to].request[kind];

  SAL_TRY_MPI(MPI_Wait(request, MPI_STATUS_IGNORE)); /* has come long since, see `other` */
  SAL_TRY_MPI(MPI_Isend(out, n, MPI_INT64_T, to, FROM_FIRST, l->node->ranks.leaders, request));
  ++l->messages;
  return SAL_OK;
}

static sal_err answer_wish(sal_node_leader *l, int to)
{
  other *o = &l->others[to];

  SAL_TRY_MPI(MPI_Wait(&o->request[CHUNK], MPI_STATUS_IGNORE));
  o->out[0] = CHUNK;
  const int64_t n =
      sal_pool_take(l->pool, l->node->ranks.n_node, o->n_rank, SAL_MOST_CHUNK, o->out + 1);
  if (n == 0) return send_answer(l, to, END, &word_of[END], 1);
  return send_answer(l, to, CHUNK, o->out, (int)n + 1);
}

/* No rank begins a tile from now on, here or elsewhere. */
static sal_err stop_all(sal_node_leader *l)
{
  if (l->stopped) return SAL_OK;
  l->stopped = l->ended = true;
  sal_pool_close(l->pool);
  SAL_TRY(sal_node_set(l->node, SAL_NODE_STOPPED));
  SAL_TRY(sal_node_set(l->node, SAL_NODE_ENDED));
  for (int i = 1; i < l->node->ranks.n_node; ++i)
    if (!l->others[i].gone) SAL_TRY(send_answer(l, i, STOP, &word_of[STOP], 1));
  return SAL_OK;
}

static sal_err serve_leader(sal_node_leader *l, int from, const int64_t in[])
{
  l->others[from].work = in[WORK];
  l->others[from].cells = in[CELLS];
  for (int64_t i = 0; i < in[N_ENTRY]; ++i)
    sal_pool_learn(l->pool, in[HEAD + 2 * i], 1e-9 * (double)in[HEAD + 2 * i + 1]);
  if (in[STOPS]) SAL_TRY(stop_all(l));
  if (in[WANTS]) SAL_TRY(answer_wish(l, from));
  if (!in[GOES]) return SAL_OK;
  l->others[from].gone = true;
  ++l->n_gone;
  return send_answer(l, from, GO, &word_of[GO], 1);
}

/* Takes the times of the tiles that the first node has finished. */
static sal_err learn_own_log(sal_node_leader *l)
{
  int64_t tile;
  double seconds;
  bool found = true;

  while (found) {
    SAL_TRY(sal_node_read_log(l->node, &found, &tile, &seconds));
    if (found) sal_pool_learn(l->pool, tile, seconds);
  }
  return SAL_OK;
}

static sal_err serve_all(sal_node_leader *l)
{
  int64_t in[TO_SIZE];

  for (int there = l->node->ranks.n_node > 1; there;) {
    MPI_Status status;
    SAL_TRY_MPI(MPI_Iprobe(MPI_ANY_SOURCE, TO_FIRST, l->node->ranks.leaders, &there, &status));
    if (!there) break;
    SAL_TRY_MPI(MPI_Recv(in, TO_SIZE, MPI_INT64_T, status.MPI_SOURCE, TO_FIRST,
                         l->node->ranks.leaders, MPI_STATUS_IGNORE));
    SAL_TRY(serve_leader(l, status.MPI_SOURCE, in));
  }
  return SAL_OK;
}

/* The next chunk for the first node itself, if it is time. */
static sal_err refill_queue(sal_node_leader *l)
{
  const int n_node = l->node->ranks.n_node, n_rank = l->node->ranks.n_rank;
  int64_t filled, next, chunk[SAL_MOST_CHUNK];

  SAL_TRY(sal_node_add(l->node, SAL_NODE_FILLED, 0, &filled));
  SAL_TRY(sal_node_add(l->node, SAL_NODE_NEXT, 0, &next));
  if (l->ended || !sal_sched_runs_low(filled, next, n_rank)) return SAL_OK;
  const int64_t n = sal_pool_take(l->pool, n_node, n_rank, SAL_MOST_CHUNK, chunk);
  SAL_TRY(sal_node_append(l->node, n, chunk));
  if (sal_pool_left(l->pool) > 0) return SAL_OK;
  l->ended = true;
  return sal_node_set(l->node, SAL_NODE_ENDED);
}

static sal_err poll_first(sal_node_leader *l)
{
  int64_t stopped;

  SAL_TRY(learn_own_log(l));
  SAL_TRY(sal_node_add(l->node, SAL_NODE_STOPPED, 0, &stopped));
  if (stopped) SAL_TRY(stop_all(l));
  SAL_TRY(serve_all(l));
  return refill_queue(l);
}

static sal_err end_here(sal_node_leader *l)
{
  l->ended = true;
  return sal_node_set(l->node, SAL_NODE_ENDED);
}

static sal_err take_answer(sal_node_leader *l, const int64_t in[], int n)
{
  switch ((answer)in[0]) {
  case CHUNK:
    l->asked = false;
    return sal_node_append(l->node, n - 1, in + 1);
  case END:
    l->asked = false;
    return end_here(l);
  case STOP:
    l->stopped = true;
    SAL_TRY(sal_node_set(l->node, SAL_NODE_STOPPED));
    return end_here(l);
  case GO:
    l->gone = true;
    return SAL_OK;
  }
  return sal_fail(SAL_ERR_COMM, "an unknown message between nodes, %lld", (long long)in[0]);
}

static sal_err receive_answers(sal_node_leader *l)
{
  int64_t in[FROM_SIZE];

  for (int there = !l->gone; there;) {
    MPI_Status status;
    int n;
    SAL_TRY_MPI(MPI_Iprobe(0, FROM_FIRST, l->node->ranks.leaders, &there, &status));
    if (!there) break;
    SAL_TRY_MPI(MPI_Get_count(&status, MPI_INT64_T, &n));
    SAL_TRY_MPI(MPI_Recv(in, FROM_SIZE, MPI_INT64_T, 0, FROM_FIRST, l->node->ranks.leaders,
                         MPI_STATUS_IGNORE));
    SAL_TRY(take_answer(l, in, n));
    there = !l->gone;
  }
  return SAL_OK;
}

/* Finished tiles into the message: *n of them. */
static sal_err fill_report(sal_node_leader *l, int64_t *n)
{
  bool found = true;
  int64_t tile;
  double seconds;

  for (*n = 0; *n < SAL_MOST_ENTRIES;) {
    SAL_TRY(sal_node_read_log(l->node, &found, &tile, &seconds));
    if (!found) break;
    l->out[HEAD + 2 * *n] = tile;
    l->out[HEAD + 2 * *n + 1] = (int64_t)(1e9 * seconds);
    ++*n;
  }
  return SAL_OK;
}

/* Sends a message, if there is something to be said in it. */
static sal_err send_report(sal_node_leader *l, bool wants, bool goes, bool stops)
{
  int64_t n, work, cells;

  SAL_TRY(fill_report(l, &n));
  SAL_TRY(sal_node_add(l->node, SAL_NODE_WORK, 0, &work));
  SAL_TRY(sal_node_add(l->node, SAL_NODE_CELLS, 0, &cells));
  if (n == SAL_MOST_ENTRIES) goes = false; /* there may be more tiles, which go first */
  if (n == 0 && work == l->reported_work && !wants && !goes && !stops) return SAL_OK;
  l->out[WANTS] = wants;
  l->out[GOES] = goes;
  l->out[STOPS] = stops;
  l->out[WORK] = work;
  l->out[CELLS] = cells;
  l->out[N_ENTRY] = n;
  SAL_TRY_MPI(MPI_Isend(l->out, (int)(HEAD + 2 * n), MPI_INT64_T, 0, TO_FIRST,
                        l->node->ranks.leaders, &l->request));
  ++l->messages;
  l->asked |= wants;
  l->goes |= goes;
  l->stopped |= stops;
  l->reported = sal_clock_wall();
  l->reported_work = work;
  return SAL_OK;
}

static sal_err poll_other(sal_node_leader *l)
{
  int64_t filled, next, stop;
  int free;

  SAL_TRY(receive_answers(l));
  SAL_TRY_MPI(MPI_Test(&l->request, &free, MPI_STATUS_IGNORE));
  if (!free || l->goes) return SAL_OK;
  SAL_TRY(sal_node_add(l->node, SAL_NODE_STOPPED, 0, &stop));
  if (stop && !l->ended) SAL_TRY(end_here(l));
  SAL_TRY(sal_node_add(l->node, SAL_NODE_FILLED, 0, &filled));
  SAL_TRY(sal_node_add(l->node, SAL_NODE_NEXT, 0, &next));
  const bool wants =
      !l->ended && !l->asked && sal_sched_runs_low(filled, next, l->node->ranks.n_rank);
  const bool stops = stop && !l->stopped;
  if (wants || stops || sal_clock_wall() - l->reported > SAL_REPORT_PAUSE)
    return send_report(l, wants, false, stops);
  return SAL_OK;
}

sal_err sal_node_leader_poll(sal_node_leader *l)
{
  return is_first(l) ? poll_first(l) : poll_other(l);
}

sal_err sal_node_leader_go(sal_node_leader *l, bool *gone)
{
  int64_t left;
  int done = 1;

  *gone = false;
  SAL_TRY(sal_node_add(l->node, SAL_NODE_LEFT, 0, &left)); /* before the log that they left full */
  SAL_TRY(sal_node_leader_poll(l));
  if (left < l->node->ranks.n_rank - 1 || !l->ended) return SAL_OK;
  if (is_first(l)) {
    for (int i = 1; i < l->node->ranks.n_node && done; ++i)
      SAL_TRY_MPI(MPI_Testall(GO + 1, l->others[i].request, &done, MPI_STATUSES_IGNORE));
    *gone = done && l->n_gone == l->node->ranks.n_node - 1;
    return SAL_OK;
  }
  SAL_TRY_MPI(MPI_Test(&l->request, &done, MPI_STATUS_IGNORE));
  if (done && !l->goes && !l->asked) SAL_TRY(send_report(l, false, true, false));
  *gone = done && l->gone;
  return SAL_OK;
}
