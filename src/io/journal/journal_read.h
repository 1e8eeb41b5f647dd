/** @file src/io/journal/journal_read.h
 *  Records back from journals, and the sweep they are of.
 */
#ifndef SAL_JOURNAL_READ_H
#define SAL_JOURNAL_READ_H

#include "err.h"
#include "journal_state.h"

/** Reads entries, each checked again; a bounded number of files stays open.  Zero but for journal
 *  before the first. */
typedef struct {
  const sal_journal *journal;
  struct sal_journal_in *in;
} sal_journal_reader;

/** Reads the records of an entry into a result of new arrays (see sal_tile_result).  A run
 *  that writes drops the index of a file with a damaged record, so that the next one finds out what
 *  is to be done again. */
SAL_MUST_CHECK sal_err sal_journal_read(sal_journal_reader *reader, const sal_journal_entry *entry,
                                        sal_tile_result *result);
/** Reads the ranges of an entry: *range [2][ranges.n], borrowed until the next call. */
SAL_MUST_CHECK sal_err sal_journal_read_range(sal_journal_reader *reader,
                                              const sal_journal_entry *entry, const double **range);
void sal_journal_read_end(sal_journal_reader *reader);

/** The sweep that journals are of, from the first file in the folder with a sound head. */
SAL_MUST_CHECK sal_err sal_journal_read_sweep(const char *folder, sal_sweep *sweep);

#endif
