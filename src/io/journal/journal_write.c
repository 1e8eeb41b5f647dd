/** @file src/io/journal/journal_write.c
 *  A node's own journal.
 *
 *  A record is appended under the lock of the node, so that records lie one after the other and one
 *  that cannot be written whole is cut off again before another rank writes.  fdatasync needs no
 *  lock: it is called by the first rank that finds it due, and brings what all have written.
 */
#include "journal_write.h"
#include "atomic_file.h"
#include "clock.h"
#include "collective_error.h"
#include "contender.h"
#include "journal_format.h"
#include "journal_private.h"
#include "machine.h"
#include "memory.h"
#include "node_file.h"
#include <assert.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The leader makes the file. */
static sal_err make_file(sal_journal_writer *w, int64_t goal)
{
  const sal_journal *j = w->journal;
  int64_t end = 0;

  SAL_TRY(sal_journal_name_make_hundred(j->folder[0], &w->name));
  w->fd = open(w->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (w->fd < 0) return sal_journal_name_fail(w->path, "written");
  SAL_TRY(sal_journal_bytes_head(j, w->fd, w->path, &w->list.machine, j->started, goal, &end));
  SAL_TRY(sal_atomic_file_sync_name(w->path));
  return sal_journal_share_set(&w->share, SAL_JOURNAL_END, end);
}

/* Collective over the node. */
static sal_err open_file(sal_journal_writer *w)
{
  SAL_TRY(sal_node_file_share(w->journal->node->comm, w->path, O_WRONLY, &w->fd));
  return w->fd < 0 ? sal_journal_name_fail(w->path, "written") : SAL_OK;
}

sal_err sal_journal_begin(const sal_journal *j, double sync_seconds, int64_t goal,
                          const char *machine, sal_journal_writer *w)
{
  const int64_t next = j->n_file ? j->file[j->n_file - 1].last + 1 : 0;
  const bool leads = j->node->rank == 0;

  *w = (sal_journal_writer){
      .journal = j, .fd = -1, .pause = sync_seconds, .list.n_range = j->ranges.n};
  w->pack.path = w->path;
  w->name.number = w->name.last = next + j->node->number;
  SAL_TRY(sal_journal_share_open(j->node, &w->share));
  if (!machine) machine = j->here.string;
  sal_err err = sal_machine_join(&w->list.machine, machine, strlen(machine));
  if (err == SAL_OK) err = sal_journal_name_path(j->folder[0], &w->name, w->path);
  if (err == SAL_OK && leads && j->node->number == 0)
    err = sal_journal_design_keep(j->folder[0], j->sweep);
  if (err == SAL_OK && leads) err = make_file(w, goal);
  SAL_TRY(sal_collective_error(j->comm, err));
  return sal_collective_error(j->comm, open_file(w));
}

static int64_t nanoseconds_now(void) { return (int64_t)(1e9 * sal_clock_wall()); }

/* Notes that something waits for the disk; the first since the last sync counts. */
static sal_err note_waiting(const sal_journal_writer *w)
{
  bool was;

  return sal_journal_share_swap(&w->share, SAL_JOURNAL_SINCE, 0, nanoseconds_now() | 1, &was);
}

sal_err sal_journal_sync(sal_journal_writer *w)
{
  int64_t since;
  bool mine = false;

  SAL_TRY(sal_journal_share_get(&w->share, SAL_JOURNAL_SINCE, &since));
  if (since == 0 || 1e-9 * (double)(nanoseconds_now() - since) < w->pause) return SAL_OK;
  SAL_TRY(sal_journal_share_swap(&w->share, SAL_JOURNAL_SINCE, since, 0, &mine));
  return mine && fdatasync(w->fd) ? sal_journal_name_fail(w->path, "written") : SAL_OK;
}

/* The record is on the disk in any case; without its entry the next run finds it. */
static sal_err note_record(sal_journal_writer *w, const sal_journal_record_head *head,
                           const double range[], int64_t at)
{
  const sal_journal_entry entry = {head->first, head->count, w->name.number, at};

  SAL_TRY(sal_journal_list_widen(&w->list, range));
  return sal_journal_list_add(&w->list, &entry);
}

/* Appends whole pieces, or nothing. */
static sal_err append_pieces(sal_journal_writer *w, int n, const sal_journal_piece piece[],
                             int64_t *at)
{
  int64_t end;

  SAL_TRY(sal_journal_share_lock(&w->share));
  sal_err err = sal_journal_share_get(&w->share, SAL_JOURNAL_END, at);
  end = *at;
  if (err == SAL_OK) err = sal_journal_bytes_write(w->fd, w->path, n, piece, &end);
  if (err == SAL_OK) err = sal_journal_share_set(&w->share, SAL_JOURNAL_END, end);
  if (err == SAL_OK) err = note_waiting(w);
  const sal_err unlocked = sal_journal_share_unlock(&w->share);
  return err == SAL_OK ? unlocked : err;
}

sal_err sal_journal_append(sal_journal_writer *w, const sal_tile_result *result)
{
  const sal_journal *j = w->journal;
  double range[2 * SAL_JOURNAL_MOST_RANGES];
  int64_t at;

  if (j->ranges.n > 0) j->ranges.measure(j->ranges.with, result, range);
  SAL_TRY(sal_journal_pack_tile(&w->pack, sal_contender_count(j->sweep), result));
  const sal_journal_record_head head = sal_journal_record_head_of(
      j->fingerprint, result->first, result->count, w->pack.n, j->ranges.n, range);
  const uint64_t sum = sal_journal_record_sum(&head, w->pack.bytes);
  const sal_journal_piece all[] = {{&head, sizeof head},
                                   {range, sal_journal_record_range_bytes(j->ranges.n)},
                                   {w->pack.bytes, (size_t)w->pack.n},
                                   {&sum, sizeof sum}};
  SAL_TRY(append_pieces(w, sizeof all / sizeof all[0], all, &at));
  SAL_TRY(note_record(w, &head, range, at));
  SAL_TRY(sal_journal_held_add(&w->held, head.first, w->name.number, at, sizeof all / sizeof all[0],
                               all));
  return sal_journal_sync(w);
}

/* Is the file that was written to still the one of that name, and whole? */
static sal_err check_written(const sal_journal_writer *w, int64_t end)
{
  struct stat named, held;

  if (fstat(w->fd, &held)) return sal_journal_name_fail(w->path, "read");
  if (stat(w->path, &named)) return sal_journal_name_fail(w->path, "read");
  if (named.st_ino == held.st_ino && named.st_size == (off_t)end) return SAL_OK;
  return sal_fail(SAL_ERR_IO,
                  "%s: has been cut or replaced while the run was at work; run once more", w->path);
}

/* On the leader: everything is in the file.  An index without records on the disk before it would
 * promise what is not there. */
static sal_err finish_file(const sal_journal_writer *w, const sal_journal_list *all)
{
  int64_t end;

  SAL_TRY(sal_journal_share_get(&w->share, SAL_JOURNAL_END, &end));
  if (fdatasync(w->fd)) return sal_journal_name_fail(w->path, "written");
  SAL_TRY(check_written(w, end));
  sal_journal_index_write(w->fd, end, w->journal->fingerprint, all);
  return SAL_OK;
}

static void drop_file(const sal_journal_writer *w)
{
  unlink(w->path);
  sal_journal_name_drop_hundred(w->journal->folder[0], &w->name);
}

/* Collective over the node, of equal structures on all ranks: the leader gets their union. */
static sal_err gather_ranges(const sal_journal_writer *w, sal_journal_list *all)
{
  const sal_journal_node *node = w->journal->node;
  const int64_t n = w->list.n_range;
  SAL_OWN double *one = sal_alloc(4 * (size_t)n, sizeof *one);

  SAL_TRY(sal_collective_error(node->comm,
                               one ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for ranges")));
  assert(one);
  double *both = one + 2 * n;
  for (int64_t i = 0; i < n; ++i) { /* the largest as the negative of the smallest */
    one[i] = w->list.range ? w->list.range[i] : INFINITY;
    one[n + i] = w->list.range ? -w->list.range[n + i] : INFINITY;
  }
  SAL_TRY_MPI(MPI_Reduce(one, both, 2 * (int)n, MPI_DOUBLE, MPI_MIN, 0, node->comm));
  for (int64_t i = n; i < 2 * n; ++i) both[i] = -both[i];
  return node->rank == 0 ? sal_journal_list_widen(all, both) : SAL_OK;
}

/* Collective over the node. */
static sal_err end_file(const sal_journal_writer *w)
{
  const sal_journal_node *node = w->journal->node;
  SAL_OWN_BY(sal_journal_list_free) sal_journal_list all = {.n_range = w->list.n_range};

  void *entry;

  sal_err err = sal_collective_gather(node->comm, 0, w->list.n, sizeof *all.entry, w->list.entry,
                                      &all.n, &entry);
  all.entry = entry;
  if (err == SAL_OK && w->list.n_range > 0) err = gather_ranges(w, &all);
  if (err == SAL_OK && node->rank == 0) {
    if (all.n > 0)
      err = finish_file(w, &all);
    else
      drop_file(w);
  }
  return sal_collective_error(node->comm, err);
}

sal_err sal_journal_end(sal_journal_writer *w)
{
  int mine = w->fd >= 0, all = 0;
  sal_err err = SAL_OK;

  if (!w->share.open) return SAL_OK;
  SAL_TRY_MPI(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, w->journal->node->comm));
  if (all) err = end_file(w);
  if (mine && close(w->fd) && err == SAL_OK) err = sal_journal_name_fail(w->path, "written");
  w->fd = -1;
  sal_journal_share_close(&w->share);
  return err;
}

void sal_journal_writer_free(sal_journal_writer *w)
{
  sal_journal_list_free(&w->list);
  sal_journal_held_free(&w->held);
  sal_journal_pack_free(&w->pack);
}
