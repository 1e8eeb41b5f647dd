/** @file src/io/journal/journal_kept.c
 *  Finished trajectories of unfinished cells.
 */
#include "array.h"
#include "collective_error.h"
#include "contender.h"
#include "journal_format.h"
#include "journal_private.h"
#include "journal_write.h"
#include "memory.h"
#include "plain_file.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define MAGIC UINT64_C(0xd7a35c0be81f6294)
#define PREFIX "kept-"

typedef char kept_name[SAL_JOURNAL_KEPT_NAME];

typedef struct {
  uint64_t magic;
  int64_t bytes; /* of flags and records */
  int64_t first, count;
  uint64_t sum; /* of what is above */
} record_head;

/* ---- the bytes of a record ---- */

static int64_t payload_bytes(int64_t count, int64_t n_contender)
{
  return count * n_contender * (int64_t)(1 + sizeof(sal_record));
}

/* What another machine has kept does not count: cells come of one machine (machine.h). */
static uint64_t head_sum(const sal_journal *j, const record_head *head)
{
  const uint64_t here = XXH3_64bits_withSeed(j->here.string, j->here.length, j->fingerprint);

  return XXH3_64bits_withSeed(head, offsetof(record_head, sum), here);
}

static uint64_t payload_sum(const record_head *head, const uint8_t done[],
                            const sal_record record[])
{
  const size_t n = (size_t)head->bytes / (1 + sizeof *record);
  const uint64_t first = XXH3_64bits_withSeed(done, n, head->sum);

  return XXH3_64bits_withSeed(record, n * sizeof *record, first);
}

static int64_t record_size(const record_head *head)
{
  return (int64_t)(sizeof *head + sizeof(uint64_t)) + head->bytes;
}

/* Is there the head of a record that lies in the file? */
static sal_err read_head(const sal_journal *j, const sal_journal_file *file, int64_t at,
                         record_head *head, bool *sound)
{
  size_t got;

  SAL_TRY(sal_journal_file_read(file, at, sizeof *head, head, &got));
  *sound = got == sizeof *head && head->magic == MAGIC && head->sum == head_sum(j, head) &&
           head->first >= 0 && head->count >= 1 && head->first < j->sweep->n_cell &&
           head->count <= j->sweep->n_cell - head->first &&
           head->bytes == payload_bytes(head->count, sal_contender_count(j->sweep)) &&
           record_size(head) <= file->size - at;
  return SAL_OK;
}

/* ---- files ---- */

static sal_err path_of(const char *folder, const char *name, char path[])
{
  return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX
             ? SAL_OK
             : sal_fail(SAL_ERR_IO, "%s: the name is too long", folder);
}

static sal_err open_kept(const char *path, sal_journal_file *file)
{
  struct stat about;

  *file = (sal_journal_file){.path = path};
  SAL_TRY(sal_plain_file_open(path, "a file of kept trajectories", &file->fd));
  if (fstat(file->fd, &about)) return sal_journal_name_fail(path, "read");
  file->size = (int64_t)about.st_size;
  return SAL_OK;
}

/* Does it begin as our files do, or is it empty? */
static bool is_ours(const char *path)
{
  const uint64_t magic = MAGIC;
  uint64_t bytes = 0;
  size_t got = 0;
  SAL_OWN_BY(sal_journal_file_close) sal_journal_file file = {.fd = -1};

  const bool read = open_kept(path, &file) == SAL_OK &&
                    sal_journal_file_read(&file, 0, sizeof bytes, &bytes, &got) == SAL_OK;
  if (!read) sal_err_clear();
  return read && memcmp(&bytes, &magic, got) == 0;
}

static void remove_file(const char *folder, const char *name)
{
  char path[PATH_MAX];

  if (path_of(folder, name, path) != SAL_OK)
    sal_err_clear();
  else if (is_ours(path))
    unlink(path);
}

void sal_journal_kept_remove(const char *folder)
{
  DIR *dir = opendir(folder);

  for (const struct dirent *e; dir && (e = readdir(dir));)
    if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) == 0) remove_file(folder, e->d_name);
  if (dir) closedir(dir);
}

/* All names of a run begin alike, and sort by the time when it was begun. */
static void name_of_sweep(const sal_journal *j, kept_name name)
{
  snprintf(name, SAL_JOURNAL_KEPT_NAME, PREFIX "%016llx-", (unsigned long long)j->fingerprint);
}

static void name_of_run(const sal_journal *j, kept_name name)
{
  snprintf(name, SAL_JOURNAL_KEPT_NAME, PREFIX "%016llx-%016llx-%06lld",
           (unsigned long long)j->fingerprint, (unsigned long long)(1e6 * j->started),
           (long long)j->node->number);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static sal_err add_name(sal_journal_kept *k, int64_t *room, const char *name)
{
  kept_name *file = sal_array_grow(k->file, k->n_file, 1, room, sizeof *file);

  if (!file) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of kept trajectories");
  k->file = file;
  snprintf(file[k->n_file++], sizeof *file, "%s", name);
  return SAL_OK;
}

static sal_err list_names(sal_journal_kept *k)
{
  DIR *dir = opendir(k->journal->folder[0]);
  int64_t room = 0;
  kept_name begin;
  sal_err err = SAL_OK;

  if (!dir) return sal_journal_name_fail(k->journal->folder[0], "read");
  name_of_sweep(k->journal, begin);
  for (const struct dirent *e; err == SAL_OK && (e = readdir(dir));)
    if (strncmp(e->d_name, begin, strlen(begin)) == 0 && strlen(e->d_name) < sizeof begin)
      err = add_name(k, &room, e->d_name);
  closedir(dir);
  if (k->n_file) qsort(k->file, (size_t)k->n_file, sizeof *k->file, by_name);
  return err;
}

/* By heads alone; what is after a damaged one is lost, as it is after a torn one. */
static sal_err list_records(sal_journal_kept *k, int64_t i)
{
  SAL_OWN_BY(sal_journal_file_close) sal_journal_file file = {.fd = -1};
  char path[PATH_MAX];
  record_head head;
  bool sound = true;

  SAL_TRY(path_of(k->journal->folder[0], k->file[i], path));
  sal_err err = open_kept(path, &file);
  for (int64_t at = 0; err == SAL_OK && sound; at += sound ? record_size(&head) : 0) {
    err = read_head(k->journal, &file, at, &head, &sound);
    if (err == SAL_OK && sound)
      err = sal_journal_list_add(&k->list, &(sal_journal_entry){head.first, head.count, i, at});
  }
  if (err == SAL_OK || err == SAL_ERR_MEMORY) return err;
  sal_err_clear();
  return SAL_OK;
}

/* ---- what is of use ---- */

/* Takes the cells out of a set, a bit each; was one of them in it? */
static bool take_out(uint8_t set[], int64_t first, int64_t count)
{
  bool any = false;

  for (int64_t i = first; i < first + count; ++i) {
    const uint8_t bit = (uint8_t)(1 << i % CHAR_BIT);
    any = any || (set[i / CHAR_BIT] & bit);
    set[i / CHAR_BIT] &= (uint8_t)~bit;
  }
  return any;
}

/* A record is of use when it is the newest of a cell that is not finished: its writer had all that was
 * kept before.  left: all cells; used [n_file]: false. */
static void mark_used(sal_journal_kept *k, uint8_t left[], bool used[])
{
  const sal_journal *j = k->journal;

  for (int64_t i = 0; i < j->n_entry; ++i) take_out(left, j->entry[i].first, j->entry[i].count);
  for (int64_t i = k->list.n - 1; i >= 0; --i) {
    sal_journal_entry *e = &k->list.entry[i];
    if (take_out(left, e->first, e->count))
      used[e->file] = true;
    else
      e->count = 0; /* it shares no cell with any tile */
  }
}

static sal_err drop_old(sal_journal_kept *k)
{
  const size_t bytes = (size_t)k->journal->sweep->n_cell / CHAR_BIT + 1;
  SAL_OWN uint8_t *left = sal_alloc(bytes, 1);
  SAL_OWN bool *used = sal_alloc((size_t)k->n_file, sizeof *used);

  if (!left || !used) return sal_fail(SAL_ERR_MEMORY, "no memory for a set of cells");
  memset(left, UINT8_MAX, bytes);
  mark_used(k, left, used);
  for (int64_t i = 0; i < k->n_file; ++i)
    if (!used[i]) remove_file(k->journal->folder[0], k->file[i]);
  return SAL_OK;
}

/* On rank 0. */
static sal_err find_all(sal_journal_kept *k)
{
  SAL_TRY(list_names(k));
  for (int64_t i = 0; i < k->n_file; ++i) SAL_TRY(list_records(k, i));
  return k->n_file ? drop_old(k) : SAL_OK;
}

sal_err sal_journal_kept_open(const sal_journal *j, sal_journal_kept *k)
{
  int rank;
  int64_t n[2];

  *k = (sal_journal_kept){.journal = j};
  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &rank));
  SAL_TRY(sal_collective_error(j->comm, rank == 0 ? find_all(k) : SAL_OK));
  n[0] = k->n_file;
  n[1] = k->list.n;
  SAL_TRY_MPI(MPI_Bcast(n, 2, MPI_INT64_T, 0, j->comm));
  if (n[0] == 0) return SAL_OK;
  if (rank != 0) {
    k->file = sal_alloc((size_t)n[0], sizeof *k->file);
    k->list.entry = sal_alloc((size_t)n[1], sizeof *k->list.entry);
  }
  SAL_TRY(sal_collective_error(
      j->comm, k->file && (k->list.entry || n[1] == 0)
                   ? SAL_OK
                   : sal_fail(SAL_ERR_MEMORY, "no memory for a list of kept trajectories")));
  k->n_file = n[0];
  k->list.n = n[1];
  SAL_TRY_MPI(MPI_Bcast(k->file, (int)(n[0] * (int64_t)sizeof *k->file), MPI_BYTE, 0, j->comm));
  SAL_TRY_MPI(
      MPI_Bcast(k->list.entry, (int)(n[1] * (int64_t)sizeof *k->list.entry), MPI_BYTE, 0, j->comm));
  return SAL_OK;
}

void sal_journal_kept_close(sal_journal_kept *k)
{
  sal_journal_list_free(&k->list);
  sal_free(k->file);
  *k = (sal_journal_kept){0};
}

/* ---- back into a tile ---- */

/* The cells that a record and a tile share; n: contenders. */
static sal_err copy_shared(const record_head *head, const uint8_t done[], const sal_record record[],
                           const sal_tile *tile, int64_t n, sal_tile_kept *to)
{
  const int64_t end = tile->first + tile->count, last = head->first + head->count;
  const int64_t first = head->first > tile->first ? head->first : tile->first;

  if (!to->result.record) to->result.record = sal_alloc((size_t)(tile->count * n), sizeof *record);
  if (!to->result.record) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
  for (int64_t i = first * n; i < (last < end ? last : end) * n; ++i) {
    const int64_t from = i - head->first * n, at = i - tile->first * n;
    if (!done[from]) continue;
    to->done[at] = true;
    to->result.record[at] = record[from];
  }
  return SAL_OK;
}

static sal_err read_payload(const sal_journal *j, const sal_journal_file *file,
                            const sal_journal_entry *e, uint8_t done[], sal_record record[],
                            bool *whole)
{
  const int64_t at = e->offset + (int64_t)sizeof(record_head);
  const size_t flags = (size_t)(e->count * sal_contender_count(j->sweep)),
               bytes = flags * sizeof *record;
  size_t got[3];
  uint64_t sum;
  record_head head;

  SAL_TRY(sal_journal_file_read(file, e->offset, sizeof head, &head, &got[0]));
  *whole = got[0] == sizeof head && head.first == e->first && head.count == e->count &&
           head.sum == head_sum(j, &head);
  if (!*whole) return SAL_OK;
  SAL_TRY(sal_journal_file_read(file, at, flags, done, &got[0]));
  SAL_TRY(sal_journal_file_read(file, at + (int64_t)flags, bytes, record, &got[1]));
  SAL_TRY(sal_journal_file_read(file, at + (int64_t)(flags + bytes), sizeof sum, &sum, &got[2]));
  *whole = got[0] == flags && got[1] == bytes && got[2] == sizeof sum &&
           sum == payload_sum(&head, done, record);
  return SAL_OK;
}

/* One that cannot be read as it was written is passed over. */
static sal_err fill_from(const sal_journal_kept *k, const sal_journal_entry *e,
                         const sal_tile *tile, sal_tile_kept *to)
{
  const int64_t n = sal_contender_count(k->journal->sweep);
  SAL_OWN uint8_t *done = sal_alloc((size_t)(e->count * n), 1);
  SAL_OWN sal_record *record = sal_alloc((size_t)(e->count * n), sizeof *record);
  SAL_OWN_BY(sal_journal_file_close) sal_journal_file file = {.fd = -1};
  char path[PATH_MAX];
  bool whole = false;
  record_head head = {.first = e->first, .count = e->count};

  sal_err err =
      done && record ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for kept trajectories");
  if (err == SAL_OK) err = path_of(k->journal->folder[0], k->file[e->file], path);
  if (err == SAL_OK) err = open_kept(path, &file);
  if (err == SAL_OK) err = read_payload(k->journal, &file, e, done, record, &whole);
  if (err == SAL_OK && whole) err = copy_shared(&head, done, record, tile, n, to);
  if (err == SAL_OK || err == SAL_ERR_MEMORY) return err;
  sal_err_clear();
  return SAL_OK;
}

sal_err sal_journal_kept_fill(const sal_journal_kept *k, const sal_tile *tile, sal_tile_kept *to)
{
  to->fresh = 0;
  to->result = (sal_tile_result){.first = tile->first, .count = tile->count};
  memset(to->done, 0, (size_t)(tile->count * sal_contender_count(k->journal->sweep)));
  for (int64_t i = 0; i < k->list.n; ++i) {
    const sal_journal_entry *e = &k->list.entry[i];
    if (e->count > 0 && e->first < tile->first + tile->count && tile->first < e->first + e->count)
      SAL_TRY(fill_from(k, e, tile, to));
  }
  return SAL_OK;
}

/* ---- from a tile ---- */

static sal_err append_to(int fd, const char *path, const sal_journal *j, const sal_tile_kept *kept)
{
  const sal_tile_result *r = &kept->result;
  struct stat about;
  record_head head = {.magic = MAGIC,
                      .bytes = payload_bytes(r->count, sal_contender_count(j->sweep)),
                      .first = r->first,
                      .count = r->count};

  if (fstat(fd, &about)) return sal_journal_name_fail(path, "read");
  head.sum = head_sum(j, &head);
  const uint64_t sum = payload_sum(&head, kept->done, r->record);
  const size_t n = (size_t)head.bytes / (1 + sizeof *r->record);
  const sal_journal_piece all[] = {{&head, sizeof head},
                                   {kept->done, n},
                                   {r->record, n * sizeof *r->record},
                                   {&sum, sizeof sum}};
  int64_t end = (int64_t)about.st_size;
  SAL_TRY(sal_journal_bytes_write(fd, path, sizeof all / sizeof all[0], all, &end));
  return fdatasync(fd) ? sal_journal_name_fail(path, "written") : SAL_OK;
}

/* Under the lock of the node, whose ranks write to one file. */
sal_err sal_journal_kept_append(const sal_journal_writer *w, const sal_tile_kept *kept)
{
  const sal_journal *j = w->journal;
  kept_name name;
  char path[PATH_MAX];

  name_of_run(j, name);
  SAL_TRY(path_of(j->folder[0], name, path));
  SAL_TRY(sal_journal_share_lock(&w->share));
  const int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  sal_err err = fd < 0 ? sal_journal_name_fail(path, "written") : append_to(fd, path, j, kept);
  if (fd >= 0 && close(fd) && err == SAL_OK) err = sal_journal_name_fail(path, "written");
  const sal_err unlocked = sal_journal_share_unlock(&w->share);
  return err == SAL_OK ? unlocked : err;
}
