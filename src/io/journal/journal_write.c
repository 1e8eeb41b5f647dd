/** A node's own journal.
 *
 *  A record is appended under the lock of the node, so that records lie one after the other and one
 *  that cannot be written whole is cut off again before another rank writes.  fdatasync needs no
 *  lock: it is called by the first rank that finds it due, and brings what all have written.
 */
#include "journal_write.h"
#include "atomic_file.h"
#include "base.h"
#include "clock.h"
#include "collective_error.h"
#include "config.h"
#include "journal_private.h"
#include "machine.h"
#include "raw.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SHORTEST_NAP = 1000, LONGEST_NAP = 500000 }; /* [ns] of a rank that waits for its turn */

static sal_err make_file(sal_journal_writer *w, int64_t *end)
{
  const sal_journal *j = w->journal;

  w->fd = open(w->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (w->fd < 0) return sal_journal_name_fail(w->path, "written");
  SAL_TRY(sal_journal_bytes_head(j, w->fd, w->path, &w->list.machine, end));
  return sal_atomic_file_sync_name(w->path);
}

/* Where *end is still 0, the file of that name is not one to go on in. */
static sal_err reopen_file(sal_journal_writer *w, int64_t *end)
{
  const sal_journal_kin kin = sal_journal_identity_kin(w->journal);
  SAL_OWN_BY(sal_journal_file_close) sal_journal_file file = {.fd = -1};
  SAL_OWN_BY(sal_journal_list_free) sal_journal_list found = {.n_range = w->list.n_range};

  SAL_TRY(sal_journal_file_open(w->path, &file));
  if (!file.sound || strcmp(file.text[SAL_JOURNAL_MACHINE], w->list.machine.string) != 0)
    return SAL_OK;
  SAL_TRY(sal_journal_scan_file(&file, w->name.number, &kin, false, &found));
  w->fd = open(w->path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  if (w->fd < 0 || ftruncate(w->fd, (off_t)found.end))
    return sal_journal_name_fail(w->path, "written");
  *end = found.end;
  w->bare = found.n > 0 ? -1 : 0;
  return SAL_OK;
}

/* On the leader: every n-th file is its node's, of n nodes; the number of a new one is higher than all. */
static sal_err take_file(sal_journal_writer *w, int64_t goal)
{
  const sal_journal *j = w->journal;
  int64_t end = 0;

  for (int64_t at = j->node.number; at < j->n_file && end == 0; at += j->node.n_node) {
    w->name.number = j->file[at].number;
    SAL_TRY(sal_journal_name_path(j->folder[0], &w->name, w->path));
    SAL_TRY(reopen_file(w, &end));
  }
  if (end == 0) {
    w->name.number = j->node.number + (j->n_file ? j->file[j->n_file - 1].number + 1 : 0);
    SAL_TRY(sal_journal_name_path(j->folder[0], &w->name, w->path));
    SAL_TRY(make_file(w, &end));
  }
  SAL_TRY(sal_journal_bytes_mark(j, w->fd, w->path, goal, &end));
  if (w->bare == 0) w->bare = end;
  return sal_node_words_set(&w->share, SAL_JOURNAL_END, end);
}

/* Collective over the node. */
static sal_err open_file(sal_journal_writer *w)
{
  const sal_journal *j = w->journal;

  SAL_TRY_MPI(MPI_Bcast(&w->name.number, 1, MPI_INT64_T, 0, j->node.comm));
  SAL_TRY(sal_journal_name_path(j->folder[0], &w->name, w->path));
  SAL_TRY(sal_node_file_share(j->node.comm, w->path, O_WRONLY, &w->fd));
  return w->fd < 0 ? sal_journal_name_fail(w->path, "written") : SAL_OK;
}

sal_err sal_journal_begin(const sal_journal *j, double sync_seconds, int64_t goal,
                          const char *machine, sal_journal_writer *w)
{
  const bool leads = j->node.rank == 0;

  *w = (sal_journal_writer){
      .journal = j, .fd = -1, .pause = sync_seconds, .list.n_range = j->ranges.n};
  w->pack.path = w->path;
  SAL_TRY(sal_node_words_open(&j->node, SAL_JOURNAL_WORDS, &w->share));
  if (!machine) machine = j->here.string;
  sal_err err = sal_machine_join(&w->list.machine, machine, strlen(machine));
  if (err == SAL_OK && leads && j->node.number == 0)
    err = sal_journal_design_keep(j->folder[0], j->sweep);
  if (err == SAL_OK && leads) err = take_file(w, goal);
  SAL_TRY(sal_collective_error(j->comm, err));
  return sal_collective_error(j->comm, open_file(w));
}

static int64_t nanoseconds_now(void) { return (int64_t)(1e9 * sal_clock_wall()); }

/* Notes that something waits for the disk; the first since the last sync counts. */
static sal_err note_waiting(const sal_journal_writer *w)
{
  bool was;

  return sal_node_words_swap(&w->share, SAL_JOURNAL_SINCE, 0, nanoseconds_now() | 1, &was);
}

sal_err sal_journal_sync(sal_journal_writer *w)
{
  int64_t since;
  bool mine = false;

  SAL_TRY(sal_node_words_add(&w->share, SAL_JOURNAL_SINCE, 0, &since));
  if (since == 0 || 1e-9 * (double)(nanoseconds_now() - since) < w->pause) return SAL_OK;
  SAL_TRY(sal_node_words_swap(&w->share, SAL_JOURNAL_SINCE, since, 0, &mine));
  return mine && fdatasync(w->fd) ? sal_journal_name_fail(w->path, "written") : SAL_OK;
}

/* The record is on the disk in any case; without its entry the next run finds it. */
static sal_err note_record(sal_journal_writer *w, const sal_journal_record_head *head,
                           const double range[], int64_t at)
{
  const sal_journal_entry entry = {.first = head->first,
                                   .count = head->count,
                                   .lacking = head->lacking,
                                   .file = w->name.number,
                                   .offset = at,
                                   .fresh = true};

  SAL_TRY(sal_journal_list_widen(&w->list, range));
  return sal_journal_list_add(&w->list, &entry);
}

/* Waits until this rank alone may write.  Naps, since the rank that writes may need this one's core.  A rank that is killed
 * meanwhile keeps the others waiting; it ends the run. */
static sal_err lock(const sal_node_words *share)
{
  bool mine = false;

  for (long nap = SHORTEST_NAP;; nap = nap < LONGEST_NAP ? 2 * nap : nap) {
    SAL_TRY(sal_node_words_swap(share, SAL_JOURNAL_HELD, 0, 1, &mine));
    if (mine) return SAL_OK;
    nanosleep(&(struct timespec){0, nap}, NULL);
  }
}

static sal_err fail_cut(const sal_journal_writer *w)
{
  return sal_fail(SAL_ERR_IO,
                  "%s: has been cut or replaced while the run was at work; run once more", w->path);
}

/* Does the file end there?  Records after a hole would be lost with those before it. */
static sal_err check_end(const sal_journal_writer *w, int64_t end)
{
  struct stat held;

  if (fstat(w->fd, &held)) return sal_journal_name_fail(w->path, "read");
  return held.st_size == (off_t)end ? SAL_OK : fail_cut(w);
}

/* Appends whole pieces, or nothing. */
static sal_err append_pieces(sal_journal_writer *w, int n, const sal_journal_piece piece[],
                             int64_t *at)
{
  int64_t end;

  SAL_TRY(lock(&w->share));
  sal_err err = sal_node_words_add(&w->share, SAL_JOURNAL_END, 0, at);
  end = *at;
  if (err == SAL_OK) err = check_end(w, end);
  if (err == SAL_OK) err = sal_journal_bytes_write(w->fd, w->path, n, piece, &end);
  if (err == SAL_OK) err = sal_node_words_set(&w->share, SAL_JOURNAL_END, end);
  if (err == SAL_OK) err = note_waiting(w);
  const sal_err unlocked = sal_node_words_set(&w->share, SAL_JOURNAL_HELD, 0);
  return err == SAL_OK ? unlocked : err;
}

static int64_t count_lacking(const sal_tile_result *r, int64_t n_config)
{
  int64_t n = 0;

  for (int64_t i = 0; i < r->count * n_config; ++i)
    n += isnan(r->record[i].value[SAL_METRIC_OUTCOME]);
  return n;
}

sal_err sal_journal_append(sal_journal_writer *w, const sal_tile_result *result)
{
  const sal_journal *j = w->journal;
  const int64_t n = j->ranges.n, n_config = sal_config_count(j->sweep);
  double range[2 * SAL_JOURNAL_MOST_RANGES];
  sal_journal_record_head head = {.first = result->first,
                                  .count = result->count,
                                  .lacking = count_lacking(result, n_config),
                                  .n_range = n};
  int64_t at;

  if (n > 0 && head.lacking == 0) j->ranges.measure(j->ranges.with, result, range);
  for (int64_t i = 0; i < 2 * n && head.lacking > 0; ++i) range[i] = i < n ? INFINITY : -INFINITY;
  SAL_TRY(sal_journal_pack_tile(&w->pack, n_config,
                                head.lacking > 0 ? NULL : sal_sweep_unneeded(j->sweep), result));
  head.bytes = w->pack.n;
  sal_journal_record_seal(&head, j->fingerprint, range);
  const uint64_t sum = sal_journal_record_sum(&head, w->pack.bytes);
  const sal_journal_piece all[] = {{&head, sizeof head},
                                   {range, sal_journal_record_range_bytes(n)},
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
  return named.st_ino == held.st_ino ? check_end(w, end) : fail_cut(w);
}

/* On the leader, when all ranks have written. */
static sal_err end_file(const sal_journal_writer *w)
{
  int64_t end;

  SAL_TRY(sal_node_words_add(&w->share, SAL_JOURNAL_END, 0, &end));
  if (end == w->bare) {
    unlink(w->path);
    return SAL_OK;
  }
  if (fdatasync(w->fd)) return sal_journal_name_fail(w->path, "written");
  return check_written(w, end);
}

sal_err sal_journal_end(sal_journal_writer *w)
{
  const sal_node_ranks *node = &w->journal->node;
  int mine = w->fd >= 0, all = 0;
  sal_err err = SAL_OK;

  if (!w->share.open) return SAL_OK;
  SAL_TRY_MPI(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, node->comm));
  if (all) err = sal_collective_error(node->comm, node->rank == 0 ? end_file(w) : SAL_OK);
  if (mine && close(w->fd) && err == SAL_OK) err = sal_journal_name_fail(w->path, "written");
  w->fd = -1;
  sal_node_words_close(&w->share);
  return err;
}

void sal_journal_writer_free(sal_journal_writer *w)
{
  sal_journal_list_free(&w->list);
  sal_journal_held_free(&w->held);
  sal_journal_pack_free(&w->pack);
}
