/** Exchanges beats, and lists the hosts that are silent.
 *
 *  A message is {kind, patience of its sender}.  BYE is the last one, each way: after it nothing is
 *  sent or expected, so that no message is left behind when the communicator goes.
 */
#include "base.h"
#include "clock.h"
#include "collective_error.h"
#include "node.h"
#include <pthread.h>
#include <time.h>

enum { BEAT, BYE };                      /* kinds */
enum { KIND, PATIENCE, WORDS, TAG = 1 }; /* a message */
enum { MOST_NAMED = 4 };                 /* hosts in a text, others are counted */
#define PERIOD 5.0                       /* [s] between two beats, at most */
#define BEATS 6                          /* in the patience, at least */
#define LOOK 50000000 /* [ns] between two looks: a reader's patience, and no load */
#define RUSH 1000000  /* [ns] the same when this side wants to end */

/* A leader that this one exchanges beats with: the first with all others, these with the first. */
typedef struct {
  char host[MPI_MAX_PROCESSOR_NAME];
  int rank; /* among the leaders */
  double silent, patience;
  double out[WORDS];
  MPI_Request request;
  bool said_bye, heard_bye;
} peer;

typedef struct {
  sal_node_ranks node;
  int n_peer;
  peer *peers;
  sal_heartbeat_lost *lost;
  double beaten, looked; /* clock of the last beat, the last look */
  pthread_t thread;
  bool runs;
  pthread_mutex_t lock; /* of `text` and `silence` */
  char text[SAL_HEARTBEAT_TEXT];
  double silence; /* 0: no host is silent */
  _Atomic double patience;
  atomic_bool ends;
} watch;

static watch w;

static double period(void) { return fmin(PERIOD, atomic_load(&w.patience) / BEATS); }

/* Beats do not pile up in a slow network: no beat is sent while the last one is under way. */
static void send_to(peer *p, int kind)
{
  int free = 0;

  MPI_Test(&p->request, &free, MPI_STATUS_IGNORE);
  if (!free || p->said_bye) return;
  p->out[KIND] = kind;
  p->out[PATIENCE] = atomic_load(&w.patience);
  p->said_bye = kind == BYE;
  MPI_Isend(p->out, WORDS, MPI_DOUBLE, p->rank, TAG, w.node.leaders, &p->request);
}

static void send_beats(double now)
{
  const bool ends = atomic_load(&w.ends);

  if (!ends && now - w.beaten < period()) return;
  w.beaten = now;
  for (int i = 0; i < w.n_peer; ++i) send_to(&w.peers[i], ends ? BYE : BEAT);
}

static void receive_beats(void)
{
  double in[WORDS];

  for (int there = 1; there;) {
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG, w.node.leaders, &there, &status);
    if (!there) break;
    MPI_Recv(in, WORDS, MPI_DOUBLE, status.MPI_SOURCE, TAG, w.node.leaders, MPI_STATUS_IGNORE);
    peer *p = &w.peers[w.node.number == 0 ? status.MPI_SOURCE - 1 : 0];
    p->silent = 0;
    p->patience = in[PATIENCE];
    p->heard_bye = in[KIND] == BYE;
  }
}

/* Adds the time since the last look, but no more than a planned sleep of this thread: it may have been suspended. */
static void count_silence(double now)
{
  const double most = 2 * fmax(1e-9 * LOOK, period()), passed = now - w.looked;

  w.looked = now;
  for (int i = 0; i < w.n_peer; ++i)
    if (!w.peers[i].heard_bye) w.peers[i].silent += fmin(passed, most);
}

static bool all_said_bye(void)
{
  for (int i = 0; i < w.n_peer; ++i) {
    int sent = 0;
    MPI_Test(&w.peers[i].request, &sent, MPI_STATUS_IGNORE);
    if (!sent || !w.peers[i].said_bye || !w.peers[i].heard_bye) return false;
  }
  return true;
}

/* "h2, h3 and 5 more"; returns the longest silence, 0 when no peer has been silent for `least` of
 * its patience. */
static double list_silent(double least, char text[SAL_HEARTBEAT_TEXT])
{
  double longest = 0;
  int n = 0, at = 0;

  text[0] = '\0';
  for (int i = 0; i < w.n_peer; ++i) {
    const peer *p = &w.peers[i];
    if (p->heard_bye || p->silent < least * fmax(atomic_load(&w.patience), p->patience)) continue;
    if (n++ < MOST_NAMED)
      at += snprintf(text + at, (size_t)(SAL_HEARTBEAT_TEXT / 2 - at), "%s%.40s", n > 1 ? ", " : "",
                     p->host);
    longest = fmax(longest, p->silent);
  }
  if (n > MOST_NAMED)
    snprintf(text + at, (size_t)(SAL_HEARTBEAT_TEXT - at), " and %d more", n - MOST_NAMED);
  return longest;
}

static void note_silent(void)
{
  char text[SAL_HEARTBEAT_TEXT];
  const double least = list_silent(2.0 / BEATS, text);

  pthread_mutex_lock(&w.lock);
  w.silence = least;
  memcpy(w.text, text, sizeof text);
  pthread_mutex_unlock(&w.lock);
}

static void *listen(void *with)
{
  (void)with;
  for (;;) {
    const bool ends = atomic_load(&w.ends);
    const struct timespec nap = {0, ends ? RUSH : LOOK};
    const double now = sal_clock_wall();
    char hosts[SAL_HEARTBEAT_TEXT];
    count_silence(now);
    receive_beats();
    send_beats(now);
    note_silent();
    const double silence = list_silent(1, hosts);
    if (silence > 0) return w.lost(hosts, silence), NULL;
    if (ends && all_said_bye()) return NULL;
    nanosleep(&nap, NULL);
  }
}

/* Collective over the leaders: which hosts the peers are, by name. */
static sal_err meet_peers(void)
{
  enum { N = MPI_MAX_PROCESSOR_NAME };
  char mine[N] = "", first[N];
  SAL_OWN char *all = NULL;
  int length;

  const int n = w.node.n_node;
  w.n_peer = w.node.number == 0 ? n - 1 : 1;
  if (n == 1) return SAL_OK;
  w.peers = sal_alloc((size_t)w.n_peer, sizeof *w.peers);
  if (w.node.number == 0) all = sal_alloc((size_t)n, N);
  int ready = w.peers && (w.node.number > 0 || all), ok = 0;
  MPI_Get_processor_name(mine, &length);
  memcpy(first, mine, N);
  MPI_Allreduce(&ready, &ok, 1, MPI_INT, MPI_MIN, w.node.leaders);
  if (ok) MPI_Bcast(first, N, MPI_CHAR, 0, w.node.leaders);
  if (ok) MPI_Gather(mine, N, MPI_CHAR, all, N, MPI_CHAR, 0, w.node.leaders);
  for (int i = 0; ok && i < w.n_peer; ++i) {
    w.peers[i] = (peer){.rank = w.node.number == 0 ? i + 1 : 0,
                        .patience = atomic_load(&w.patience),
                        .request = MPI_REQUEST_NULL};
    memcpy(w.peers[i].host, all ? all + (size_t)(i + 1) * N : first, N);
  }
  return ok ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory to listen to %d hosts", n);
}

/* A leader that cannot listen is one that the first one would call lost: all listen, or none. */
static sal_err start_thread(void)
{
  if (w.node.leaders == MPI_COMM_NULL) return SAL_OK;
  SAL_TRY(meet_peers());
  if (!w.peers) return SAL_OK;
  w.looked = w.beaten = sal_clock_wall();
  w.runs =
      pthread_mutex_init(&w.lock, NULL) == 0 && pthread_create(&w.thread, NULL, listen, NULL) == 0;
  return w.runs ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no thread to listen to other hosts");
}

sal_err sal_heartbeat_start(MPI_Comm comm, double patience, sal_heartbeat_lost *lost)
{
  int provided;

  w = (watch){.lost = lost};
  atomic_store(&w.patience, patience);
  SAL_TRY_MPI(MPI_Query_thread(&provided));
  if (provided < MPI_THREAD_MULTIPLE || sal_collective_ranks(comm) == 1) return SAL_OK;
  SAL_TRY(sal_node_ranks_find(comm, &w.node));
  return start_thread();
}

void sal_heartbeat_stop(void)
{
  atomic_store(&w.ends, true);
  if (w.runs) pthread_join(w.thread, NULL);
  if (w.runs) pthread_mutex_destroy(&w.lock);
  w.runs = false;
  sal_free(w.peers);
  w.peers = NULL;
  sal_node_ranks_free(&w.node);
}

void sal_heartbeat_set_patience(double seconds) { atomic_store(&w.patience, seconds); }

bool sal_heartbeat_silent(char hosts[SAL_HEARTBEAT_TEXT], double *seconds)
{
  if (!w.runs) return false;
  pthread_mutex_lock(&w.lock);
  *seconds = w.silence;
  memcpy(hosts, w.text, SAL_HEARTBEAT_TEXT);
  pthread_mutex_unlock(&w.lock);
  return *seconds > 0;
}
