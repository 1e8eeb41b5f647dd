/** @file src/io/journal/journal_write.c
 *  A rank's own journal.
 */
#include "journal_write.h"
#include "clock.h"
#include "collective_error.h"
#include "contender.h"
#include "journal_file.h"
#include "memory.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const void *data;
  size_t      size;
} piece;

static sal_err write_pieces(const sal_journal_writer *w, int n, const piece p[])
{
  for (int i = 0; i < n; ++i)
    for (size_t done = 0; done < p[i].size;) {
      const ssize_t part = write(w->fd, (const char *)p[i].data + done, p[i].size - done);
      if (part < 0 && errno != EINTR)
        return sal_fail(SAL_ERR_IO,
                        "%s: cannot be written: %s; what is finished stays in the journals, and "
                        "the same command goes on from there",
                        w->path, strerror(errno));
      if (part > 0) done += (size_t)part;
    }
  return SAL_OK;
}

static sal_err write_head(sal_journal_writer *w, int64_t goal)
{
  const sal_journal *j                        = w->journal;
  const sal_sweep   *s                        = j->sweep;
  const char *const  text[SAL_N_JOURNAL_TEXT] = {[SAL_JOURNAL_IDENTITY] = j->identity,
                                                 [SAL_JOURNAL_PATH]     = s->path,
                                                 [SAL_JOURNAL_SWEEP]    = s->text};
  sal_journal_head   head;

  memset(&head, 0, sizeof head); /* padding is part of the checksum */
  memcpy(head.magic, SAL_JOURNAL_MAGIC, sizeof head.magic);
  head.version       = SAL_JOURNAL_VERSION;
  head.n_cell_metric = SAL_N_CELL_METRIC;
  head.n_metric      = SAL_N_METRIC;
  head.n_contender   = (uint32_t)sal_contender_count(s);
  head.n_cell        = s->n_cell;
  head.fingerprint   = j->fingerprint;
  head.started       = j->started;
  head.goal          = goal;
  for (int i = 0; i < SAL_N_JOURNAL_TEXT; ++i) head.text_bytes[i] = (int64_t)strlen(text[i]);
  const uint64_t sum   = sal_journal_head_sum(&head, text);
  const piece    all[] = {{&head, sizeof head},
                          {text[0], (size_t)head.text_bytes[0]},
                          {text[1], (size_t)head.text_bytes[1]},
                          {text[2], (size_t)head.text_bytes[2]},
                          {&sum, sizeof sum}};
  SAL_TRY(write_pieces(w, sizeof all / sizeof all[0], all));
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) w->end += (int64_t)all[i].size;
  return SAL_OK;
}

static sal_err begin_file(sal_journal_writer *w, int64_t goal)
{
  SAL_TRY(sal_journal_file_name(w->journal->folder[0], w->number, w->path));
  w->fd = open(w->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (w->fd < 0) return sal_journal_file_fail(w->path, "written");
  return write_head(w, goal);
}

sal_err sal_journal_begin(const sal_journal *j, double sync_seconds, int64_t goal,
                          sal_journal_writer *w)
{
  int rank;

  *w = (sal_journal_writer){.journal = j, .fd = -1, .pause = sync_seconds, .written = NAN};
  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  w->number = (j->n_file ? j->file[j->n_file - 1].number + 1 : 0) + rank;
  return sal_collective_error(j->comm, begin_file(w, goal));
}

static sal_err bring_to_disk(sal_journal_writer *w)
{
  w->written = NAN;
  return fdatasync(w->fd) ? sal_journal_file_fail(w->path, "written") : SAL_OK;
}

sal_err sal_journal_sync(sal_journal_writer *w)
{
  return sal_clock_wall() - w->written >= w->pause ? bring_to_disk(w) : SAL_OK;
}

/* The record is on the disk in any case; without its entry the next run finds it. */
static sal_err note_record(sal_journal_writer *w, const sal_record_head *head)
{
  const sal_journal_entry entry = {head->first, head->count, w->number, w->end};

  w->end += sal_journal_record_size(head);
  return sal_journal_list_add(&w->list, &entry);
}

sal_err sal_journal_append(sal_journal_writer *w, const sal_tile_result *result)
{
  const int             n    = sal_contender_count(w->journal->sweep);
  const sal_record_head head = sal_journal_record_head_of(result->first, result->count, n);
  const uint64_t        sum =
      sal_journal_record_sum(w->journal->fingerprint, &head, result->cell, result->record);
  const size_t  cells = (size_t)result->count * sizeof *result->cell;
  const piece   all[] = {{&head, sizeof head},
                         {result->cell, cells},
                         {result->record, (size_t)head.bytes - cells},
                         {&sum, sizeof sum}};
  const sal_err err   = write_pieces(w, sizeof all / sizeof all[0], all);

  if (err != SAL_OK) { /* take back what there is of the record; a reader would pass over it, too */
    if (ftruncate(w->fd, (off_t)w->end) == 0) lseek(w->fd, (off_t)w->end, SEEK_SET);
    return err;
  }
  if (isnan(w->written)) w->written = sal_clock_wall();
  SAL_TRY(note_record(w, &head));
  return sal_journal_sync(w);
}

/* Is the file that was written to still the one of that name, and whole? */
static sal_err check_written(const sal_journal_writer *w)
{
  struct stat named, held;

  if (fstat(w->fd, &held)) return sal_journal_file_fail(w->path, "read");
  if (stat(w->path, &named)) return sal_journal_file_fail(w->path, "read");
  if (named.st_ino == held.st_ino && named.st_size == (off_t)w->end) return SAL_OK;
  return sal_fail(SAL_ERR_IO,
                  "%s: has been cut or replaced while the run was at work; run once more", w->path);
}

sal_err sal_journal_end(sal_journal_writer *w)
{
  sal_err err = SAL_OK;

  if (w->fd < 0) return SAL_OK;
  if (!isnan(w->written)) err = bring_to_disk(w);
  if (err == SAL_OK && w->list.n > 0) err = check_written(w);
  if (close(w->fd) && err == SAL_OK) err = sal_journal_file_fail(w->path, "written");
  if (w->list.n == 0) unlink(w->path);
  w->fd = -1;
  return err;
}

void sal_journal_writer_free(sal_journal_writer *w)
{
  sal_free(w->list.entry);
  w->list = (sal_journal_list){0};
}
