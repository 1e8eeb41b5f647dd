/** @file src/io/journal/journal_bytes.h
 *  Pieces of memory to a place in a journal, and its head.
 */
#ifndef SAL_JOURNAL_BYTES_H
#define SAL_JOURNAL_BYTES_H

#include "err.h"
#include "journal_state.h"
#include <stddef.h>

typedef struct {
  const void *data;
  size_t size;
} sal_journal_piece;

/** Writes them one after the other from *end on, which moves.  After a failure *end is where it
 *  was, and the file is cut there. */
SAL_MUST_CHECK sal_err sal_journal_bytes_write(int fd, const char *path, int n,
                                               const sal_journal_piece piece[], int64_t *end);
/** Writes head and texts of a journal of a run that was begun at `started`, as above. */
SAL_MUST_CHECK sal_err sal_journal_bytes_head(const sal_journal *journal, int fd, const char *path,
                                              double started, int64_t goal, int64_t *end);

#endif
