/** The rank that sends each record, where to, and when.
 *
 *  All ranks have the list of records, so that the ranks that have them send them without a request.
 */
#include "journal_deal.h"
#include "array.h"
#include "base.h"
#include "collective_error.h"
#include "exchange.h"
#include "journal.h"
#include "parallel.h"

static const int64_t stretch = (int64_t)64 << 20; /* of a file, which one rank reads [B] */

/* A record that this rank has, and a rank that needs it. */
typedef struct {
  int64_t round, entry, held; /* held: place in the journal's list, -1: it must be read */
  int to;
} message;

struct sal_journal_deal {
  const sal_journal *journal;
  sal_journal_need need;
  MPI_Comm comm; /* of its own: no other message is taken for one of these */
  int rank, n_rank;
  sal_journal_reader *reader; /* [n_thread] */
  int n_thread;
  message *message; /* [n] by round */
  int64_t n, room, next;
};

/* A record that has come. */
typedef struct {
  char *bytes;
  int64_t n;
} parcel;

/* State of a round. */
typedef struct {
  sal_journal_deal *deal;
  const sal_tile_result *piece;
  sal_err (*take)(void *with, sal_tile_result *result);
  void *with;
  int64_t round;
  parcel *parcel; /* [n] */
  int64_t n, room;
} work;

static sal_err fail_memory(void)
{
  return sal_fail(SAL_ERR_MEMORY, "no memory for records of journals");
}

/* The round in which a rank first needs a record, one of whose cells is its own. */
static int64_t round_of(const sal_journal_deal *d, const sal_journal_entry *e, int64_t rank)
{
  const int64_t own = rank * d->need.fair;

  return e->first > own ? (e->first - own) / d->need.cells : 0;
}

static sal_err add_parcels(sal_journal_deal *d, int64_t entry, int64_t held)
{
  const sal_journal_entry *e = &d->journal->entry[entry];
  const int64_t last = (e->first + e->count - 1) / d->need.fair;

  for (int64_t to = e->first / d->need.fair; to <= last; ++to) {
    message *list = sal_array_grow(d->message, d->n, 1, &d->room, sizeof *list);
    if (!list) return fail_memory();
    d->message = list;
    list[d->n++] = (message){round_of(d, e, to), entry, held, (int)to};
  }
  return SAL_OK;
}

/* Adds records that this rank has written; of cells that are there twice one record alone counts. */
static sal_err add_own(sal_journal_deal *d)
{
  const sal_journal *j = d->journal;

  for (int64_t h = 0; h < j->held.n; ++h) {
    const sal_journal_held_record *own = &j->held.record[h];
    const int64_t i = sal_journal_list_at(j->n_entry, j->entry, own->first);
    if (i == j->n_entry || j->entry[i].first != own->first || j->entry[i].offset != own->offset ||
        j->file[j->entry[i].file].number != own->number || !j->entry[i].fresh)
      continue;
    SAL_TRY(add_parcels(d, i, h));
  }
  return SAL_OK;
}

/* Before which stretch of all files those of each begin: [n_file + 1]. */
static void count_stretches(const sal_journal *j, int64_t before[])
{
  for (int64_t i = 0; i < j->n_entry; ++i) {
    const sal_journal_entry *e = &j->entry[i];
    const int64_t n = e->offset / stretch + 1;
    if (!e->fresh && n > before[e->file + 1]) before[e->file + 1] = n;
  }
  for (int64_t f = 0; f < j->n_file; ++f) before[f + 1] += before[f];
}

/* Adds records of earlier runs that this rank is to read. */
static sal_err add_found(sal_journal_deal *d)
{
  const sal_journal *j = d->journal;
  SAL_OWN int64_t *before = sal_alloc((size_t)j->n_file + 1, sizeof *before);

  if (!before) return fail_memory();
  count_stretches(j, before);
  const int64_t all = before[j->n_file];
  for (int64_t i = 0; i < j->n_entry; ++i) {
    const sal_journal_entry *e = &j->entry[i];
    if (e->fresh) continue;
    const int64_t place = before[e->file] + e->offset / stretch;
    if (place * d->n_rank / all == d->rank) SAL_TRY(add_parcels(d, i, -1));
  }
  return SAL_OK;
}

static int by_round(const void *left, const void *right)
{
  const message *a = left, *b = right;

  if (a->round != b->round) return a->round < b->round ? -1 : 1;
  if (a->entry != b->entry) return a->entry < b->entry ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

static sal_err list_parcels(sal_journal_deal *d)
{
  SAL_TRY(add_own(d));
  SAL_TRY(add_found(d));
  if (d->n) qsort(d->message, (size_t)d->n, sizeof *d->message, by_round);
  return SAL_OK;
}

sal_err sal_journal_deal_open(const sal_journal *j, sal_journal_need need, sal_journal_deal **deal)
{
  sal_journal_deal *d = *deal = sal_alloc(1, sizeof *d);

  SAL_TRY(sal_collective_error(j->comm, d ? SAL_OK : fail_memory()));
  assert(d);
  d->journal = j;
  d->need = need;
  d->comm = MPI_COMM_NULL;
  d->n_thread = sal_parallel_threads();
  d->reader = sal_alloc((size_t)d->n_thread, sizeof *d->reader);
  SAL_TRY_MPI(MPI_Comm_dup(j->comm, &d->comm));
  d->rank = sal_collective_rank(d->comm);
  d->n_rank = sal_collective_ranks(d->comm);
  for (int i = 0; d->reader && i < d->n_thread; ++i) d->reader[i].journal = j;
  return sal_collective_error(j->comm, d->reader ? list_parcels(d) : fail_memory());
}

void sal_journal_deal_close(sal_journal_deal **deal)
{
  sal_journal_deal *d = *deal;

  if (!d) return;
  if (d->comm != MPI_COMM_NULL) MPI_Comm_free(&d->comm);
  for (int i = 0; d->reader && i < d->n_thread; ++i) sal_journal_read_end(&d->reader[i]);
  for (int64_t h = 0; h < d->journal->held.n; ++h) {
    sal_free(d->journal->held.record[h].bytes);
    d->journal->held.record[h].bytes = NULL;
  }
  sal_free_all(d->reader, d->message, d);
  *deal = NULL;
}

/* The reader's bytes are there until it reads the next record, so that they are copied. */
static sal_err next_record(void *with, sal_exchange_message *m)
{
  const work *w = with;
  sal_journal_deal *d = w->deal;

  if (d->next == d->n || d->message[d->next].round != w->round) return SAL_OK;
  const message *p = &d->message[d->next++];
  const sal_journal_held_record *held = p->held >= 0 ? &d->journal->held.record[p->held] : NULL;
  m->to = p->to;
  m->bytes = held ? held->bytes : NULL;
  m->n = held ? held->n : 0;
  if (m->bytes) return SAL_OK;
  const char *bytes = NULL;
  SAL_TRY(sal_journal_read_record(d->reader, &d->journal->entry[p->entry], &bytes, &m->n));
  m->bytes = m->owned = sal_alloc((size_t)m->n, 1);
  if (!m->owned) return fail_memory();
  memcpy(m->owned, bytes, (size_t)m->n);
  return SAL_OK;
}

/* The bytes are borrowed, so that they are copied. */
static sal_err take_record(void *with, const char *bytes, int64_t n)
{
  work *w = with;
  parcel *list = sal_array_grow(w->parcel, w->n, 1, &w->room, sizeof *list);
  char *copy = list ? sal_alloc((size_t)n, 1) : NULL;

  if (list) w->parcel = list;
  if (!copy) return fail_memory();
  memcpy(copy, bytes, (size_t)n);
  list[w->n++] = (parcel){copy, n};
  return SAL_OK;
}

static sal_err unpack(void *with, int64_t i, int thread)
{
  const work *w = with;
  sal_journal_reader *reader = &w->deal->reader[thread];
  sal_tile_result result = {0};

  sal_err err =
      sal_journal_read_unpack(reader, w->parcel[i].bytes, w->parcel[i].n, w->piece, &result);
  if (err == SAL_OK) err = w->take(w->with, &result);
  if (!sal_journal_deal_inside(w->piece, &result)) sal_tile_result_free(&result);
  return err;
}

static void end_work(work *w)
{
  for (int64_t i = 0; i < w->n; ++i) sal_free(w->parcel[i].bytes);
  sal_free(w->parcel);
}

sal_err sal_journal_deal_round(sal_journal_deal *d, int64_t round, const sal_tile_result *piece,
                               sal_err (*take)(void *with, sal_tile_result *result), void *with)
{
  SAL_OWN_BY(end_work)
  work w = {.deal = d, .piece = piece, .take = take, .with = with, .round = round};
  const sal_exchange x = {.next = next_record, .take = take_record, .with = &w};

  SAL_TRY(sal_exchange_run(d->comm, &x));
  return sal_collective_error(d->comm, sal_parallel_for(d->n_thread, w.n, unpack, &w));
}
