/** @file src/io/journal/journal_deal.c
 *  Who sends which record to whom, and when.
 *
 *  All ranks have the list of records, so that a rank knows by itself how many come to it in a round, and the ranks that
 *  have them where they go: no rank asks.  Some are under way at a time, and what comes is taken before more is sent.
 */
#include "journal_deal.h"
#include "array.h"
#include "collective_error.h"
#include "journal.h"
#include "journal_private.h"
#include "memory.h"
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RECORD = 1, FAILURE };                     /* kinds of messages */
enum { MOST_SENDS = 8, PATIENCE = 64 };           /* under way; looks for a message before a nap */
static const int64_t stretch = (int64_t)64 << 20; /* of a file, which one rank reads [B] */
static const struct timespec nap = {.tv_nsec = 20000};

/* A record that this rank has, and a rank that needs it. */
typedef struct {
  int64_t round, entry, held; /* held: place in the journal's list, -1: it must be read */
  int to;
} parcel;

/* Instead of a record that cannot be read: why. */
typedef struct {
  sal_err code;
  char text[1024];
} failure;

typedef struct {
  MPI_Request request;
  char *copy; /* what is sent, where nothing else keeps it */
} sending;

struct sal_journal_deal {
  const sal_journal *journal;
  sal_journal_need need;
  MPI_Comm comm; /* of its own: no other message is taken for one of these */
  int rank, n_rank;
  sal_journal_reader reader;
  parcel *parcel; /* [n] by round */
  int64_t n, room, next;
  char *incoming;
  int64_t n_incoming;
  sending sends[MOST_SENDS];
};

/* What a round is done with. */
typedef struct {
  sal_journal_deal *deal;
  sal_err (*take)(void *with, sal_tile_result *result);
  void *with;
  int64_t round, awaited;
  sal_err err; /* the first failure */
} work;

static sal_err fail_memory(void)
{
  return sal_fail(SAL_ERR_MEMORY, "no memory for records of journals");
}

/* ---- who has what ---- */

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
    parcel *list = sal_array_grow(d->parcel, d->n, 1, &d->room, sizeof *list);
    if (!list) return fail_memory();
    d->parcel = list;
    list[d->n++] = (parcel){round_of(d, e, to), entry, held, (int)to};
  }
  return SAL_OK;
}

/* Those that this rank has written; of cells that are there twice one record alone counts. */
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

/* Those that this rank is to read, of runs before. */
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
  const parcel *a = left, *b = right;

  if (a->round != b->round) return a->round < b->round ? -1 : 1;
  if (a->entry != b->entry) return a->entry < b->entry ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

static sal_err list_parcels(sal_journal_deal *d)
{
  SAL_TRY(add_own(d));
  SAL_TRY(add_found(d));
  if (d->n) qsort(d->parcel, (size_t)d->n, sizeof *d->parcel, by_round);
  return SAL_OK;
}

sal_err sal_journal_deal_open(const sal_journal *j, sal_journal_need need, sal_journal_deal **deal)
{
  sal_journal_deal *d = *deal = sal_alloc(1, sizeof *d);

  SAL_TRY(sal_collective_error(j->comm, d ? SAL_OK : fail_memory()));
  assert(d);
  d->journal = d->reader.journal = j;
  d->need = need;
  for (int i = 0; i < MOST_SENDS; ++i) d->sends[i].request = MPI_REQUEST_NULL;
  d->comm = MPI_COMM_NULL;
  SAL_TRY_MPI(MPI_Comm_dup(j->comm, &d->comm));
  SAL_TRY_MPI(MPI_Comm_rank(d->comm, &d->rank));
  SAL_TRY_MPI(MPI_Comm_size(d->comm, &d->n_rank));
  return sal_collective_error(j->comm, list_parcels(d));
}

void sal_journal_deal_close(sal_journal_deal **deal)
{
  sal_journal_deal *d = *deal;

  if (!d) return;
  if (d->comm != MPI_COMM_NULL) MPI_Comm_free(&d->comm);
  sal_journal_read_end(&d->reader);
  sal_free(d->parcel);
  sal_free(d->incoming);
  sal_free(d);
  *deal = NULL;
}

/* ---- what comes ---- */

static int64_t cells_before(const sal_journal_deal *d, int64_t round)
{
  const int64_t left = d->need.fair * (d->rank + 1), n_cell = d->journal->sweep->n_cell;
  const int64_t end = left < n_cell ? left : n_cell;
  const int64_t at = d->rank * d->need.fair + round * d->need.cells;

  return at < end ? at : end;
}

static int64_t count_awaited(const sal_journal_deal *d, int64_t round)
{
  const sal_journal *j = d->journal;
  const int64_t first = cells_before(d, round), end = cells_before(d, round + 1);
  int64_t n = 0;

  for (int64_t i = sal_journal_list_at(j->n_entry, j->entry, first);
       i < j->n_entry && j->entry[i].first < end && first < end; ++i)
    n += round_of(d, &j->entry[i], d->rank) == round;
  return n;
}

static void note(work *w, sal_err err)
{
  if (w->err == SAL_OK) w->err = err;
}

static sal_err unpack(work *w, const char *bytes, int64_t n)
{
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  SAL_TRY(sal_journal_read_unpack(&w->deal->reader, bytes, n, &result));
  return w->take(w->with, &result);
}

/* After a failure what comes is taken all the same, so that no rank waits. */
static void accept(work *w, const char *bytes, int64_t n)
{
  --w->awaited;
  if (w->err == SAL_OK) note(w, unpack(w, bytes, n));
}

static sal_err receive(work *w, const MPI_Status *status)
{
  sal_journal_deal *d = w->deal;
  failure why;
  int n;

  if (status->MPI_TAG == FAILURE) {
    SAL_TRY_MPI(MPI_Recv(&why, (int)sizeof why, MPI_BYTE, status->MPI_SOURCE, FAILURE, d->comm,
                         MPI_STATUS_IGNORE));
    --w->awaited;
    if (w->err == SAL_OK) w->err = sal_fail(why.code, "%s", why.text);
    return SAL_OK;
  }
  SAL_TRY_MPI(MPI_Get_count(status, MPI_BYTE, &n));
  char *room = sal_array_grow(d->incoming, 0, n, &d->n_incoming, 1);
  if (!room) return fail_memory(); /* the run ends: who sends it is not told */
  d->incoming = room;
  SAL_TRY_MPI(MPI_Recv(room, n, MPI_BYTE, status->MPI_SOURCE, RECORD, d->comm, MPI_STATUS_IGNORE));
  accept(w, room, n);
  return SAL_OK;
}

/* ---- what goes ---- */

static sal_err start_send(work *w, const parcel *p, sending *s, int tag, const void *bytes,
                          int64_t n)
{
  assert(n <= INT_MAX);
  SAL_TRY_MPI(MPI_Isend(bytes, (int)n, MPI_BYTE, p->to, tag, w->deal->comm, &s->request));
  return SAL_OK;
}

/* Why a record does not come, in its stead. */
static sal_err send_failure(work *w, const parcel *p, sending *s, sal_err err)
{
  failure *why = sal_alloc(1, sizeof *why);

  note(w, err);
  if (!why) return fail_memory();
  why->code = err;
  snprintf(why->text, sizeof why->text, "%s", sal_err_message());
  s->copy = (char *)why;
  return start_send(w, p, s, FAILURE, why, (int64_t)sizeof *why);
}

/* The reader's bytes are there until it reads the next record. */
static sal_err send_copy(work *w, const parcel *p, sending *s, const char *bytes, int64_t n)
{
  s->copy = sal_alloc((size_t)n, 1);
  if (!s->copy) return send_failure(w, p, s, fail_memory());
  memcpy(s->copy, bytes, (size_t)n);
  return start_send(w, p, s, RECORD, s->copy, n);
}

static sal_err send_parcel(work *w, const parcel *p, sending *s)
{
  const sal_journal *j = w->deal->journal;
  const bool here = p->to == w->deal->rank;
  const sal_journal_held_record *held = p->held >= 0 ? &j->held.record[p->held] : NULL;
  const char *bytes = held ? held->bytes : NULL;
  int64_t n = held ? held->n : 0;

  if (!bytes) {
    const sal_err err = sal_journal_read_record(&w->deal->reader, &j->entry[p->entry], &bytes, &n);
    if (err != SAL_OK && here) --w->awaited;
    if (err != SAL_OK && here) note(w, err);
    if (err != SAL_OK) return here ? SAL_OK : send_failure(w, p, s, err);
  }
  if (here) {
    accept(w, bytes, n);
    return SAL_OK;
  }
  return held && held->bytes ? start_send(w, p, s, RECORD, bytes, n) : send_copy(w, p, s, bytes, n);
}

/* Ends what is through, and begins what there is room for; *busy: some are under way. */
static sal_err send_some(work *w, bool *busy)
{
  sal_journal_deal *d = w->deal;

  *busy = false;
  for (int i = 0; i < MOST_SENDS; ++i) {
    sending *s = &d->sends[i];
    int through;
    SAL_TRY_MPI(MPI_Test(&s->request, &through, MPI_STATUS_IGNORE));
    if (through) {
      sal_free(s->copy);
      s->copy = NULL;
    }
    if (through && d->next < d->n && d->parcel[d->next].round == w->round)
      SAL_TRY(send_parcel(w, &d->parcel[d->next++], s));
    *busy = *busy || s->request != MPI_REQUEST_NULL;
  }
  return SAL_OK;
}

/* Takes what has come; *some: there was something. */
static sal_err take_some(work *w, bool *some)
{
  MPI_Status status;
  int there;

  SAL_TRY_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->deal->comm, &there, &status));
  *some = there;
  return there ? receive(w, &status) : SAL_OK;
}

sal_err sal_journal_deal_round(sal_journal_deal *d, int64_t round,
                               sal_err (*take)(void *with, sal_tile_result *result), void *with)
{
  work w = {
      .deal = d, .take = take, .with = with, .round = round, .awaited = count_awaited(d, round)};
  bool busy = true, some = false;

  for (int idle = 0;
       busy || w.awaited > 0 || (d->next < d->n && d->parcel[d->next].round == round);) {
    SAL_TRY(send_some(&w, &busy));
    SAL_TRY(take_some(&w, &some));
    idle = some ? 0 : idle + 1;
    if (idle > PATIENCE) nanosleep(&nap, NULL);
  }
  return w.err;
}
