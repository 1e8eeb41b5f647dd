/** Some messages are under way at a time, and what comes is taken before more is sent. */
#include "exchange.h"
#include "array.h"
#include "collective_error.h"
#include "memory.h"
#include <limits.h>
#include <time.h>

enum { TAG = 77 };
enum { MOST_SENDS = 8 }; /* messages under way */
enum { PATIENCE = 64 };  /* looks for a message before a nap */
static const struct timespec nap = {.tv_nsec = 20000};

typedef struct {
  MPI_Request request;
  void *owned;
} sending;

typedef struct {
  const sal_exchange *of;
  MPI_Comm comm;
  int rank;
  sending send[MOST_SENDS];
  int busy;  /* of these */
  bool over; /* there is nothing left to send */
  char *room;
  int64_t n_room;
  MPI_Request everybody; /* the barrier */
  sal_err err;           /* the first failure */
} work;

static void note(work *w, sal_err err)
{
  if (w->err == SAL_OK) w->err = err;
}

/* The next message for another rank, if there is one; those for this rank are taken. */
static void find_next(work *w, sal_exchange_message *m)
{
  while (!w->over) {
    *m = (sal_exchange_message){.to = -1};
    note(w, w->of->next(w->of->with, m));
    if (w->err == SAL_OK && m->n > INT_MAX)
      note(w, sal_fail(SAL_ERR_COMM, "a message of %lld bytes is too long", (long long)m->n));
    w->over = w->err != SAL_OK || m->to < 0;
    if (!w->over && m->to != w->rank) return;
    if (!w->over) note(w, w->of->take(w->of->with, m->bytes, m->n));
    w->over = w->over || w->err != SAL_OK;
    sal_free(m->owned);
  }
}

static sal_err send_some(work *w)
{
  sal_exchange_message m;

  for (int i = 0; i < MOST_SENDS; ++i) {
    sending *s = &w->send[i];
    int through = s->request == MPI_REQUEST_NULL;
    if (!through) {
      SAL_TRY_MPI(MPI_Test(&s->request, &through, MPI_STATUS_IGNORE));
      w->busy -= through;
    }
    if (!through) continue;
    sal_free(s->owned);
    s->owned = NULL;
    find_next(w, &m);
    if (w->over) continue;
    s->owned = m.owned;
    SAL_TRY_MPI(MPI_Issend(m.bytes, (int)m.n, MPI_BYTE, m.to, TAG, w->comm, &s->request));
    ++w->busy;
  }
  return SAL_OK;
}

/* Receives a message that does not fit into memory, so that its sender does not wait for ever: MPI drops what does not fit. */
static sal_err drop_message(const work *w, int source)
{
  MPI_Errhandler before;
  char none;

  SAL_TRY_MPI(MPI_Comm_get_errhandler(w->comm, &before));
  SAL_TRY_MPI(MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN));
  const int code = MPI_Recv(&none, 0, MPI_BYTE, source, TAG, w->comm, MPI_STATUS_IGNORE);
  int class = MPI_ERR_TRUNCATE;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
  SAL_TRY_MPI(MPI_Comm_set_errhandler(w->comm, before));
  SAL_TRY_MPI(MPI_Errhandler_free(&before));
  return class == MPI_ERR_TRUNCATE ? SAL_OK : sal_collective_error_fail(code);
}

/* *some: a message has come. */
static sal_err take_some(work *w, bool *some)
{
  MPI_Status status;
  int there, n;

  SAL_TRY_MPI(MPI_Iprobe(MPI_ANY_SOURCE, TAG, w->comm, &there, &status));
  *some = there;
  if (!there) return SAL_OK;
  SAL_TRY_MPI(MPI_Get_count(&status, MPI_BYTE, &n));
  char *room = sal_array_grow(w->room, 0, n, &w->n_room, 1);
  if (!room) {
    note(w, sal_fail(SAL_ERR_MEMORY, "no memory for a message of %d bytes", n));
    return drop_message(w, status.MPI_SOURCE);
  }
  w->room = room;
  SAL_TRY_MPI(MPI_Recv(room, n, MPI_BYTE, status.MPI_SOURCE, TAG, w->comm, MPI_STATUS_IGNORE));
  if (w->err == SAL_OK) note(w, w->of->take(w->of->with, room, n));
  return SAL_OK;
}

static sal_err run(work *w)
{
  bool some = false;

  for (int idle = 0, through = 0; !through; idle = some ? 0 : idle + 1) {
    SAL_TRY(send_some(w));
    SAL_TRY(take_some(w, &some));
    if (w->over && w->busy == 0 && w->everybody == MPI_REQUEST_NULL)
      SAL_TRY_MPI(MPI_Ibarrier(w->comm, &w->everybody));
    if (w->everybody != MPI_REQUEST_NULL)
      SAL_TRY_MPI(MPI_Test(&w->everybody, &through, MPI_STATUS_IGNORE));
    if (!through && idle > PATIENCE) nanosleep(&nap, NULL);
  }
  return w->err;
}

sal_err sal_exchange_run(MPI_Comm comm, const sal_exchange *exchange)
{
  work w = {.of = exchange, .comm = comm, .everybody = MPI_REQUEST_NULL};

  w.rank = sal_collective_rank(comm);
  for (int i = 0; i < MOST_SENDS; ++i) w.send[i].request = MPI_REQUEST_NULL;
  const sal_err err = run(&w);
  sal_free(w.room);
  return sal_collective_error(
      comm, err); /* after which no message of the next exchange is taken for one of this */
}
