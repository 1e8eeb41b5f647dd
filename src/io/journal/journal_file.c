/** @file src/io/journal/journal_file.c
 *  The bytes of a journal.
 */
#include "journal_file.h"
#include "memory.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { MAX_TEXT = 1 << 28, WINDOW = 1 << 16 };

/* no text, no small number, no double of note */
static const uint64_t record_magic = 0x9c1fe2d377c0a85bU;

static int64_t payload_bytes(int64_t count, int64_t n_contender)
{
  return count * ((int64_t)sizeof(sal_cell_record) + n_contender * (int64_t)sizeof(sal_record));
}

sal_record_head sal_journal_record_head_of(int64_t first, int64_t count, int64_t n_contender)
{
  return (sal_record_head){record_magic, payload_bytes(count, n_contender), first, count};
}

int64_t sal_journal_record_size(const sal_record_head *head)
{
  return (int64_t)sizeof *head + head->bytes + (int64_t)sizeof(uint64_t);
}

uint64_t sal_journal_record_sum(uint64_t fingerprint, const sal_record_head *head,
                                const sal_cell_record *cell, const sal_record *record)
{
  const size_t  cells = (size_t)head->count * sizeof *cell;
  XXH3_state_t *state = XXH3_createState();
  uint64_t      sum   = 0;

  if (!state) return 0; /* such a record reads as damaged */
  XXH3_64bits_reset_withSeed(state, fingerprint);
  XXH3_64bits_update(state, head, sizeof *head);
  XXH3_64bits_update(state, cell, cells);
  XXH3_64bits_update(state, record, (size_t)head->bytes - cells);
  sum = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return sum;
}

uint64_t sal_journal_head_sum(const sal_journal_head *head, const char *const text[])
{
  XXH3_state_t *state = XXH3_createState();
  uint64_t      sum   = 0;

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

sal_err sal_journal_file_fail(const char *path, const char *what)
{
  return sal_fail(SAL_ERR_IO, "%s: cannot be %s: %s", path, what, strerror(errno));
}

/* n bytes from `offset`, or fewer at the end of the file: *got. */
static sal_err read_at(const sal_journal_file *file, int64_t offset, size_t n, void *to,
                       size_t *got)
{
  for (*got = 0; *got < n;) {
    const ssize_t part =
        pread(file->fd, (char *)to + *got, n - *got, (off_t)(offset + (int64_t)*got));
    if (part == 0) break;
    if (part < 0 && errno != EINTR) return sal_journal_file_fail(file->path, "read");
    if (part > 0) *got += (size_t)part;
  }
  return SAL_OK;
}

/* Reads n bytes into the file's room. */
static sal_err fill_room(sal_journal_file *file, int64_t offset, size_t n, bool *all)
{
  size_t got;

  if (n > file->n_room) {
    sal_free(file->room);
    file->n_room = 0;
    file->room   = sal_alloc(n, 1);
    if (!file->room) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for a record", file->path);
    file->n_room = n;
  }
  SAL_TRY(read_at(file, offset, n, file->room, &got));
  *all = got == n;
  return SAL_OK;
}

/* Bytes of the texts behind a head; -1: the head is none. */
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
    file->text[i]  = sal_alloc(n + 1, 1);
    if (!file->text[i]) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for its head", file->path);
    memcpy(file->text[i], from, n);
    from += n;
  }
  return SAL_OK;
}

/* The head and its texts, unless they are damaged. */
static sal_err read_head(sal_journal_file *file)
{
  sal_journal_head *h = &file->head;
  size_t            got;
  uint64_t          sum;
  bool              all = false;

  SAL_TRY(read_at(file, 0, sizeof *h, h, &got));
  const int64_t n = got < sizeof *h ? -1 : texts_of(h);
  if (n < 0 || n > file->size) return SAL_OK;
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

  *file    = (sal_journal_file){.path = path};
  file->fd = open(path, O_RDONLY | O_CLOEXEC);
  if (file->fd < 0 || fstat(file->fd, &about)) return sal_journal_file_fail(path, "read");
  file->size    = (int64_t)about.st_size;
  file->written = (double)about.st_mtim.tv_sec + 1e-9 * (double)about.st_mtim.tv_nsec;
  return read_head(file);
}

void sal_journal_file_close(sal_journal_file *file)
{
  if (file->fd >= 0) close(file->fd);
  for (int i = 0; i < SAL_N_JOURNAL_TEXT; ++i) sal_free(file->text[i]);
  sal_free(file->room);
  *file = (sal_journal_file){.fd = -1};
}

int64_t sal_journal_file_begin(const sal_journal_file *file)
{
  return file->sound ? (int64_t)(sizeof file->head + sizeof(uint64_t)) + texts_of(&file->head) : 0;
}

sal_tile_result sal_journal_file_result(const sal_journal_file *file, const sal_record_head *head)
{
  char *records = file->room + (size_t)head->count * sizeof(sal_cell_record);

  return (sal_tile_result){.first  = head->first,
                           .count  = head->count,
                           .cell   = (sal_cell_record *)file->room,
                           .record = (sal_record *)records};
}

sal_err sal_journal_file_record(sal_journal_file *file, int64_t offset, uint64_t fingerprint,
                                int64_t n_cell, int64_t n_contender, sal_record_head *head,
                                bool *whole)
{
  size_t   got;
  uint64_t sum;

  *whole = false;
  SAL_TRY(read_at(file, offset, sizeof *head, head, &got));
  if (got < sizeof *head || head->magic != record_magic) return SAL_OK;
  if (head->first < 0 || head->count < 1 || head->first >= n_cell ||
      head->count > n_cell - head->first ||
      head->bytes != payload_bytes(head->count, n_contender) ||
      sal_journal_record_size(head) > file->size - offset)
    return SAL_OK;
  const size_t n = (size_t)head->bytes;
  SAL_TRY(fill_room(file, offset + (int64_t)sizeof *head, n + sizeof sum, whole));
  if (!*whole) return SAL_OK;
  memcpy(&sum, file->room + n, sizeof sum);
  const sal_tile_result result = sal_journal_file_result(file, head);
  *whole = sum == sal_journal_record_sum(fingerprint, head, result.cell, result.record);
  return SAL_OK;
}

sal_err sal_journal_file_seek(sal_journal_file *file, int64_t offset, int64_t *found)
{
  char   window[WINDOW];
  size_t got;

  for (*found = -1; offset < file->size;) {
    SAL_TRY(read_at(file, offset, sizeof window, window, &got));
    const char *at = memmem(window, got, &record_magic, sizeof record_magic);
    if (at) *found = offset + (at - window);
    if (at || got < sizeof window) break;
    offset += (int64_t)(got - sizeof record_magic + 1); /* one may lie across the border */
  }
  return SAL_OK;
}

sal_err sal_journal_file_name(const char *folder, int64_t number, char path[])
{
  if (snprintf(path, PATH_MAX, "%s/%04lld.sal", folder, (long long)number) < PATH_MAX)
    return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: the name is too long", folder);
}

/* The number of a file that is named like a journal; -1: another file. */
static int64_t number_of(const char *name)
{
  char           *end;
  const long long n = strtoll(name, &end, 10);

  return name[0] >= '0' && name[0] <= '9' && n < INT_MAX && strcmp(end, ".sal") == 0 ? n : -1;
}

static int by_number(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

  return (x > y) - (x < y);
}

static sal_err add_number(int64_t found, int64_t **number, int64_t *n, int64_t *room)
{
  if (*n == *room) {
    int64_t *moved = sal_alloc((size_t)(2 * *room + 64), sizeof *moved);
    if (!moved) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of journals");
    if (*n) memcpy(moved, *number, (size_t)*n * sizeof *moved);
    sal_free(*number);
    *number = moved;
    *room   = 2 * *room + 64;
  }
  (*number)[(*n)++] = found;
  return SAL_OK;
}

sal_err sal_journal_file_list(const char *folder, int64_t **number, int64_t *n)
{
  DIR    *dir  = opendir(folder);
  int64_t room = 0;
  sal_err err  = SAL_OK;

  *number = NULL;
  *n      = 0;
  if (!dir) return sal_journal_file_fail(folder, "read");
  for (const struct dirent *e; err == SAL_OK && (e = readdir(dir));) {
    const int64_t found = number_of(e->d_name);
    if (found >= 0) err = add_number(found, number, n, &room);
  }
  closedir(dir);
  if (*n) qsort(*number, (size_t)*n, sizeof **number, by_number);
  return err;
}
