/** Records back from journals, and the sweep they are of. */
#include "base.h"
#include "config.h"
#include "journal.h"
#include "journal_pack.h"
#include "journal_private.h"
#include "sweep_read.h"
#include "tile_rows.h"
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OPEN = 128 };

typedef struct {
  bool open;
  int fd;
  int64_t number; /* in the list of files */
} open_file;

struct sal_journal_in {
  open_file open[MOST_OPEN]; /* file number i at i % MOST_OPEN */
  sal_journal_file file;     /* the one of them that is read: descriptor, size, room */
  char path[PATH_MAX];
  sal_journal_pack pack;
};

static sal_err make_room(sal_journal_reader *r)
{
  if (r->in) return SAL_OK;
  r->in = sal_alloc(1, sizeof *r->in);
  return r->in ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory to read journals");
}

/* Makes r->in->file that file; the heads of all were checked when they were scanned. */
static sal_err open_journal(sal_journal_reader *r, int64_t number)
{
  struct stat about;

  SAL_TRY(make_room(r));
  struct sal_journal_in *in = r->in;
  open_file *place = &in->open[number % MOST_OPEN];
  SAL_TRY(sal_journal_list_path(r->journal, number, in->path));
  if (!place->open || place->number != number) {
    if (place->open) close(place->fd);
    *place = (open_file){.fd = open(in->path, O_RDONLY | O_CLOEXEC), .number = number};
    place->open = place->fd >= 0;
  }
  if (!place->open || fstat(place->fd, &about)) return sal_journal_name_fail(in->path, "read");
  in->file.path = in->path;
  in->file.fd = place->fd;
  in->file.size = (int64_t)about.st_size;
  return SAL_OK;
}

static sal_err refuse_record(const sal_journal_reader *r, const sal_journal_entry *entry)
{
  char path[PATH_MAX];

  SAL_TRY(sal_journal_list_path(r->journal, entry->file, path));
  const int64_t last = entry->first + entry->count;
  const bool reads_only = r->journal->use == SAL_JOURNAL_READ;
  return sal_fail(
      SAL_ERR_IO,
      "%s: a record has changed since it was found, that of cell%s %lld to %lld; run %sonce more",
      path, sal_text_plural(entry->count), (long long)entry->first + 1, (long long)last,
      reads_only ? "its part " : "");
}

/* Reads the record of an entry by `read`, sal_journal_file_head or _record. */
static sal_err read_entry(sal_journal_reader *r, const sal_journal_entry *entry,
                          sal_err (*read)(sal_journal_file *, int64_t, const sal_journal_kin *,
                                          sal_journal_record_head *, bool *),
                          sal_journal_record_head *head)
{
  const sal_journal_kin kin = sal_journal_identity_kin(r->journal);
  bool sound = false;

  SAL_TRY(open_journal(r, entry->file));
  SAL_TRY(read(&r->in->file, entry->offset, &kin, head, &sound));
  return sound && head->first == entry->first && head->count == entry->count &&
                 head->lacking == entry->lacking && head->n_range == r->journal->ranges.n
             ? SAL_OK
             : refuse_record(r, entry);
}

static int64_t head_bytes(const sal_journal *j)
{
  return (int64_t)(sizeof(sal_journal_record_head) + sal_journal_record_range_bytes(j->ranges.n));
}

sal_err sal_journal_read_record(sal_journal_reader *r, const sal_journal_entry *entry,
                                const char **bytes, int64_t *n)
{
  sal_journal_record_head head;

  SAL_TRY(read_entry(r, entry, sal_journal_file_record, &head));
  *bytes = r->in->file.room;
  *n = sal_journal_record_size(&head);
  return SAL_OK;
}

/* Are these bytes a record of the journals? */
static bool is_record(const sal_journal_reader *r, const char *bytes, int64_t n,
                      sal_journal_record_head *head)
{
  const sal_journal *j = r->journal;
  double range[2 * SAL_JOURNAL_MOST_RANGES];
  uint64_t sum;

  assert(bytes);
  if (n < head_bytes(j)) return false;
  memcpy(head, bytes, sizeof *head);
  memcpy(range, bytes + sizeof *head, sal_journal_record_range_bytes(j->ranges.n));
  if (!sal_journal_record_fits(head, j->sweep->n_cell, sal_config_count(j->sweep)) ||
      head->n_range != j->ranges.n || sal_journal_record_size(head) != n ||
      !sal_journal_record_head_sound(head, j->fingerprint, range))
    return false;
  memcpy(&sum, bytes + n - sizeof sum, sizeof sum);
  return sum == sal_journal_record_sum(head, bytes + head_bytes(j));
}

/* Room for the cells of a result: that of `into`, if they lie in it. */
static sal_err make_arrays(const sal_sweep *sweep, const sal_tile_result *into,
                           sal_tile_result *result)
{
  const int64_t at = into ? result->first - into->first : -1;

  if (at >= 0 && at + result->count <= into->count) {
    *result = sal_tile_result_part(into, sal_config_count(sweep), at, result->count);
    return SAL_OK;
  }
  return sal_tile_rows_alloc(sweep, result->count, result)
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
}

sal_err sal_journal_read_unpack(sal_journal_reader *r, const char *bytes, int64_t n,
                                const sal_tile_result *into, sal_tile_result *result)
{
  const int64_t each = sal_config_count(r->journal->sweep);
  sal_journal_record_head head = {0};
  bool sound = is_record(r, bytes, n, &head);

  *result = (sal_tile_result){.first = head.first, .count = head.count};
  SAL_TRY(make_room(r));
  if (!sound) return sal_fail(SAL_ERR_IO, "a record of a journal was damaged on its way");
  SAL_TRY(make_arrays(r->journal->sweep, into, result));
  SAL_TRY(sal_journal_pack_back(&r->in->pack, bytes + head_bytes(r->journal), head.bytes, each,
                                result, &sound));
  return sound ? SAL_OK
               : sal_fail(SAL_ERR_IO, "a record of a journal, that of cell %lld, holds no tile",
                          (long long)head.first + 1);
}

sal_err sal_journal_read(sal_journal_reader *r, const sal_journal_entry *entry,
                         sal_tile_result *result)
{
  const char *bytes = NULL;
  int64_t n = 0;

  *result = (sal_tile_result){.first = entry->first, .count = entry->count};
  SAL_TRY(sal_journal_read_record(r, entry, &bytes, &n));
  return sal_journal_read_unpack(r, bytes, n, NULL, result);
}

/* Reads the cells of a tile that the record has. */
static sal_err fill_shared(sal_journal_reader *r, const sal_journal_entry *e, const sal_tile *tile,
                           sal_tile_kept *to)
{
  const int64_t n = sal_config_count(r->journal->sweep);
  const int64_t end = tile->first + tile->count, last = e->first + e->count;
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result from = {0};

  SAL_TRY(sal_journal_read(r, e, &from));
  assert(from.record);
  if (!to->result.record)
    to->result.record = sal_alloc((size_t)(tile->count * n), sizeof *from.record);
  if (!to->result.record) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile's records");
  for (int64_t i = (e->first > tile->first ? e->first : tile->first) * n;
       i < (last < end ? last : end) * n; ++i) {
    const sal_record *one = &from.record[i - e->first * n];
    if (isnan(one->value[SAL_METRIC_OUTCOME])) continue;
    to->done[i - tile->first * n] = true;
    to->result.record[i - tile->first * n] = *one;
  }
  return SAL_OK;
}

sal_err sal_journal_read_partial(sal_journal_reader *r, const sal_tile *tile, sal_tile_kept *to)
{
  const sal_journal *j = r->journal;

  to->fresh = 0;
  to->result = (sal_tile_result){.first = tile->first, .count = tile->count};
  memset(to->done, 0, (size_t)(tile->count * sal_config_count(j->sweep)));
  for (const sal_journal_entry *e = j->entry + j->n_entry; e < j->entry + j->n_entry + j->n_partial;
       ++e) {
    if (e->first >= tile->first + tile->count || tile->first >= e->first + e->count) continue;
    const sal_err err = fill_shared(r, e, tile, to);
    if (err == SAL_ERR_IO)
      sal_err_clear();
    else
      SAL_TRY(err);
  }
  return SAL_OK;
}

sal_err sal_journal_read_range(sal_journal_reader *r, const sal_journal_entry *entry,
                               const double **range)
{
  sal_journal_record_head head;

  SAL_TRY(read_entry(r, entry, sal_journal_file_head, &head));
  *range = r->in->file.range;
  return SAL_OK;
}

void sal_journal_read_end(sal_journal_reader *r)
{
  for (int i = 0; r->in && i < MOST_OPEN; ++i)
    if (r->in->open[i].open) close(r->in->open[i].fd);
  if (r->in) {
    sal_free_all(r->in->file.room, r->in->file.range);
    sal_journal_pack_free(&r->in->pack);
  }
  sal_free(r->in);
  r->in = NULL;
}

/* The sweep in the head of a file, if that is sound. */
static sal_err sweep_in(const char *folder, const char *path, sal_sweep *sweep, bool *found,
                        bool *damaged)
{
  SAL_OWN_BY(sal_journal_file_close) sal_journal_file file = {.fd = -1};

  SAL_TRY(sal_journal_file_open(path, &file));
  *found = file.sound && file.head.version == SAL_JOURNAL_VERSION;
  *damaged = *damaged || (!file.sound && !file.torn);
  if (!*found) return SAL_OK;
  SAL_TRY(sal_journal_design_give(folder, file.text[SAL_JOURNAL_SWEEP]));
  return sal_sweep_parse_results(file.text[SAL_JOURNAL_PATH], file.text[SAL_JOURNAL_SWEEP], sweep);
}

sal_err sal_journal_read_sweep(const char *folder, sal_sweep *sweep)
{
  SAL_OWN sal_journal_name *name = NULL;
  int64_t n = 0, room = 0;
  bool found = false, damaged = false;

  *sweep = (sal_sweep){0};
  SAL_TRY(sal_journal_name_list(folder, 0, &name, &n, &room));
  for (int64_t i = 0; i < n && !found; ++i) {
    char path[PATH_MAX];
    SAL_TRY(sal_journal_name_path(folder, &name[i], path));
    SAL_TRY(sweep_in(folder, path, sweep, &found, &damaged));
  }
  if (found) return SAL_OK;
  if (damaged)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: no journal in it has a sound head; run its part once more, which sets "
                    "damaged ones aside",
                    folder);
  return sal_fail(SAL_ERR_INPUT, "%s: contains no journal of this program", folder);
}
