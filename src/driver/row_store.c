/** @file src/driver/row_store.c
 *  Own rows, requests for others' and replies.
 */
#include "row_store.h"
#include "collective_error.h"
#include "contender.h"
#include "memory.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const double sal_row_store_memory = 1e9;

enum { REQUEST = 1, REPLY };
enum { POINTLESS = 3, WITH_POINTS = 6 }; /* columns of a table */
enum { PIECE = 256 };                    /* rows of a message, at most */
enum { PATIENCE = 64 };                  /* looks for a message before a nap */

static const struct timespec nap = {.tv_nsec = 20000};

struct sal_row_store {
  MPI_Comm comm; /* of its own: no other message is taken for one of these */
  int rank, n_rank, n_contender;
  int64_t block;
  sal_performance_table own; /* [own cells] in their order */
  int64_t *asked;            /* [PIECE] cells of the request at hand */
  double *reply;             /* [PIECE][width_of] */
  int idle;
};

/* A cell that is asked for, and its row. */
typedef struct {
  int owner;
  int64_t cell, at;
} wanted;

/* A request under way, and what comes back. */
typedef struct {
  int64_t n;
  wanted *wanted;        /* [n] by owner */
  int64_t *cell;         /* [n] */
  double *row;           /* [n][width_of] */
  MPI_Request *messages; /* [2 n] */
  int n_message;
} request;

static int owner_of(const sal_row_store *s, int64_t cell)
{
  return (int)(cell / s->block % s->n_rank);
}

/* Where an own cell is. */
static int64_t place_of(const sal_row_store *s, int64_t cell)
{
  assert(owner_of(s, cell) == s->rank);
  return cell / s->block / s->n_rank * s->block + cell % s->block;
}

/* Numbers of a row in a message: error, work and least error of each contender, and the reference's error. */
static int width_of(const sal_row_store *s) { return POINTLESS * s->n_contender + 1; }

/* ---- Memory ---- */

static int64_t most_cells(int64_t n_cell, int n_rank, int64_t block)
{
  const int64_t blocks = (n_cell + block - 1) / block;

  return (blocks + n_rank - 1) / n_rank * block;
}

double sal_row_store_bytes(int64_t n_cell, int n_rank, int64_t block, int n_contender, bool points)
{
  const double columns = points ? WITH_POINTS : POINTLESS;

  return (double)most_cells(n_cell, n_rank, block) * (columns * n_contender + 1) *
         (double)sizeof(double);
}

/* All that replies take, too: who waits for one cannot be told that there is no memory. */
static sal_err allot(const sal_performance_rows_of *of, int64_t n_cell, sal_row_store *s)
{
  s->n_contender = sal_contender_count(of->sweep);
  s->asked = sal_alloc(PIECE, sizeof *s->asked);
  s->reply = sal_alloc(PIECE, (size_t)width_of(s) * sizeof *s->reply);
  if (!s->asked || !s->reply) return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map");
  SAL_TRY(sal_performance_create(of->sweep, n_cell, &of->weights, of->points, of->timed, &s->own));
  s->own.by = of->by;
  return SAL_OK;
}

/* Collective.  Where one rank has no room none keeps rows. */
static sal_err allot_all(MPI_Comm comm, const sal_performance_rows_of *of, sal_row_store *s,
                         bool *fits)
{
  const int64_t n = most_cells(of->sweep->n_cell, s->n_rank, s->block);
  const double bytes = sal_row_store_bytes(of->sweep->n_cell, s->n_rank, s->block,
                                           sal_contender_count(of->sweep), of->points);
  int ok = bytes <= sal_row_store_memory && allot(of, n, s) == SAL_OK;

  if (!ok) sal_err_clear();
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, comm));
  *fits = ok;
  return SAL_OK;
}

/* Collective. */
static sal_err begin(MPI_Comm comm, const sal_performance_rows_of *of, sal_row_store *s, bool *fits)
{
  SAL_TRY_MPI(MPI_Comm_rank(comm, &s->rank));
  SAL_TRY_MPI(MPI_Comm_size(comm, &s->n_rank));
  SAL_TRY(allot_all(comm, of, s, fits));
  if (*fits) SAL_TRY_MPI(MPI_Comm_dup(comm, &s->comm));
  return SAL_OK;
}

sal_err sal_row_store_create(MPI_Comm comm, const sal_performance_rows_of *of, int64_t block,
                             sal_row_store **store)
{
  sal_row_store *s = *store = sal_alloc(1, sizeof *s);
  bool fits = false;

  SAL_TRY(sal_collective_error(comm, s ? SAL_OK
                                       : sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map")));
  s->comm = MPI_COMM_NULL;
  s->block = block;
  const sal_err err = begin(comm, of, s, &fits);
  if (err != SAL_OK || !fits) sal_row_store_free(store);
  return err;
}

void sal_row_store_free(sal_row_store **store)
{
  sal_row_store *s = *store;

  if (s) {
    if (s->comm != MPI_COMM_NULL) MPI_Comm_free(&s->comm);
    sal_performance_free(&s->own);
    sal_free(s->asked);
    sal_free(s->reply);
  }
  sal_free(s);
  *store = NULL;
}

/* ---- Own rows ---- */

void sal_row_store_put(sal_row_store *s, int64_t first, const sal_performance_table *rows)
{
  for (int64_t i = 0; i < rows->n_cell; ++i)
    sal_performance_copy_row(rows, i, &s->own, place_of(s, first + i));
}

void sal_row_store_run(const sal_row_store *s, int64_t first, sal_performance_table *rows)
{
  for (int64_t i = 0; i < rows->n_cell; ++i)
    sal_performance_copy_row(&s->own, place_of(s, first + i), rows, i);
}

static void pack_row(const sal_row_store *s, int64_t cell, double row[])
{
  const sal_performance_table *t = &s->own;
  const int64_t at = place_of(s, cell), n = s->n_contender;
  const size_t size = (size_t)n * sizeof *row;

  memcpy(row, &t->work[at * n], size);
  memcpy(row + n, &t->error[at * n], size);
  memcpy(row + 2 * n, &t->least_error[at * n], size);
  row[3 * n] = t->reference_error[at];
}

static void unpack_row(const sal_row_store *s, const double row[], sal_performance_table *rows,
                       int64_t at)
{
  const int64_t n = s->n_contender;
  const size_t size = (size_t)n * sizeof *row;

  memcpy(&rows->work[at * n], row, size);
  memcpy(&rows->error[at * n], row + n, size);
  memcpy(&rows->least_error[at * n], row + 2 * n, size);
  rows->reference_error[at] = row[3 * n];
}

/* ---- Replies ---- */

/* The one who asks has made room for the reply before, so that it can be sent at once. */
static sal_err reply_to(sal_row_store *s, int rank, int n)
{
  assert(n <= PIECE);
  SAL_TRY_MPI(MPI_Recv(s->asked, n, MPI_INT64_T, rank, REQUEST, s->comm, MPI_STATUS_IGNORE));
  for (int i = 0; i < n; ++i) pack_row(s, s->asked[i], &s->reply[(int64_t)i * width_of(s)]);
  SAL_TRY_MPI(MPI_Send(s->reply, n * width_of(s), MPI_DOUBLE, rank, REPLY, s->comm));
  return SAL_OK;
}

/* Answers a request, or waits a little for one. */
static sal_err serve(sal_row_store *s)
{
  MPI_Status status;
  int there, n;

  SAL_TRY_MPI(MPI_Iprobe(MPI_ANY_SOURCE, REQUEST, s->comm, &there, &status));
  if (!there) {
    if (++s->idle > PATIENCE) nanosleep(&nap, NULL);
    return SAL_OK;
  }
  s->idle = 0;
  SAL_TRY_MPI(MPI_Get_count(&status, MPI_INT64_T, &n));
  return reply_to(s, status.MPI_SOURCE, n);
}

static sal_err serve_until(sal_row_store *s, int n, MPI_Request messages[])
{
  int all = 0;

  s->idle = 0;
  for (;;) {
    SAL_TRY_MPI(MPI_Testall(n, messages, &all, MPI_STATUSES_IGNORE));
    if (all) return SAL_OK;
    SAL_TRY(serve(s));
  }
}

sal_err sal_row_store_meet(sal_row_store *s)
{
  MPI_Request everybody;

  SAL_TRY_MPI(MPI_Ibarrier(s->comm, &everybody));
  return serve_until(s, 1, &everybody);
}

/* ---- Requests ---- */

static int compare_wanted(const void *left, const void *right)
{
  const wanted *a = left, *b = right;
  const int by_owner = (a->owner > b->owner) - (a->owner < b->owner);

  return by_owner ? by_owner : (a->cell > b->cell) - (a->cell < b->cell);
}

static void end_request(request *r)
{
  sal_free(r->wanted);
  sal_free(r->cell);
  sal_free(r->row);
  sal_free(r->messages);
}

static sal_err begin_request(const sal_row_store *s, int64_t n, const int64_t cell[], request *r)
{
  const size_t size = (size_t)n;

  r->n = n;
  r->wanted = sal_alloc(size, sizeof *r->wanted);
  r->cell = sal_alloc(size, sizeof *r->cell);
  r->row = sal_alloc(size, (size_t)width_of(s) * sizeof *r->row);
  r->messages = sal_alloc(2 * size, sizeof(MPI_Request));
  if (!r->wanted || !r->cell || !r->row || !r->messages)
    return sal_fail(SAL_ERR_MEMORY, "no memory for rows of a map");
  for (int64_t i = 0; i < n; ++i) r->wanted[i] = (wanted){owner_of(s, cell[i]), cell[i], i};
  qsort(r->wanted, size, sizeof *r->wanted, compare_wanted);
  for (int64_t i = 0; i < n; ++i) r->cell[i] = r->wanted[i].cell;
  return SAL_OK;
}

/* wanted[first .. last - 1] are of one owner, a piece at most. */
static sal_err ask(const sal_row_store *s, request *r, int64_t first, int64_t last)
{
  const int n = (int)(last - first), owner = r->wanted[first].owner;
  MPI_Request *message = &r->messages[r->n_message];

  SAL_TRY_MPI(MPI_Irecv(&r->row[first * width_of(s)], n * width_of(s), MPI_DOUBLE, owner, REPLY,
                        s->comm, &message[0]));
  ++r->n_message;
  SAL_TRY_MPI(MPI_Isend(&r->cell[first], n, MPI_INT64_T, owner, REQUEST, s->comm, &message[1]));
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
  for (int64_t i = 0; i < n; ++i)
    if (r.wanted[i].owner == s->rank)
      sal_performance_copy_row(&s->own, place_of(s, r.cell[i]), rows, r.wanted[i].at);
    else
      unpack_row(s, &r.row[i * width_of(s)], rows, r.wanted[i].at);
  return SAL_OK;
}

sal_performance_source sal_row_store_source(sal_row_store *s)
{
  return (sal_performance_source){.sweep = s->own.sweep,
                                  .by = s->own.by,
                                  .weights = s->own.weights,
                                  .n_cell = s->own.sweep->n_cell,
                                  .n_contender = s->n_contender,
                                  .read = read_rows,
                                  .with = s};
}
