/** @file src/io/journal/journal_file.h
 *  The bytes of a journal.
 *
 *  Head, texts, checksum of both; then records (journal_record.h); then an index (journal_index.h),
 *  if it was closed.
 */
#ifndef SAL_JOURNAL_FILE_H
#define SAL_JOURNAL_FILE_H

#include "err.h"
#include "journal_record.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAL_JOURNAL_MAGIC "saltus\nj"
enum { SAL_JOURNAL_VERSION = 2 };

/** Texts after the head: what results depend on; the sweep file's path, and its text as run. */
enum { SAL_JOURNAL_IDENTITY, SAL_JOURNAL_PATH, SAL_JOURNAL_SWEEP, SAL_N_JOURNAL_TEXT };

typedef struct {
  char magic[8];
  uint32_t version;
  uint32_t n_cell_metric, n_metric, n_contender;
  int64_t n_cell;
  uint64_t fingerprint;
  double started;
  int64_t goal; /* cells the run was to have in the end */
  int64_t text_bytes[SAL_N_JOURNAL_TEXT];
} sal_journal_head;

uint64_t sal_journal_fingerprint(const char *identity);
/** The checksum of a head and its texts. */
uint64_t sal_journal_head_sum(const sal_journal_head *head, const char *const text[]);

/** An open journal and room for what is read from it; close it with sal_journal_file_close. */
typedef struct {
  int fd;
  const char *path;
  int64_t size;
  double written; /* last write, seconds since 1970 */
  bool sound;     /* the head is whole; else it and the texts mean nothing */
  bool torn;      /* the file ends before the head does: a run was killed as it began */
  sal_journal_head head;
  char *text[SAL_N_JOURNAL_TEXT];
  char *room;    /* a record's cell and trajectory records, and the checksum after */
  double *range; /* [2][n_range] of the record */
  size_t n_room, n_range_room;
} sal_journal_file;

/** Opens for reading; a damaged head is no failure. */
SAL_MUST_CHECK sal_err sal_journal_file_open(const char *path, sal_journal_file *file);
void sal_journal_file_close(sal_journal_file *file);

/** Does it begin as a journal does, or is it empty?  Nothing else is ever removed. */
bool sal_journal_file_is_ours(const char *path);

/** Where the first record may begin. */
int64_t sal_journal_file_begin(const sal_journal_file *file);

/** What is to be looked for in a journal. */
typedef struct {
  uint64_t fingerprint;
  int64_t n_cell, n_contender;
} sal_journal_kin;

/** Is there the sound head of a record that lies in the file at `offset`, of such a sweep?  Then
 *  *head is it, and file->range has its ranges. */
SAL_MUST_CHECK sal_err sal_journal_file_head(sal_journal_file *file, int64_t offset,
                                             const sal_journal_kin *kin,
                                             sal_journal_record_head *head, bool *sound);
/** The same of a whole record; file->room has what it holds. */
SAL_MUST_CHECK sal_err sal_journal_file_record(sal_journal_file *file, int64_t offset,
                                               const sal_journal_kin *kin,
                                               sal_journal_record_head *head, bool *whole);
/** n bytes from `offset`, or fewer at the end of the file: *got. */
SAL_MUST_CHECK sal_err sal_journal_file_read(const sal_journal_file *file, int64_t offset, size_t n,
                                             void *to, size_t *got);

/** The next place from `offset` on where a record may begin; -1: none. */
SAL_MUST_CHECK sal_err sal_journal_file_seek(sal_journal_file *file, int64_t offset,
                                             int64_t *found);

#endif
