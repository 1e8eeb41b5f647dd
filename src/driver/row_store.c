/** Own rows, requests for others' and replies. */
#include "base.h"
#include "collective_error.h"
#include "environment.h"
#include "exchange.h"
#include "map_rows.h"
#include <time.h>

/* Memory for rows of a map that are read, in boxes [B]. */
static const double near_bytes = 6.4e7;

double sal_row_store_memory(void) { return sal_environment_number(SAL_ENVIRONMENT_ROWS_MEMORY); }

enum { REQUEST = 1, REPLY };
enum { PIECE = 256 };       /* rows of a reply, at most */
enum { MESSAGE = 1 << 26 }; /* bytes of rows that change ranks, about */
enum { PATIENCE = 64 };     /* looks for a message before a nap */

static const struct timespec nap = {.tv_nsec = 20000};

struct sal_row_store {
  MPI_Comm comm; /* of its own: no other message is taken for one of these */
  int rank, n_rank, n_config;
  sal_performance_rows_of of;
  const sal_cell_order *order;
  int64_t first, n;   /* own places */
  size_t row, points; /* bytes of a row, and of its raw values of points; 0: none are kept */
  char *own;          /* [n][row] */
  char *own_points;   /* [n][points] */
  int64_t *asked;     /* [PIECE] places of the request at hand */
  char *reply;        /* [PIECE][row] */
  int idle;
};

/* A cell that is asked for: its place, and its row. */
typedef struct {
  int owner;
  int64_t place, at;
} wanted;

/* A request under way, and what comes back. */
typedef struct {
  int64_t n;
  wanted *wanted;        /* [n] by owner */
  int64_t *place;        /* [n] */
  char *row;             /* [n][row] */
  MPI_Request *messages; /* [2 n] */
  int n_message;
} request;

static int64_t n_cell_of(const sal_row_store *s) { return s->of.sweep->n_cell; }

static int owner_of(const sal_row_store *s, int64_t place)
{
  if (place >= s->first && place < s->first + s->n) return s->rank;
  return sal_exchange_owner(n_cell_of(s), s->n_rank, place);
}

static char *row_at(const sal_row_store *s, int64_t place)
{
  assert(place >= s->first && place < s->first + s->n);
  return s->own + (size_t)(place - s->first) * s->row;
}

static char *points_at(const sal_row_store *s, int64_t place)
{
  return s->own_points + (size_t)(place - s->first) * s->points;
}

double sal_row_store_bytes(int64_t n_cell, int n_rank, int n_config, bool points)
{
  const size_t bytes =
      sal_row_pack_bytes(n_config) + (points ? sal_row_pack_point_bytes(n_config) : 0);

  return ceil((double)n_cell / n_rank) * (double)bytes;
}

/* Allocates the buffers of replies, too: a reply cannot report a lack of memory. */
static bool allot(sal_row_store *s)
{
  s->asked = sal_alloc(PIECE, sizeof *s->asked);
  s->reply = sal_alloc(PIECE, s->row);
  s->own = sal_alloc((size_t)s->n + 1, s->row);
  if (s->points) s->own_points = sal_alloc((size_t)s->n + 1, s->points);
  return s->asked && s->reply && s->own && (s->own_points || !s->points);
}

sal_err sal_row_store_check(int64_t n_cell, int n_rank, int n_config, bool points)
{
  const double bytes = sal_row_store_bytes(n_cell, n_rank, n_config, points);
  const double most = sal_row_store_memory(), each = sal_row_store_bytes(1, 1, n_config, points);
  char enough[128] = "";

  if (bytes <= most) return SAL_OK;
  if (most >= each)
    snprintf(enough, sizeof enough, "; %.0f ranks suffice: mpirun -n N saltus map CUBE",
             ceil((double)n_cell / floor(most / each)));
  return sal_fail(SAL_ERR_INPUT,
                  "the rows of the map take %.3g MB in each of %d rank%s; allowed: %.3g MB "
                  "(SALTUS_ROWS_MEMORY)%s",
                  bytes / 1e6, n_rank, sal_text_plural(n_rank), most / 1e6, enough);
}

/* Collective. */
static sal_err begin(MPI_Comm comm, sal_row_store *s)
{
  s->rank = sal_collective_rank(comm);
  s->n_rank = sal_collective_ranks(comm);
  s->first = sal_exchange_first(n_cell_of(s), s->rank, s->n_rank);
  s->n = sal_exchange_first(n_cell_of(s), s->rank + 1, s->n_rank) - s->first;
  sal_err err = sal_row_store_check(n_cell_of(s), s->n_rank, s->n_config, s->points > 0);
  if (err == SAL_OK && !allot(s))
    err = sal_fail(SAL_ERR_INPUT, "no memory for the rows of the map; more ranks need less each");
  SAL_TRY(sal_collective_error(comm, err));
  SAL_TRY_MPI(MPI_Comm_dup(comm, &s->comm));
  return SAL_OK;
}

sal_err sal_row_store_create(MPI_Comm comm, const sal_performance_rows_of *of,
                             const sal_cell_order *order, sal_row_store **store)
{
  sal_row_store *s = *store = sal_alloc(1, sizeof *s);

  SAL_TRY(sal_collective_error(comm, s ? SAL_OK
                                       : sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map")));
  assert(s);
  s->comm = MPI_COMM_NULL;
  s->of = *of;
  s->order = order;
  s->n_config = sal_config_count(of->sweep);
  s->row = sal_row_pack_bytes(s->n_config);
  s->points = of->points ? sal_row_pack_point_bytes(s->n_config) : 0;
  const sal_err err = begin(comm, s);
  if (err != SAL_OK) sal_row_store_free(store);
  return err;
}

void sal_row_store_free(sal_row_store **store)
{
  sal_row_store *s = *store;

  if (s) {
    if (s->comm != MPI_COMM_NULL) MPI_Comm_free(&s->comm);
    sal_free_all(s->own_points, s->own, s->asked, s->reply);
  }
  sal_free(s);
  *store = NULL;
}

static int compare_wanted(const void *left, const void *right)
{
  const wanted *a = left, *b = right;
  const int by_owner = (a->owner > b->owner) - (a->owner < b->owner);

  return by_owner ? by_owner : (a->place > b->place) - (a->place < b->place);
}

/* Where cells [n] belong, by their owners. */
static void find_owners(const sal_row_store *s, int64_t n, const int64_t cell[], wanted list[])
{
  for (int64_t i = 0; i < n; ++i) {
    const int64_t place = sal_cell_order_place(s->order, cell[i]);
    list[i] = (wanted){owner_of(s, place), place, i};
  }
  qsort(list, (size_t)n, sizeof *list, compare_wanted);
}

/* Rows that change ranks: each its place, the row, and the points. */
typedef struct {
  sal_row_store *store;
  int64_t n, at;
  size_t size;  /* of a row on its way */
  wanted *list; /* [n] by owner */
  char *out;    /* [n][size] */
} moving;

static void end_moving(moving *m) { sal_free_all(m->list, m->out); }

static sal_err pack_rows(const sal_row_store *s, const int64_t cell[],
                         const sal_performance_table *rows, moving *m)
{
  m->n = rows->n_cell;
  m->list = sal_alloc((size_t)m->n + 1, sizeof *m->list);
  m->out = sal_alloc((size_t)m->n + 1, m->size);
  if (!m->list || !m->out) return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map");
  find_owners(s, m->n, cell, m->list);
  for (int64_t i = 0; i < m->n; ++i) {
    char *at = m->out + (size_t)i * m->size, *row = at + sizeof(int64_t);
    memcpy(at, &m->list[i].place, sizeof(int64_t));
    sal_row_pack(rows, m->list[i].at, row);
    if (s->points) sal_row_pack_points(rows, m->list[i].at, row + s->row);
  }
  return SAL_OK;
}

/* Rows of one owner, as many as a message is for. */
static sal_err next_rows(void *with, sal_exchange_message *message)
{
  moving *m = with;
  const int64_t first = m->at, most = first + 1 + MESSAGE / (int64_t)m->size;

  if (first == m->n) return SAL_OK;
  while (m->at < m->n && m->at < most && m->list[m->at].owner == m->list[first].owner) ++m->at;
  *message = (sal_exchange_message){.to = m->list[first].owner,
                                    .bytes = m->out + (size_t)first * m->size,
                                    .n = (m->at - first) * (int64_t)m->size};
  return SAL_OK;
}

static sal_err keep_rows(void *with, const char *at, int64_t n)
{
  const moving *m = with;
  const sal_row_store *s = m->store;

  for (const char *end = at + n; at < end; at += m->size) {
    int64_t place;
    memcpy(&place, at, sizeof place);
    memcpy(row_at(s, place), at + sizeof place, s->row);
    if (s->points) memcpy(points_at(s, place), at + sizeof place + s->row, s->points);
  }
  return SAL_OK;
}

sal_err sal_row_store_put(sal_row_store *s, sal_err here, const int64_t cell[],
                          const sal_performance_table *rows)
{
  SAL_OWN_BY(end_moving) moving m = {.store = s, .size = sizeof(int64_t) + s->row + s->points};
  const sal_exchange x = {.next = next_rows, .take = keep_rows, .with = &m};

  if (here == SAL_OK) here = pack_rows(s, cell, rows, &m);
  SAL_TRY(sal_collective_error(s->comm, here));
  return sal_exchange_run(s->comm, &x);
}

void sal_row_store_run(const sal_row_store *s, int64_t first, sal_performance_table *rows)
{
  for (int64_t i = 0; i < rows->n_cell; ++i) {
    sal_row_unpack(row_at(s, first + i), rows, i);
    if (rows->sd) sal_row_unpack_points(points_at(s, first + i), rows, i);
  }
}

/* The requesting rank has posted the buffer of the reply before, so the reply is sent at once. */
static sal_err reply_to(sal_row_store *s, int rank, int n)
{
  assert(n <= PIECE);
  SAL_TRY_MPI(MPI_Recv(s->asked, n, MPI_INT64_T, rank, REQUEST, s->comm, MPI_STATUS_IGNORE));
  for (int i = 0; i < n; ++i) memcpy(s->reply + (size_t)i * s->row, row_at(s, s->asked[i]), s->row);
  SAL_TRY_MPI(MPI_Send(s->reply, (int)((size_t)n * s->row), MPI_BYTE, rank, REPLY, s->comm));
  return SAL_OK;
}

/* Answers a request, if there is one. */
static sal_err serve(sal_row_store *s, bool *some)
{
  MPI_Status status;
  int there, n;

  SAL_TRY_MPI(MPI_Iprobe(MPI_ANY_SOURCE, REQUEST, s->comm, &there, &status));
  *some = there;
  if (!there) return SAL_OK;
  s->idle = 0;
  SAL_TRY_MPI(MPI_Get_count(&status, MPI_INT64_T, &n));
  return reply_to(s, status.MPI_SOURCE, n);
}

/* Answers what has been asked meanwhile, and goes on until the messages are through. */
static sal_err serve_until(sal_row_store *s, int n, MPI_Request messages[])
{
  bool some = true;
  int all = 0;

  s->idle = 0;
  while (some || !all) {
    SAL_TRY(serve(s, &some));
    if (!all) SAL_TRY_MPI(MPI_Testall(n, messages, &all, MPI_STATUSES_IGNORE));
    if (!some && !all && ++s->idle > PATIENCE) nanosleep(&nap, NULL);
  }
  return SAL_OK;
}

sal_err sal_row_store_meet(sal_row_store *s)
{
  MPI_Request everybody;

  SAL_TRY_MPI(MPI_Ibarrier(s->comm, &everybody));
  return serve_until(s, 1, &everybody);
}

static void end_request(request *r) { sal_free_all(r->wanted, r->place, r->row, r->messages); }

static sal_err begin_request(const sal_row_store *s, int64_t n, const int64_t cell[], request *r)
{
  const size_t size = (size_t)n;

  r->n = n;
  r->wanted = sal_alloc(size, sizeof *r->wanted);
  r->place = sal_alloc(size, sizeof *r->place);
  r->row = sal_alloc(size, s->row);
  r->messages = sal_alloc(2 * size, sizeof(MPI_Request));
  if (!r->wanted || !r->place || !r->row || !r->messages)
    return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map");
  find_owners(s, n, cell, r->wanted);
  for (int64_t i = 0; i < n; ++i) r->place[i] = r->wanted[i].place;
  return SAL_OK;
}

/* wanted[first .. last - 1] are of one owner, a piece at most. */
static sal_err ask(const sal_row_store *s, request *r, int64_t first, int64_t last)
{
  const int n = (int)(last - first), owner = r->wanted[first].owner;
  MPI_Request *message = &r->messages[r->n_message];

  SAL_TRY_MPI(MPI_Irecv(r->row + (size_t)first * s->row, (int)((size_t)n * s->row), MPI_BYTE, owner,
                        REPLY, s->comm, &message[0]));
  ++r->n_message;
  SAL_TRY_MPI(MPI_Isend(&r->place[first], n, MPI_INT64_T, owner, REQUEST, s->comm, &message[1]));
  ++r->n_message;
  return SAL_OK;
}

static sal_err ask_all(const sal_row_store *s, request *r)
{
  for (int64_t first = 0, last; first < r->n; first = last) {
    for (last = first;
         last < r->n && last - first < PIECE && r->wanted[last].owner == r->wanted[first].owner;)
      ++last;
    if (r->wanted[first].owner != s->rank) SAL_TRY(ask(s, r, first, last));
  }
  return SAL_OK;
}

static sal_err read_rows(void *with, int64_t n, const int64_t cell[], sal_performance_table *rows)
{
  sal_row_store *s = with;
  SAL_OWN_BY(end_request) request r = {0};

  assert(!rows->sd && n <= rows->n_cell);
  SAL_TRY(begin_request(s, n, cell, &r));
  SAL_TRY(ask_all(s, &r));
  SAL_TRY(serve_until(s, r.n_message, r.messages));
  for (int64_t i = 0; i < n; ++i) {
    const wanted *w = &r.wanted[i];
    const char *row = w->owner == s->rank ? row_at(s, w->place) : r.row + (size_t)i * s->row;
    sal_row_unpack(row, rows, w->at);
  }
  return SAL_OK;
}

int sal_row_store_coordinates(const sal_sweep *s)
{
  int n = 0;

  if (s->scattered.point.n_point > 0) return 0;
  for (int a = 0; a < s->n_axis; ++a) {
    const sal_axis *axis = &s->axis[a];
    if (axis->n_point == 1) continue;
    if (sal_axis_joint(axis) && !sal_axis_is_smooth_sequence(axis)) return 0;
    n += axis->n_column;
  }
  return n;
}

/* Where cells follow each other by boxes those around a place are needed but for a while. */
double sal_row_store_read(const sal_sweep *s)
{
  return sal_row_store_coordinates(s) > 0 ? near_bytes : sal_surrogate_rows_memory;
}

sal_performance_source sal_row_store_source(sal_row_store *s)
{
  return (sal_performance_source){.sweep = s->of.sweep,
                                  .by = s->of.by,
                                  .weights = s->of.weights,
                                  .n_cell = n_cell_of(s),
                                  .n_config = s->n_config,
                                  .read = read_rows,
                                  .with = s,
                                  .memory = sal_row_store_read(s->of.sweep)};
}
