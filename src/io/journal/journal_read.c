/** @file src/io/journal/journal_read.c
 *  Records back from journals, and the sweep they are of.
 */
#include "array.h"
#include "contender.h"
#include "journal.h"
#include "journal_format.h"
#include "journal_pack.h"
#include "journal_private.h"
#include "memory.h"
#include "sweep_read.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_OPEN = 128 };

/* An open file; the heads of all were checked when they were scanned. */
typedef struct {
  int64_t number; /* in the list of files */
  int fd;
  int64_t used; /* when */
} open_file;

struct sal_journal_in {
  open_file file[MOST_OPEN];
  int n;
  int64_t now;
  double range[2 * SAL_JOURNAL_MOST_RANGES];
  char *packed; /* the bytes of a record, and the checksum after */
  int64_t n_packed;
  sal_journal_pack pack;
};

static sal_err make_room(sal_journal_reader *r)
{
  if (r->in) return SAL_OK;
  r->in = sal_alloc(1, sizeof *r->in);
  return r->in ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory to read journals");
}

/* A place for one more file: that of the file that was not used for longest, when there is no other.
 */
static open_file *free_place(struct sal_journal_in *in)
{
  open_file *oldest = &in->file[0];

  if (in->n < MOST_OPEN) {
    in->file[in->n].fd = -1;
    return &in->file[in->n++];
  }
  for (int i = 1; i < in->n; ++i)
    if (in->file[i].used < oldest->used) oldest = &in->file[i];
  close(oldest->fd);
  oldest->fd = -1;
  return oldest;
}

static sal_err open_journal(sal_journal_reader *r, int64_t number, int *fd)
{
  char path[PATH_MAX];

  SAL_TRY(make_room(r));
  struct sal_journal_in *in = r->in;
  open_file *file = NULL;
  for (int i = 0; i < in->n && !file; ++i)
    if (in->file[i].fd >= 0 && in->file[i].number == number) file = &in->file[i];
  if (!file) {
    SAL_TRY(sal_journal_list_path(r->journal, number, path));
    file = free_place(in);
    file->number = number;
    file->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (file->fd < 0) return sal_journal_name_fail(path, "read");
  }
  file->used = ++in->now;
  *fd = file->fd;
  return SAL_OK;
}

/* Fills the pieces with what is in the file from `at` on; false at its end or when it cannot be
 * read. */
static bool read_pieces(int fd, int64_t at, int n, struct iovec piece[])
{
  for (int i = 0; i < n;) {
    const ssize_t got = preadv(fd, piece + i, n - i, (off_t)at);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    size_t left = got < 0 ? 0 : (size_t)got;
    at += (int64_t)left;
    for (; i < n && left >= piece[i].iov_len; ++i) left -= piece[i].iov_len;
    if (i < n && left > 0) {
      piece[i].iov_base = (char *)piece[i].iov_base + left;
      piece[i].iov_len -= left;
    }
  }
  return true;
}

static sal_err refuse_record(const sal_journal_reader *r, const sal_journal_entry *entry)
{
  char path[PATH_MAX];

  SAL_TRY(sal_journal_list_path(r->journal, entry->file, path));
  const int64_t last = entry->first + entry->count;
  const bool reads_only = r->journal->use == SAL_JOURNAL_READ;
  if (!reads_only) sal_journal_index_drop(path);
  return sal_fail(
      SAL_ERR_IO,
      "%s: a record has changed since it was found, that of cell%s %lld to %lld; run %sonce more",
      path, sal_text_plural(entry->count), (long long)entry->first + 1, (long long)last,
      reads_only ? "its part " : "");
}

/* Is it the head of the entry, with the ranges after it? */
static bool is_head_of(const sal_journal *j, const sal_journal_entry *entry,
                       const sal_journal_record_head *head, const double range[])
{
  return sal_journal_record_fits(head, j->sweep->n_cell, sal_contender_count(j->sweep)) &&
         head->first == entry->first && head->count == entry->count &&
         head->n_range == j->ranges.n && sal_journal_record_head_sound(head, j->fingerprint, range);
}

/* Reads the head of the entry, and its ranges into r->in->range. */
static sal_err read_head(sal_journal_reader *r, const sal_journal_entry *entry, int *fd,
                         sal_journal_record_head *head)
{
  SAL_TRY(open_journal(r, entry->file, fd));
  struct iovec piece[] = {{head, sizeof *head},
                          {r->in->range, sal_journal_record_range_bytes(r->journal->ranges.n)}};
  return read_pieces(*fd, entry->offset, 2, piece) &&
                 is_head_of(r->journal, entry, head, r->in->range)
             ? SAL_OK
             : refuse_record(r, entry);
}

/* Reads the packed bytes of a record and the checksum after them; *whole: they are what was written. */
static sal_err read_packed(sal_journal_reader *r, const sal_journal_entry *entry, int fd,
                           const sal_journal_record_head *head, bool *whole)
{
  struct sal_journal_in *in = r->in;
  uint64_t sum;
  const size_t n = (size_t)head->bytes;
  const int64_t after = (int64_t)(sizeof *head + sal_journal_record_range_bytes(head->n_range));
  char *packed =
      sal_array_grow(in->packed, 0, (int64_t)(n + sizeof sum), &in->n_packed, sizeof *packed);

  if (!packed) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
  in->packed = packed;
  struct iovec piece = {packed, n + sizeof sum};
  *whole = read_pieces(fd, entry->offset + after, 1, &piece);
  memcpy(&sum, packed + n, sizeof sum);
  *whole = *whole && sum == sal_journal_record_sum(head, packed);
  return SAL_OK;
}

sal_err sal_journal_read(sal_journal_reader *r, const sal_journal_entry *entry,
                         sal_tile_result *result)
{
  const int64_t each = sal_contender_count(r->journal->sweep);
  const size_t n = (size_t)entry->count;
  sal_journal_record_head head;
  bool sound = false;
  int fd = -1;

  *result = (sal_tile_result){.first = entry->first, .count = entry->count};
  SAL_TRY(read_head(r, entry, &fd, &head));
  SAL_TRY(read_packed(r, entry, fd, &head, &sound));
  if (!sound) return refuse_record(r, entry);
  result->cell = sal_alloc(n, sizeof *result->cell);
  result->record = sal_alloc(n * (size_t)each, sizeof *result->record);
  if (!result->cell || !result->record)
    return sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
  SAL_TRY(sal_journal_pack_back(&r->in->pack, r->in->packed, head.bytes, each, result, &sound));
  return sound ? SAL_OK : refuse_record(r, entry);
}

sal_err sal_journal_read_range(sal_journal_reader *r, const sal_journal_entry *entry,
                               const double **range)
{
  sal_journal_record_head head;
  int fd = -1;

  SAL_TRY(read_head(r, entry, &fd, &head));
  *range = r->in->range;
  return SAL_OK;
}

void sal_journal_read_end(sal_journal_reader *r)
{
  for (int i = 0; r->in && i < r->in->n; ++i)
    if (r->in->file[i].fd >= 0) close(r->in->file[i].fd);
  if (r->in) {
    sal_free(r->in->packed);
    sal_journal_pack_free(&r->in->pack);
  }
  sal_free(r->in);
  r->in = NULL;
}

/* The sweep in the head of a file, if that is sound. */
static sal_err sweep_in(const char *path, sal_sweep *sweep, bool *found, bool *damaged)
{
  SAL_OWN_BY(sal_journal_file_close) sal_journal_file file = {.fd = -1};

  SAL_TRY(sal_journal_file_open(path, &file));
  *found = file.sound && file.head.version == SAL_JOURNAL_VERSION;
  *damaged = *damaged || (!file.sound && !file.torn);
  if (!*found) return SAL_OK;
  return sal_sweep_parse_results(file.text[SAL_JOURNAL_PATH], file.text[SAL_JOURNAL_SWEEP], sweep);
}

sal_err sal_journal_read_sweep(const char *folder, sal_sweep *sweep)
{
  SAL_OWN sal_journal_name *name = NULL;
  int64_t n, n_all;
  bool found = false, damaged = false;

  *sweep = (sal_sweep){0};
  SAL_TRY(sal_journal_name_list(folder, 0, &name, &n, &n_all));
  for (int64_t i = 0; i < n && !found; ++i) {
    char path[PATH_MAX];
    SAL_TRY(sal_journal_name_path(folder, &name[i], path));
    SAL_TRY(sweep_in(path, sweep, &found, &damaged));
  }
  if (found) return SAL_OK;
  if (damaged)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: no journal in it has a sound head; run its part once more, which sets "
                    "damaged ones aside",
                    folder);
  return sal_fail(SAL_ERR_INPUT, "%s: there is no journal of this program in it", folder);
}
