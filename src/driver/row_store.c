/** Own rows, requests for others' and replies. */
#include "base.h"
#include "collective_error.h"
#include "exchange.h"
#include "map_rows.h"
#include "quantiles.h"
#include <time.h>

enum { REQUEST = 1, REPLY };
enum { PIECE = 256 };       /* rows of a reply, at most */
enum { MESSAGE = 1 << 24 }; /* bytes of rows that change ranks, about */
enum { ROOM = 1 << 20 };    /* bytes of a block of rows */
enum { PATIENCE = 64 };     /* looks for a message before a nap */

static const struct timespec nap = {.tv_nsec = 20000};

struct sal_row_store {
  MPI_Comm comm; /* of its own: no other message is taken for one of these */
  int rank, n_rank, n_config;
  sal_performance_rows_of of;
  sal_row_levels levels;
  const sal_cell_order *order;
  int64_t first, n; /* own places */
  size_t most;      /* bytes of a row without points, at most */
  bool points;      /* rows have raw values of points */
  char **own;       /* [n] rows, each after its size; NULL: not there yet */
  char *block;    /* rows are added to the last one; it begins with the address of the one before */
  size_t used;    /* bytes of it */
  int64_t *asked; /* [PIECE] places of the request at hand */
  char *reply;    /* [PIECE][most] */
  int idle;
};

/* Bytes of a packed row, without its points and with them. */
typedef struct {
  uint32_t row, all;
} row_size;

/* A cell that is asked for: its place, and its row. */
typedef struct {
  int64_t owner, place, at;
} wanted;

/* A request under way, and what comes back. */
typedef struct {
  int64_t n;
  wanted *wanted;        /* [n] by owner */
  int64_t *place;        /* [n] */
  char *row;             /* [n][most]; those of a piece follow each other */
  MPI_Request *messages; /* [2 n] */
  int n_message;
} request;

static int64_t n_cell_of(const sal_row_store *s) { return s->of.sweep->n_cell; }

static int owner_of(const sal_row_store *s, int64_t place)
{
  if (place >= s->first && place < s->first + s->n) return s->rank;
  return sal_exchange_owner(n_cell_of(s), s->n_rank, place);
}

static const char *row_at(const sal_row_store *s, int64_t place, row_size *size)
{
  assert(place >= s->first && place < s->first + s->n);
  const char *own = s->own[place - s->first];
  memcpy(size, own, sizeof *size);
  return own + sizeof *size;
}

/* Room for a row of so many bytes; NULL: no memory. */
static char *add_room(sal_row_store *s, size_t bytes)
{
  if (!s->block || s->used + bytes > ROOM) {
    const size_t head = sizeof s->block;
    char *block = sal_alloc(head + (bytes > ROOM ? bytes : ROOM), 1);
    if (!block) return NULL;
    memcpy(block, &s->block, head);
    s->block = block;
    s->used = head;
  }
  s->used += bytes;
  return s->block + s->used - bytes;
}

static void free_blocks(sal_row_store *s)
{
  while (s->block) {
    char *before;
    memcpy(&before, s->block, sizeof before);
    sal_free(s->block);
    s->block = before;
  }
}

/* Allocates the buffers of replies, too: a reply cannot report a lack of memory. */
static bool allot(sal_row_store *s)
{
  s->asked = sal_alloc(PIECE, sizeof *s->asked);
  s->reply = sal_alloc(PIECE, s->most);
  s->own = sal_alloc((size_t)s->n + 1, sizeof *s->own);
  return s->asked && s->reply && s->own;
}

static void set_levels(sal_row_store *s)
{
  sal_row_levels *l = &s->levels;
  const bool preset = s->of.n_error == 0;

  l->n = preset ? SAL_ERROR_METRIC_PRESETS : s->of.n_error;
  memcpy(l->error, preset ? s->of.by->preset : s->of.error, (size_t)l->n * sizeof *l->error);
  sal_quantiles_sort(l->n, l->error);
}

/* Collective. */
static sal_err begin(MPI_Comm comm, sal_row_store *s)
{
  s->rank = sal_collective_rank(comm);
  s->n_rank = sal_collective_ranks(comm);
  s->first = sal_exchange_first(n_cell_of(s), s->rank, s->n_rank);
  s->n = sal_exchange_first(n_cell_of(s), s->rank + 1, s->n_rank) - s->first;
  sal_err err = sal_row_store_check(n_cell_of(s), s->n_rank, s->n_config, s->points);
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
  s->most = sal_row_pack_most(s->n_config, false);
  s->points = of->points;
  set_levels(s);
  const sal_err err = begin(comm, s);
  if (err != SAL_OK) sal_row_store_free(store);
  return err;
}

void sal_row_store_free(sal_row_store **store)
{
  sal_row_store *s = *store;

  if (s) {
    if (s->comm != MPI_COMM_NULL) MPI_Comm_free(&s->comm);
    free_blocks(s);
    sal_free_all(s->own, s->asked, s->reply);
  }
  sal_free(s);
  *store = NULL;
}

/* Where cells [n] belong, by their owners. */
static void find_owners(const sal_row_store *s, int64_t n, const int64_t cell[], wanted list[])
{
  for (int64_t i = 0; i < n; ++i) {
    const int64_t place = sal_cell_order_place(s->order, cell[i]);
    list[i] = (wanted){owner_of(s, place), place, i};
  }
  sal_quantiles_sort_pairs(n, sizeof *list, list);
}

/* Rows that change ranks: each its place, its size, the row, and the points. */
typedef struct {
  sal_row_store *store;
  int64_t n, at;
  wanted *list; /* [n + 1] by owner; at: where it is in `out`, the last one: the end */
  char *out;
} moving;

enum { HEAD = sizeof(int64_t) + sizeof(row_size) };

static void end_moving(moving *m) { sal_free_all(m->list, m->out); }

/* Returns the bytes. */
static int64_t pack_row(const sal_row_store *s, const wanted *w, const sal_performance_table *rows,
                        char *out)
{
  row_size size = {(uint32_t)sal_row_pack(&s->levels, rows, w->at, out + HEAD), 0};

  size.all = size.row;
  if (s->points) size.all += (uint32_t)sal_row_pack_points(rows, w->at, out + HEAD + size.row);
  memcpy(out, &w->place, sizeof w->place);
  memcpy(out + sizeof w->place, &size, sizeof size);
  return HEAD + size.all;
}

static sal_err pack_rows(const sal_row_store *s, const int64_t cell[],
                         const sal_performance_table *rows, moving *m)
{
  int64_t end = 0;

  m->n = rows->n_cell;
  m->list = sal_alloc((size_t)m->n + 1, sizeof *m->list);
  m->out = sal_alloc((size_t)m->n + 1, HEAD + sal_row_pack_most(s->n_config, s->points));
  if (!m->list || !m->out) return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map");
  find_owners(s, m->n, cell, m->list);
  for (int64_t i = 0; i < m->n; ++i) {
    const int64_t at = end;
    end += pack_row(s, &m->list[i], rows, m->out + at);
    m->list[i].at = at;
  }
  m->list[m->n].at = end;
  return SAL_OK;
}

/* Rows of one owner, as many as a message is for. */
static sal_err next_rows(void *with, sal_exchange_message *message)
{
  moving *m = with;
  const wanted *list = m->list, *first = &list[m->at];

  if (m->at == m->n) return SAL_OK;
  while (m->at < m->n && list[m->at].at - first->at <= MESSAGE && list[m->at].owner == first->owner)
    ++m->at;
  *message = (sal_exchange_message){
      .to = (int)first->owner, .bytes = m->out + first->at, .n = list[m->at].at - first->at};
  return SAL_OK;
}

static sal_err keep_rows(void *with, const char *at, int64_t n)
{
  const moving *m = with;
  sal_row_store *s = m->store;

  for (const char *end = at + n; at < end;) {
    int64_t place;
    row_size size;
    memcpy(&place, at, sizeof place);
    memcpy(&size, at + sizeof place, sizeof size);
    char *own = s->own[place - s->first] = add_room(s, sizeof size + size.all);
    if (!own) return sal_fail(SAL_ERR_MEMORY, "no memory for the rows of the map");
    memcpy(own, at + sizeof place, sizeof size + size.all);
    at += HEAD + size.all;
  }
  return SAL_OK;
}

sal_err sal_row_store_put(sal_row_store *s, sal_err here, const int64_t cell[],
                          const sal_performance_table *rows)
{
  SAL_OWN_BY(end_moving) moving m = {.store = s};
  const sal_exchange x = {.next = next_rows, .take = keep_rows, .with = &m};

  if (here == SAL_OK) here = pack_rows(s, cell, rows, &m);
  SAL_TRY(sal_collective_error(s->comm, here));
  return sal_exchange_run(s->comm, &x);
}

void sal_row_store_run(const sal_row_store *s, int64_t first, sal_performance_table *rows)
{
  for (int64_t i = 0; i < rows->n_cell; ++i) {
    row_size size;
    const char *row = row_at(s, first + i, &size);
    (void)sal_row_unpack(&s->levels, row, rows, i);
    if (rows->sd) sal_row_unpack_points(row + size.row, rows, i);
  }
}

/* The requesting rank has posted the buffer of the reply before, so the reply is sent at once. */
static sal_err reply_to(sal_row_store *s, int rank, int n)
{
  size_t bytes = 0;

  assert(n <= PIECE);
  SAL_TRY_MPI(MPI_Recv(s->asked, n, MPI_INT64_T, rank, REQUEST, s->comm, MPI_STATUS_IGNORE));
  for (int i = 0; i < n; ++i) {
    row_size size;
    const char *row = row_at(s, s->asked[i], &size);
    memcpy(s->reply + bytes, row, size.row);
    bytes += size.row;
  }
  SAL_TRY_MPI(MPI_Send(s->reply, (int)bytes, MPI_BYTE, rank, REPLY, s->comm));
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
  r->row = sal_alloc(size, s->most);
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
  const int n = (int)(last - first), owner = (int)r->wanted[first].owner;
  MPI_Request *message = &r->messages[r->n_message];

  SAL_TRY_MPI(MPI_Irecv(r->row + (size_t)first * s->most, (int)((size_t)n * s->most), MPI_BYTE,
                        owner, REPLY, s->comm, &message[0]));
  ++r->n_message;
  SAL_TRY_MPI(MPI_Isend(&r->place[first], n, MPI_INT64_T, owner, REQUEST, s->comm, &message[1]));
  ++r->n_message;
  return SAL_OK;
}

/* The end of those that are asked for with wanted[first]. */
static int64_t piece_end(const request *r, int64_t first)
{
  int64_t last = first;

  while (last < r->n && last - first < PIECE && r->wanted[last].owner == r->wanted[first].owner)
    ++last;
  return last;
}

static sal_err ask_all(const sal_row_store *s, request *r)
{
  for (int64_t first = 0, last; first < r->n; first = last) {
    last = piece_end(r, first);
    if (r->wanted[first].owner != s->rank) SAL_TRY(ask(s, r, first, last));
  }
  return SAL_OK;
}

static void take_piece(const sal_row_store *s, const request *r, int64_t first, int64_t last,
                       sal_performance_table *rows)
{
  const char *row = r->row + (size_t)first * s->most;
  row_size size;

  for (const wanted *w = &r->wanted[first]; w < &r->wanted[last]; ++w)
    if (w->owner == s->rank)
      (void)sal_row_unpack(&s->levels, row_at(s, w->place, &size), rows, w->at);
    else
      row += sal_row_unpack(&s->levels, row, rows, w->at);
}

static sal_err read_rows(void *with, int64_t n, const int64_t cell[], sal_performance_table *rows)
{
  sal_row_store *s = with;
  SAL_OWN_BY(end_request) request r = {0};

  assert(!rows->sd && n <= rows->n_cell);
  SAL_TRY(begin_request(s, n, cell, &r));
  SAL_TRY(ask_all(s, &r));
  SAL_TRY(serve_until(s, r.n_message, r.messages));
  for (int64_t first = 0, last; first < n; first = last) {
    last = piece_end(&r, first);
    take_piece(s, &r, first, last, rows);
  }
  return SAL_OK;
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
                                  .memory = sal_row_store_read(s->of.sweep),
                                  .threads = sal_parallel_threads(),
                                  .loop = sal_parallel_for};
}
