/** Indexes of journals. */
#include "base.h"
#include "journal_private.h"
#include "plain_file.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static const uint64_t index_magic = 0xb7d3f05a91e46c27U, end_magic = 0xe58c1b94f2a7630dU;

typedef struct {
  uint64_t magic;
  int64_t n, n_range, n_damaged;
  int64_t before, goal; /* of the last run (journal_state.h) */
  double started;
} index_head;

typedef struct {
  int64_t first, count, lacking, offset;
} index_entry;

typedef struct {
  int64_t begin; /* of the head */
  uint64_t sum;  /* of head, entries, ranges and begin */
  uint64_t magic;
} index_end;

static uint64_t index_sum(const char *block, size_t n, int64_t begin, uint64_t fingerprint)
{
  return XXH3_64bits_withSeed(block, n, fingerprint ^ (uint64_t)begin);
}

static size_t block_bytes(int64_t n, int64_t n_range)
{
  return sizeof(index_head) + (size_t)n * sizeof(index_entry) +
         2 * (size_t)n_range * sizeof(double);
}

/* Fills block [block_bytes]. */
static void fill_block(const sal_journal_list *list, char *block)
{
  const index_head head = {index_magic,  list->n,    list->n_range, list->n_damaged,
                           list->before, list->goal, list->started};

  memcpy(block, &head, sizeof head);
  block += sizeof head;
  for (int64_t i = 0; i < list->n; ++i, block += sizeof(index_entry)) {
    const sal_journal_entry *e = &list->entry[i];
    const index_entry entry = {e->first, e->count, e->lacking, e->offset};
    memcpy(block, &entry, sizeof entry);
  }
  for (int64_t i = 0; i < 2 * list->n_range; ++i, block += sizeof(double)) {
    const double none = i < list->n_range ? INFINITY : -INFINITY; /* of no record */
    const double value = list->range ? list->range[i] : none;
    memcpy(block, &value, sizeof value);
  }
}

bool sal_journal_index_write(int fd, int64_t end, uint64_t fingerprint,
                             const sal_journal_list *list)
{
  const size_t n = block_bytes(list->n, list->n_range);
  SAL_OWN char *block = sal_alloc(n + sizeof(index_end), 1);

  if (!block) return false;
  fill_block(list, block);
  const index_end last = {end, index_sum(block, n, end, fingerprint), end_magic};
  memcpy(block + n, &last, sizeof last);
  const bool whole = sal_plain_file_write(fd, end, block, n + sizeof last);
  if (!whole && ftruncate(fd, (off_t)end)) return false; /* a torn one is passed over, too */
  return whole;
}

/* Reads the last bytes of a file, and returns whether they can be those of an index. */
static bool read_end(int fd, int64_t size, index_end *last)
{
  const int64_t at = size - (int64_t)sizeof *last;

  return at > 0 && pread(fd, last, sizeof *last, (off_t)at) == (ssize_t)sizeof *last &&
         last->magic == end_magic && last->begin >= 0 &&
         last->begin <= at - (int64_t)sizeof(index_head);
}

/* Do head and entries fit the block, the file and the sweep? */
static bool fits(const char *block, size_t n, int64_t begin, int64_t n_cell,
                 const sal_journal_list *list)
{
  index_head head;
  index_entry e;

  memcpy(&head, block, sizeof head);
  if (head.magic != index_magic || head.n < 0 || head.n > (int64_t)(n / sizeof e) ||
      head.n_range < 0 || head.n_range > (int64_t)(n / sizeof(double)) ||
      block_bytes(head.n, head.n_range) != n)
    return false;
  if (list->n_range && head.n_range != list->n_range) return false;
  for (int64_t i = 0; i < head.n; ++i) {
    memcpy(&e, block + sizeof head + (size_t)i * sizeof e, sizeof e);
    if (e.first < 0 || e.count < 1 || e.first >= n_cell || e.count > n_cell - e.first ||
        e.offset < 0 || e.offset >= begin || e.lacking < 0)
      return false;
  }
  return true;
}

static sal_err take_block(const char *block, int64_t number, sal_journal_list *list)
{
  index_head head;
  index_entry e;

  memcpy(&head, block, sizeof head);
  block += sizeof head;
  list->n_damaged += head.n_damaged;
  list->started = head.started;
  list->goal = head.goal;
  list->before = list->n + head.before;
  for (int64_t i = 0; i < head.n; ++i, block += sizeof e) {
    memcpy(&e, block, sizeof e);
    SAL_TRY(sal_journal_list_add(list, &(sal_journal_entry){.first = e.first,
                                                            .count = e.count,
                                                            .lacking = e.lacking,
                                                            .file = number,
                                                            .offset = e.offset}));
  }
  return list->n_range ? sal_journal_list_widen(list, (const double *)(const void *)block) : SAL_OK;
}

sal_err sal_journal_index_read(const sal_journal_file *file, int64_t number, uint64_t fingerprint,
                               int64_t n_cell, sal_journal_list *list, bool *found)
{
  index_end last;
  size_t got = 0;

  *found = false;
  if (!read_end(file->fd, file->size, &last)) return SAL_OK;
  const size_t n = (size_t)(file->size - (int64_t)sizeof last - last.begin);
  SAL_OWN char *block = sal_alloc(n, 1);
  if (!block) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for its index", file->path);
  SAL_TRY(sal_journal_file_read(file, last.begin, n, block, &got));
  *found = got == n && last.sum == index_sum(block, n, last.begin, fingerprint) &&
           fits(block, n, last.begin, n_cell, list);
  if (*found) list->end = last.begin;
  return *found ? take_block(block, number, list) : SAL_OK;
}

sal_err sal_journal_index_begins(const sal_journal_file *file, int64_t at, bool *yes)
{
  uint64_t magic = 0;
  size_t got;

  SAL_TRY(sal_journal_file_read(file, at, sizeof magic, &magic, &got));
  *yes = got == sizeof magic && magic == index_magic;
  return SAL_OK;
}

void sal_journal_index_drop(const char *path)
{
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  struct stat about;
  index_end last;

  if (fd < 0) return;
  if (fstat(fd, &about) == 0 && read_end(fd, (int64_t)about.st_size, &last) &&
      ftruncate(fd, (off_t)last.begin) == 0)
    fdatasync(fd);
  close(fd);
}
