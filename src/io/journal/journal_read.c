/** @file src/io/journal/journal_read.c
 *  Records back from journals, and the sweep they are of.
 */
#include "contender.h"
#include "journal.h"
#include "journal_format.h"
#include "journal_private.h"
#include "memory.h"
#include "sweep_read.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_OPEN = 128, PIECES = 5 };

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

sal_err sal_journal_read(sal_journal_reader *r, const sal_journal_entry *entry,
                         sal_tile_result *result)
{
  const sal_journal *j = r->journal;
  const size_t n = (size_t)entry->count, each = (size_t)sal_contender_count(j->sweep);
  sal_journal_record_head head;
  uint64_t sum;
  int fd = -1;

  *result = (sal_tile_result){.first = entry->first, .count = entry->count};
  SAL_TRY(open_journal(r, entry->file, &fd));
  result->cell = sal_alloc(n, sizeof *result->cell);
  result->record = sal_alloc(n * each, sizeof *result->record);
  if (!result->cell || !result->record)
    return sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
  struct iovec piece[PIECES] = {{&head, sizeof head},
                                {r->in->range, sal_journal_record_range_bytes(j->ranges.n)},
                                {result->cell, n * sizeof *result->cell},
                                {result->record, n * each * sizeof *result->record},
                                {&sum, sizeof sum}};
  if (!read_pieces(fd, entry->offset, PIECES, piece) ||
      !is_head_of(j, entry, &head, r->in->range) ||
      sum != sal_journal_record_sum(&head, result->cell, result->record))
    return refuse_record(r, entry);
  return SAL_OK;
}

sal_err sal_journal_read_range(sal_journal_reader *r, const sal_journal_entry *entry,
                               const double **range)
{
  const sal_journal *j = r->journal;
  sal_journal_record_head head;
  int fd = -1;

  SAL_TRY(open_journal(r, entry->file, &fd));
  struct iovec piece[] = {{&head, sizeof head},
                          {r->in->range, sal_journal_record_range_bytes(j->ranges.n)}};
  *range = r->in->range;
  return read_pieces(fd, entry->offset, 2, piece) && is_head_of(j, entry, &head, r->in->range)
             ? SAL_OK
             : refuse_record(r, entry);
}

void sal_journal_read_end(sal_journal_reader *r)
{
  for (int i = 0; r->in && i < r->in->n; ++i)
    if (r->in->file[i].fd >= 0) close(r->in->file[i].fd);
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
