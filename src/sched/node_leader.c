/** @file src/sched/node_leader.c
 *  Wishes and reports to the first leader, chunks from it.
 */
#include "node_leader.h"
#include "clock.h"
#include "memory.h"
#include "sched_constants.h"
#include "try_mpi.h"

enum { TO_FIRST = 1, FROM_FIRST = 2 };      /* tags */
enum { WANTS, GOES, STOPS, N_ENTRY, HEAD }; /* a message to the first leader */
enum { TO_SIZE = HEAD + 2 * SAL_MOST_ENTRIES, FROM_SIZE = 1 + SAL_MOST_CHUNK };
typedef enum { CHUNK, END, STOP, GO } answer;

/* What the first leader keeps of another one: answers under way.  A new CHUNK or END is asked for
 * only when the last one has come, so one buffer will do; STOP and GO are sent once. */
typedef struct {
  int64_t     out[FROM_SIZE];
  MPI_Request request[GO + 1];
  int         n_rank;
  bool        gone;
} other;

static const int64_t word_of[] = {CHUNK, END, STOP, GO};

struct sal_node_leader {
  sal_node *node;
  sal_pool *pool; /* NULL: not the first */
  int       rank;
  int64_t   messages;
  bool      ended;   /* no tile will come any more */
  bool      stopped; /* everybody knows, or will */
  /* the first one's */
  other *others; /* [n_node], the first entry unused */
  int    n_gone;
  /* the others' */
  int64_t     out[TO_SIZE];
  MPI_Request request;
  bool        asked, goes, gone;
  double      reported;
};

static bool is_first(const sal_node_leader *l) { return l->pool != NULL; }

sal_err sal_node_leader_create(sal_node *node, sal_pool *pool, sal_node_leader **out)
{
  sal_node_leader *l = *out = sal_alloc(1, sizeof *l);

  if (!l) return sal_fail(SAL_ERR_MEMORY, "no memory for the schedule");
  l->node    = node;
  l->pool    = pool;
  l->request = MPI_REQUEST_NULL;
  SAL_TRY_MPI(MPI_Comm_rank(node->leaders, &l->rank));
  if (!is_first(l)) {
    SAL_TRY_MPI(MPI_Gather(&node->n_rank, 1, MPI_INT, NULL, 1, MPI_INT, 0, node->leaders));
    return SAL_OK;
  }
  int *n_rank = sal_alloc((size_t)node->n_node, sizeof *n_rank);
  l->others   = sal_alloc((size_t)node->n_node, sizeof *l->others);
  if (!l->others || !n_rank) {
    sal_free(n_rank);
    return sal_fail(SAL_ERR_MEMORY, "no memory for the schedule of %d nodes", node->n_node);
  }
  const int code = MPI_Gather(&node->n_rank, 1, MPI_INT, n_rank, 1, MPI_INT, 0, node->leaders);
  for (int i = 0; i < node->n_node; ++i) {
    l->others[i].n_rank = n_rank[i];
    for (int k = 0; k <= GO; ++k) l->others[i].request[k] = MPI_REQUEST_NULL;
  }
  sal_free(n_rank);
  SAL_TRY_MPI(code);
  return SAL_OK;
}

void sal_node_leader_destroy(sal_node_leader **leader)
{
  if (!*leader) return;
  sal_free((*leader)->others);
  sal_free(*leader);
  *leader = NULL;
}

int64_t sal_node_leader_messages(const sal_node_leader *l) { return l->messages; }

/* ---- the first leader -------------------------------------------------------------------------
 */

static sal_err send_answer(sal_node_leader *l, int to, answer kind, const int64_t out[], int n)
{
  MPI_Request *request = &l->others[to].request[kind];

  SAL_TRY_MPI(MPI_Wait(request, MPI_STATUS_IGNORE)); /* has come long since, see `other` */
  SAL_TRY_MPI(MPI_Isend(out, n, MPI_INT64_T, to, FROM_FIRST, l->node->leaders, request));
  ++l->messages;
  return SAL_OK;
}

static sal_err answer_wish(sal_node_leader *l, int to)
{
  other *o = &l->others[to];

  SAL_TRY_MPI(MPI_Wait(&o->request[CHUNK], MPI_STATUS_IGNORE));
  o->out[0]       = CHUNK;
  const int64_t n = sal_pool_take(l->pool, l->node->n_node, o->n_rank, SAL_MOST_CHUNK, o->out + 1);
  if (n == 0) return send_answer(l, to, END, &word_of[END], 1);
  return send_answer(l, to, CHUNK, o->out, (int)n + 1);
}

/* Nobody begins anything from now on, here or elsewhere. */
static sal_err stop_all(sal_node_leader *l)
{
  if (l->stopped) return SAL_OK;
  l->stopped = l->ended = true;
  sal_pool_close(l->pool);
  SAL_TRY(sal_node_set(l->node, SAL_NODE_STOPPED));
  SAL_TRY(sal_node_set(l->node, SAL_NODE_ENDED));
  for (int i = 1; i < l->node->n_node; ++i)
    if (!l->others[i].gone) SAL_TRY(send_answer(l, i, STOP, &word_of[STOP], 1));
  return SAL_OK;
}

static sal_err serve(sal_node_leader *l, int from, const int64_t in[])
{
  for (int64_t i = 0; i < in[N_ENTRY]; ++i)
    sal_pool_learn(l->pool, in[HEAD + 2 * i], 1e-9 * (double)in[HEAD + 2 * i + 1]);
  if (in[STOPS]) SAL_TRY(stop_all(l));
  if (in[WANTS]) SAL_TRY(answer_wish(l, from));
  if (!in[GOES]) return SAL_OK;
  l->others[from].gone = true;
  ++l->n_gone;
  return send_answer(l, from, GO, &word_of[GO], 1);
}

static sal_err poll_first(sal_node_leader *l)
{
  int64_t in[TO_SIZE], tile, undrawn, next, chunk[SAL_MOST_CHUNK], stopped;
  double  seconds;
  bool    found = true;

  while (found) {
    SAL_TRY(sal_node_read_log(l->node, &found, &tile, &seconds));
    if (found) sal_pool_learn(l->pool, tile, seconds);
  }
  SAL_TRY(sal_node_add(l->node, SAL_NODE_STOPPED, 0, &stopped));
  if (stopped) SAL_TRY(stop_all(l));
  for (int there = l->node->n_node > 1; there;) {
    MPI_Status status;
    SAL_TRY_MPI(MPI_Iprobe(MPI_ANY_SOURCE, TO_FIRST, l->node->leaders, &there, &status));
    if (!there) break;
    SAL_TRY_MPI(MPI_Recv(in, TO_SIZE, MPI_INT64_T, status.MPI_SOURCE, TO_FIRST, l->node->leaders,
                         MPI_STATUS_IGNORE));
    SAL_TRY(serve(l, status.MPI_SOURCE, in));
  }
  SAL_TRY(sal_node_add(l->node, SAL_NODE_FILLED, 0, &undrawn));
  SAL_TRY(sal_node_add(l->node, SAL_NODE_NEXT, 0, &next));
  if (l->ended || !sal_sched_runs_low(undrawn, next, l->node->n_rank)) return SAL_OK;
  const int64_t n = sal_pool_take(l->pool, l->node->n_node, l->node->n_rank, SAL_MOST_CHUNK, chunk);
  SAL_TRY(sal_node_append(l->node, n, chunk));
  if (sal_pool_left(l->pool) > 0) return SAL_OK;
  l->ended = true;
  return sal_node_set(l->node, SAL_NODE_ENDED);
}

/* ---- the others -------------------------------------------------------------------------------
 */

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

static sal_err receive(sal_node_leader *l)
{
  int64_t in[FROM_SIZE];

  for (int there = !l->gone; there;) {
    MPI_Status status;
    int        n;
    SAL_TRY_MPI(MPI_Iprobe(0, FROM_FIRST, l->node->leaders, &there, &status));
    if (!there) break;
    SAL_TRY_MPI(MPI_Get_count(&status, MPI_INT64_T, &n));
    SAL_TRY_MPI(
        MPI_Recv(in, FROM_SIZE, MPI_INT64_T, 0, FROM_FIRST, l->node->leaders, MPI_STATUS_IGNORE));
    SAL_TRY(take_answer(l, in, n));
    there = !l->gone;
  }
  return SAL_OK;
}

/* Sends what there is to say; the last message has been sent when *sent. */
static sal_err say(sal_node_leader *l, bool wants, bool goes, bool stops)
{
  bool    found = true;
  int64_t n     = 0, tile;
  double  seconds;

  while (n < SAL_MOST_ENTRIES && found) {
    SAL_TRY(sal_node_read_log(l->node, &found, &tile, &seconds));
    if (!found) break;
    l->out[HEAD + 2 * n]     = tile;
    l->out[HEAD + 2 * n + 1] = (int64_t)(1e9 * seconds);
    ++n;
  }
  if (n == SAL_MOST_ENTRIES) goes = false; /* there may be more, which goes first */
  const double now = sal_clock_wall();
  if (n == 0 && !wants && !goes && !stops) return SAL_OK;
  l->out[WANTS]   = wants;
  l->out[GOES]    = goes;
  l->out[STOPS]   = stops;
  l->out[N_ENTRY] = n;
  SAL_TRY_MPI(MPI_Isend(l->out, (int)(HEAD + 2 * n), MPI_INT64_T, 0, TO_FIRST, l->node->leaders,
                        &l->request));
  ++l->messages;
  l->asked |= wants;
  l->goes |= goes;
  l->stopped |= stops;
  l->reported = now;
  return SAL_OK;
}

static sal_err poll_other(sal_node_leader *l)
{
  int64_t filled, next, stop;
  int     free;

  SAL_TRY(receive(l));
  SAL_TRY_MPI(MPI_Test(&l->request, &free, MPI_STATUS_IGNORE));
  if (!free || l->goes) return SAL_OK;
  SAL_TRY(sal_node_add(l->node, SAL_NODE_STOPPED, 0, &stop));
  if (stop && !l->ended) SAL_TRY(end_here(l));
  SAL_TRY(sal_node_add(l->node, SAL_NODE_FILLED, 0, &filled));
  SAL_TRY(sal_node_add(l->node, SAL_NODE_NEXT, 0, &next));
  const bool wants = !l->ended && !l->asked && sal_sched_runs_low(filled, next, l->node->n_rank);
  const bool stops = stop && !l->stopped;
  if (wants || stops || sal_clock_wall() - l->reported > SAL_REPORT_PAUSE)
    return say(l, wants, false, stops);
  return SAL_OK;
}

sal_err sal_node_leader_poll(sal_node_leader *l)
{
  return is_first(l) ? poll_first(l) : poll_other(l);
}

sal_err sal_node_leader_go(sal_node_leader *l, bool *gone)
{
  int64_t left;
  int     done = 1;

  *gone = false;
  SAL_TRY(sal_node_add(l->node, SAL_NODE_LEFT, 0, &left)); /* before the log that they left full */
  SAL_TRY(sal_node_leader_poll(l));
  if (left < l->node->n_rank - 1 || !l->ended) return SAL_OK;
  if (is_first(l)) {
    for (int i = 1; i < l->node->n_node && done; ++i)
      SAL_TRY_MPI(MPI_Testall(GO + 1, l->others[i].request, &done, MPI_STATUSES_IGNORE));
    *gone = done && l->n_gone == l->node->n_node - 1;
    return SAL_OK;
  }
  SAL_TRY_MPI(MPI_Test(&l->request, &done, MPI_STATUS_IGNORE));
  if (done && !l->goes && !l->asked) SAL_TRY(say(l, false, true, false));
  *gone = done && l->gone;
  return SAL_OK;
}
