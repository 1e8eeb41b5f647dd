/** @file src/io/journal/journal_index.h
 *  The index at the end of a journal that was closed: where its records lie, and the ranges of all
 *  of them.
 *
 *  head, entries, ranges, then, as the last bytes of the file, where the head is, a checksum of all
 *  that with the fingerprint of the sweep as seed, and a magic number.  It counts when it is sound
 *  and nothing follows it; without one the records are read.
 */
#ifndef SAL_JOURNAL_INDEX_H
#define SAL_JOURNAL_INDEX_H

#include "journal_file.h"
#include "journal_list.h"

/** Appends the index of the records of a list at `end`, the end of the file.  What cannot be written
 *  whole is cut off again: false, and no message, since a journal needs none; nor does it wait for
 *  the disk. */
bool sal_journal_index_write(int fd, int64_t end, uint64_t fingerprint,
                             const sal_journal_list *list);

/** Adds what the index has to a list, with `number` as the entries' file; *found is false when there
 *  is no sound one of a sweep with these figures, or one without the ranges the list has. */
SAL_MUST_CHECK sal_err sal_journal_index_read(const sal_journal_file *file, int64_t number,
                                              uint64_t fingerprint, int64_t n_cell,
                                              sal_journal_list *list, bool *found);

/** May an index begin at this place of the file? */
SAL_MUST_CHECK sal_err sal_journal_index_begins(const sal_journal_file *file, int64_t at,
                                                bool *yes);

/** Takes the index off, so that the next scan reads the records; a file that has none, or that may
 *  not be written to, stays as it is. */
void sal_journal_index_drop(const char *path);

#endif
