/** @file src/io/journal/journal_file.h
 *  The bytes of a journal.
 *
 *  head, texts, checksum of both; then records: head, cell records [count], trajectory
 *  records [count][contenders], checksum of all that with the fingerprint as seed (XXH3, 64 bits).
 */
#ifndef SAL_JOURNAL_FILE_H
#define SAL_JOURNAL_FILE_H

#include "err.h"
#include "tile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAL_JOURNAL_MAGIC "saltus\nj"
enum { SAL_JOURNAL_VERSION = 1 };

/** Texts behind the head: what results depend on; the sweep file's path, and its text as run. */
enum { SAL_JOURNAL_IDENTITY, SAL_JOURNAL_PATH, SAL_JOURNAL_SWEEP, SAL_N_JOURNAL_TEXT };

typedef struct {
  char     magic[8];
  uint32_t version;
  uint32_t n_cell_metric, n_metric, n_contender;
  int64_t  n_cell;
  uint64_t fingerprint;
  double   started;
  int64_t  goal; /* cells the run was to have in the end */
  int64_t  text_bytes[SAL_N_JOURNAL_TEXT];
} sal_journal_head;

typedef struct {
  uint64_t magic;
  int64_t  bytes; /* of the payload */
  int64_t  first, count;
} sal_record_head;

/** A new record's head. */
sal_record_head sal_journal_record_head_of(int64_t first, int64_t count, int64_t n_contender);
/** Its payload and the checksum behind it; both arrays as in sal_tile_result. */
uint64_t sal_journal_record_sum(uint64_t fingerprint, const sal_record_head *head,
                                const sal_cell_record *cell, const sal_record *record);

uint64_t sal_journal_fingerprint(const char *identity);
/** The checksum of a head and its texts. */
uint64_t sal_journal_head_sum(const sal_journal_head *head, const char *const text[]);

/** An open journal and room for what is read from it; close it with sal_journal_file_close. */
typedef struct {
  int              fd;
  const char      *path;
  int64_t          size;
  double           written; /* last write, seconds since 1970 */
  bool             sound;   /* the head is whole; else it and the texts mean nothing */
  sal_journal_head head;
  char            *text[SAL_N_JOURNAL_TEXT];
  char            *room; /* a record's bytes */
  size_t           n_room;
} sal_journal_file;

/** Opens for reading; a damaged head is no failure. */
SAL_MUST_CHECK sal_err sal_journal_file_open(const char *path, sal_journal_file *file);
void                   sal_journal_file_close(sal_journal_file *file);

/** Where the first record may begin. */
int64_t sal_journal_file_begin(const sal_journal_file *file);

/** Is there a whole record at `offset`, of a sweep with this fingerprint, n_cell cells and
 *  n_contender contenders?  Then *head is its head and file->room has its payload. */
SAL_MUST_CHECK sal_err sal_journal_file_record(sal_journal_file *file, int64_t offset,
                                               uint64_t fingerprint, int64_t n_cell,
                                               int64_t n_contender, sal_record_head *head,
                                               bool *whole);
/** That payload as the result it is, borrowed until the next call. */
sal_tile_result sal_journal_file_result(const sal_journal_file *file, const sal_record_head *head);
/** Bytes of a record with its head and checksum. */
int64_t sal_journal_record_size(const sal_record_head *head);

/** The next place from `offset` on where a record may begin; -1: none. */
SAL_MUST_CHECK sal_err sal_journal_file_seek(sal_journal_file *file, int64_t offset,
                                             int64_t *found);

/** Fills path [PATH_MAX] with FOLDER/NNNN.sal. */
SAL_MUST_CHECK sal_err sal_journal_file_name(const char *folder, int64_t number, char path[]);
/** The numbers of all journals in a folder, ascending; *number is freed with sal_free. */
SAL_MUST_CHECK sal_err sal_journal_file_list(const char *folder, int64_t **number, int64_t *n);

/** "path: cannot be read: ..." of errno. */
sal_err sal_journal_file_fail(const char *path, const char *what);

#endif
