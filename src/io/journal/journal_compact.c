/** @file src/io/journal/journal_compact.c
 *  Neighbouring journals become one.
 */
#include "atomic_file.h"
#include "collective_error.h"
#include "journal.h"
#include "journal_format.h"
#include "journal_private.h"
#include "memory.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 1 << 10, LARGE = 1 << 28 }; /* files and bytes that become one journal */

/* Sources low .. high - 1 of the list of files. */
typedef struct {
  int64_t low, high;
} group;

/* The new journal of a group. */
typedef struct {
  const sal_journal *journal;
  group of;
  sal_journal_name name;
  char part[PATH_MAX], path[PATH_MAX];
  int fd;
  int64_t end;
  sal_journal_kin kin;
  sal_journal_list list; /* its records */
} merger;

static int by_place(const void *a, const void *b)
{
  const sal_journal_entry *x = a, *y = b;

  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

/* The records of the group, in the order in which they lie in the files. */
static sal_err records_of(const merger *m, sal_journal_entry **entry, int64_t *n)
{
  const sal_journal *j = m->journal;

  *n = 0;
  for (int64_t i = 0; i < j->n_entry; ++i)
    *n += j->entry[i].file >= m->of.low && j->entry[i].file < m->of.high;
  *entry = sal_alloc((size_t)*n, sizeof **entry);
  if (!*entry) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of journal records");
  int64_t at = 0;
  for (int64_t i = 0; i < j->n_entry; ++i)
    if (j->entry[i].file >= m->of.low && j->entry[i].file < m->of.high)
      (*entry)[at++] = j->entry[i];
  if (*n) qsort(*entry, (size_t)*n, sizeof **entry, by_place);
  return SAL_OK;
}

/* One that is damaged under a sound index is left out, and run again. */
static sal_err copy_record(merger *m, sal_journal_file *file, const sal_journal_entry *e)
{
  sal_journal_record_head head;
  bool whole;
  const int64_t at = m->end;

  SAL_TRY(sal_journal_file_record(file, e->offset, &m->kin, &head, &whole));
  if (!whole || head.first != e->first || head.count != e->count) return SAL_OK;
  const sal_journal_piece all[] = {{&head, sizeof head},
                                   {file->range, sal_journal_record_range_bytes(head.n_range)},
                                   {file->room, (size_t)head.bytes + sizeof(uint64_t)}};
  SAL_TRY(sal_journal_bytes_write(m->fd, m->part, sizeof all / sizeof all[0], all, &m->end));
  SAL_TRY(sal_journal_list_widen(&m->list, file->range));
  return sal_journal_list_add(&m->list,
                              &(sal_journal_entry){head.first, head.count, m->name.number, at});
}

/* The head of the new journal is that of the oldest run, so that it is not taken for one at work. */
static sal_err begin_part(merger *m, const sal_journal_file *first)
{
  const sal_journal *j = m->journal;
  const double started = first->sound ? first->head.started : 0;
  const int64_t goal = first->sound ? first->head.goal : j->sweep->n_cell;

  m->fd = open(m->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (m->fd < 0) return sal_journal_name_fail(m->part, "written");
  return sal_journal_bytes_head(j, m->fd, m->part, &j->machine, started, goal, &m->end);
}

static sal_err copy_file(merger *m, int64_t i, int64_t n, const sal_journal_entry entry[])
{
  char path[PATH_MAX];
  SAL_OWN_BY(sal_journal_file_close) sal_journal_file file = {.fd = -1};

  SAL_TRY(sal_journal_list_path(m->journal, i, path));
  SAL_TRY(sal_journal_file_open(path, &file));
  if (m->fd < 0) SAL_TRY(begin_part(m, &file));
  for (int64_t e = 0; e < n; ++e) SAL_TRY(copy_record(m, &file, &entry[e]));
  return SAL_OK;
}

static sal_err copy_files(merger *m)
{
  SAL_OWN sal_journal_entry *entry = NULL;
  int64_t n, at = 0;

  SAL_TRY(records_of(m, &entry, &n));
  for (int64_t i = m->of.low; i < m->of.high; ++i) {
    const int64_t begin = at;
    while (at < n && entry[at].file == i) ++at;
    SAL_TRY(copy_file(m, i, at - begin, entry + begin));
  }
  return SAL_OK;
}

/* From the rename on the new journal counts, and no source does. */
static sal_err publish_part(merger *m)
{
  sal_journal_index_write(m->fd, m->end, m->journal->fingerprint, &m->list);
  if (fdatasync(m->fd)) return sal_journal_name_fail(m->part, "written");
  if (rename(m->part, m->path)) return sal_journal_name_fail(m->path, "written");
  return sal_atomic_file_sync_name(m->path);
}

static sal_err merge_files(merger *m)
{
  const char *folder = m->journal->folder[0];

  SAL_TRY(sal_journal_name_path(folder, &m->name, m->path));
  m->name.kind = SAL_JOURNAL_UNFINISHED;
  SAL_TRY(sal_journal_name_path(folder, &m->name, m->part));
  SAL_TRY(copy_files(m));
  return publish_part(m);
}

static void remove_names(const sal_journal *j, int64_t low, int64_t high, int64_t step)
{
  char path[PATH_MAX];

  for (int64_t i = low; i < high; i += step)
    if (sal_journal_list_path(j, i, path) == SAL_OK && sal_journal_file_is_ours(path))
      unlink(path); /* what stays is covered */
  for (int64_t i = low; i < high; i += step)
    sal_journal_name_drop_hundred(j->folder[0], &j->file[i]);
}

static void compact_group(const sal_journal *j, group g)
{
  merger m = {.journal = j,
              .of = g,
              .name = {.number = j->file[g.low].number, .last = j->file[g.high - 1].last},
              .fd = -1,
              .kin = sal_journal_identity_kin(j),
              .list = {.n_range = j->ranges.n}};

  if (merge_files(&m) == SAL_OK) {
    remove_names(j, g.low, g.high, 1);
  } else { /* the run goes on with what there was */
    sal_err_clear();
    if (m.fd >= 0) unlink(m.part);
  }
  if (m.fd >= 0) close(m.fd);
  sal_journal_list_free(&m.list);
}

/* Bytes that the records of each file take in memory: the same on all ranks, as is not what a file system says. */
static int64_t *sizes_of(const sal_journal *j)
{
  const sal_journal_kin kin = sal_journal_identity_kin(j);
  int64_t *size = sal_alloc((size_t)j->n_file, sizeof *size);
  const int64_t each =
      (int64_t)sizeof(sal_cell_record) + kin.n_contender * (int64_t)sizeof(sal_record);

  for (int64_t i = 0; size && i < j->n_entry; ++i)
    size[j->entry[i].file] += j->entry[i].count * each;
  return size;
}

/* The next group from file `low` on; one of a single file is none. */
static group next_group(const sal_journal *j, const int64_t size[], int64_t low)
{
  int64_t sum = 0, i = low;

  while (i < j->n_file && i < low + MOST_FILES && sum < LARGE && size[i] < SAL_JOURNAL_SMALL &&
         j->file[i].kind == SAL_JOURNAL_WHOLE)
    sum += size[i++];
  return (group){low, i > low ? i : low + 1};
}

static sal_err compact_share(const sal_journal *j)
{
  SAL_OWN int64_t *size = sizes_of(j);
  int rank, n_rank;

  if (!size) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of journals");
  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  SAL_TRY_MPI(MPI_Comm_size(j->comm, &n_rank));
  int64_t turn = 0;
  for (int64_t low = 0; low < j->n_file;) {
    const group g = next_group(j, size, low);
    if (g.high - g.low > 1 && turn++ % n_rank == rank) compact_group(j, g);
    low = g.high;
  }
  return SAL_OK;
}

sal_err sal_journal_compact(sal_journal *j)
{
  const int64_t damaged = j->damaged;
  int rank, n_rank;

  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  SAL_TRY_MPI(MPI_Comm_size(j->comm, &n_rank));
  remove_names(j, j->n_file + rank, j->n_all, n_rank);
  if (!sal_journal_list_is_long(j))
    return j->n_all > j->n_file ? sal_journal_list_files(j) : SAL_OK;
  SAL_TRY(sal_collective_error(j->comm, compact_share(j)));
  SAL_TRY(sal_journal_scan(j));
  if (j->damaged < damaged) j->damaged = damaged; /* for the message to the user */
  return SAL_OK;
}
