/** The bytes of a journal. */
#include "array.h"
#include "base.h"
#include "journal_private.h"
#include "plain_file.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { MAX_TEXT = 1 << 28, WINDOW = 1 << 16 };

uint64_t sal_journal_head_sum(const sal_journal_head *head, const char *const text[])
{
  XXH3_state_t *state = XXH3_createState();
  uint64_t sum = 0;

  if (!state) return 0;
  XXH3_64bits_reset(state);
  XXH3_64bits_update(state, head, sizeof *head);
  for (int i = 0; i < SAL_N_JOURNAL_TEXT; ++i)
    XXH3_64bits_update(state, text[i], (size_t)head->text_bytes[i]);
  sum = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return sum;
}

uint64_t sal_journal_fingerprint(const char *identity)
{
  return XXH3_64bits(identity, strlen(identity));
}

sal_err sal_journal_file_read(const sal_journal_file *file, int64_t offset, size_t n, void *to,
                              size_t *got)
{
  for (*got = 0; *got < n;) {
    const ssize_t part =
        pread(file->fd, (char *)to + *got, n - *got, (off_t)(offset + (int64_t)*got));
    if (part == 0) break;
    if (part < 0 && errno != EINTR) return sal_journal_name_fail(file->path, "read");
    if (part > 0) *got += (size_t)part;
  }
  return SAL_OK;
}

/* Reads n bytes into the file's room. */
static sal_err fill_room(sal_journal_file *file, int64_t offset, size_t n, bool *all)
{
  char *room = sal_array_grow(file->room, 0, (int64_t)n, &file->n_room, 1);
  size_t got;

  if (!room) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for a record", file->path);
  file->room = room;
  SAL_TRY(sal_journal_file_read(file, offset, n, room, &got));
  *all = got == n;
  return SAL_OK;
}

/* Bytes of the texts after a head; -1: the head is none. */
static int64_t texts_of(const sal_journal_head *h)
{
  int64_t n = 0;

  if (memcmp(h->magic, SAL_JOURNAL_MAGIC, sizeof h->magic) != 0) return -1;
  for (int i = 0; i < SAL_N_JOURNAL_TEXT; ++i) {
    if (h->text_bytes[i] < 0 || h->text_bytes[i] > MAX_TEXT) return -1;
    n += h->text_bytes[i];
  }
  return n;
}

/* Copies the texts from the file's room. */
static sal_err take_texts(sal_journal_file *file)
{
  const char *from = file->room;

  for (int i = 0; i < SAL_N_JOURNAL_TEXT; ++i) {
    const size_t n = (size_t)file->head.text_bytes[i];
    file->text[i] = sal_alloc(n + 1, 1);
    if (!file->text[i]) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for its head", file->path);
    memcpy(file->text[i], from, n);
    from += n;
  }
  return SAL_OK;
}

/* Tests the first n bytes of a file. */
static bool begins_as_ours(const char bytes[], size_t n)
{
  const size_t all = sizeof((sal_journal_head *)0)->magic;

  return memcmp(bytes, SAL_JOURNAL_MAGIC, n < all ? n : all) == 0;
}

bool sal_journal_file_is_ours(const char *path)
{
  sal_journal_file file = {.path = path};
  char bytes[sizeof file.head.magic];
  size_t n = 0;
  bool ours = false;

  if (sal_plain_file_open(path, "a journal", &file.fd) == SAL_OK)
    ours = sal_journal_file_read(&file, 0, sizeof bytes, bytes, &n) == SAL_OK &&
           begins_as_ours(bytes, n);
  else
    sal_err_clear();
  if (file.fd >= 0) close(file.fd);
  return ours;
}

/* The head and its texts, unless they are damaged. */
static sal_err read_head(sal_journal_file *file)
{
  sal_journal_head *h = &file->head;
  size_t got;
  uint64_t sum;
  bool all = false;

  SAL_TRY(sal_journal_file_read(file, 0, sizeof *h, h, &got));
  const int64_t n = got < sizeof *h ? -1 : texts_of(h);
  file->torn = got < sizeof *h && begins_as_ours(h->magic, got);
  if (n < 0) return SAL_OK;
  file->torn = (int64_t)(sizeof *h + sizeof sum) + n > file->size;
  if (file->torn) return SAL_OK;
  SAL_TRY(fill_room(file, (int64_t)sizeof *h, (size_t)n + sizeof sum, &all));
  if (!all) return SAL_OK;
  memcpy(&sum, file->room + n, sizeof sum);
  SAL_TRY(take_texts(file));
  file->sound = sum == sal_journal_head_sum(h, (const char *const *)file->text);
  return SAL_OK;
}

sal_err sal_journal_file_open(const char *path, sal_journal_file *file)
{
  struct stat about;

  *file = (sal_journal_file){.path = path};
  SAL_TRY(sal_plain_file_open(path, "a journal", &file->fd));
  if (fstat(file->fd, &about)) return sal_journal_name_fail(path, "read");
  file->size = (int64_t)about.st_size;
  file->written = (double)about.st_mtim.tv_sec + 1e-9 * (double)about.st_mtim.tv_nsec;
  return read_head(file);
}

void sal_journal_file_close(sal_journal_file *file)
{
  if (file->fd >= 0) close(file->fd);
  for (int i = 0; i < SAL_N_JOURNAL_TEXT; ++i) sal_free(file->text[i]);
  sal_free_all(file->room, file->range);
  *file = (sal_journal_file){.fd = -1};
}

int64_t sal_journal_file_begin(const sal_journal_file *file)
{
  return file->sound ? (int64_t)(sizeof file->head + sizeof(uint64_t)) + texts_of(&file->head) : 0;
}

/* The ranges after a head that fits the sweep and the file. */
static sal_err read_ranges(sal_journal_file *file, int64_t offset, int64_t n, bool *all)
{
  const size_t bytes = sal_journal_record_range_bytes(n);
  double *range = sal_array_grow(file->range, 0, 2 * n + 1, &file->n_range_room, sizeof *range);
  size_t got;

  if (!range) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for ranges", file->path);
  file->range = range;
  SAL_TRY(sal_journal_file_read(file, offset, bytes, range, &got));
  *all = got == bytes;
  return SAL_OK;
}

sal_err sal_journal_file_head(sal_journal_file *file, int64_t offset, const sal_journal_kin *kin,
                              sal_journal_record_head *head, bool *sound)
{
  size_t got;

  *sound = false;
  SAL_TRY(sal_journal_file_read(file, offset, sizeof *head, head, &got));
  if (got < sizeof *head || !sal_journal_record_fits(head, kin->n_cell, kin->n_config) ||
      sal_journal_record_size(head) > file->size - offset)
    return SAL_OK;
  SAL_TRY(read_ranges(file, offset + (int64_t)sizeof *head, head->n_range, sound));
  *sound = *sound && sal_journal_record_head_sound(head, kin->fingerprint, file->range);
  return SAL_OK;
}

sal_err sal_journal_file_record(sal_journal_file *file, int64_t offset, const sal_journal_kin *kin,
                                sal_journal_record_head *head, bool *whole)
{
  uint64_t sum;

  SAL_TRY(sal_journal_file_head(file, offset, kin, head, whole));
  if (!*whole) return SAL_OK;
  const size_t n = (size_t)sal_journal_record_size(head) - sizeof sum;
  SAL_TRY(fill_room(file, offset, n + sizeof sum, whole));
  if (!*whole) return SAL_OK;
  memcpy(&sum, file->room + n, sizeof sum);
  *whole = sum == sal_journal_record_sum(head, file->room + n - head->bytes);
  return SAL_OK;
}

sal_err sal_journal_file_seek(sal_journal_file *file, int64_t offset, int64_t *found)
{
  static const uint64_t magic = SAL_JOURNAL_RECORD_MAGIC;
  char window[WINDOW];
  size_t got;

  for (*found = -1; offset < file->size;) {
    SAL_TRY(sal_journal_file_read(file, offset, sizeof window, window, &got));
    const char *at = memmem(window, got, &magic, sizeof magic);
    if (at) *found = offset + (at - window);
    if (at || got < sizeof window) break;
    offset += (int64_t)(got - sizeof magic + 1); /* one may lie across the border */
  }
  return SAL_OK;
}
