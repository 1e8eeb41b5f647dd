/** @file src/io/journal/journal_scan.h
 *  What is in the journals, and what is not.
 */
#ifndef SAL_JOURNAL_SCAN_H
#define SAL_JOURNAL_SCAN_H

#include "err.h"
#include "journal_file.h"
#include "journal_list.h"
#include "journal_state.h"

/** Collective.  Files, entries, cells, ranges: from the index of a file, or from its records, each
 *  of which is checked.  A run that writes gives an index to a journal that has none.  A journal of
 *  another sweep is refused (SAL_ERR_EXISTS). */
SAL_MUST_CHECK sal_err sal_journal_scan(sal_journal *journal);

/** Collective.  Adds the records that each rank has written to a journal of its own since the scan
 *  (journal_write.h): they need not be read to be known.  The file in their entries is the number
 *  of the journal, in the only folder. */
SAL_MUST_CHECK sal_err sal_journal_scan_add(sal_journal *journal, const sal_journal_list *written);

/** Adds what an open journal holds to a list; entries get `number` as their file.  Without a sound
 *  index (then *indexed is false) the records are read; `heads`: their heads alone. */
SAL_MUST_CHECK sal_err sal_journal_scan_file(sal_journal_file *file, int64_t number,
                                             const sal_journal_kin *kin, bool heads,
                                             sal_journal_list *list, bool *indexed);

/** Collective.  Reads all that a run that writes believes to be there, and scans anew if some of it
 *  is damaged. */
SAL_MUST_CHECK sal_err sal_journal_verify(sal_journal *journal);

/** Fills range [2][ranges.n] with what this rank knows, so that all ranks together know that of the
 *  entries; reads heads of records where some cells are there twice. */
SAL_MUST_CHECK sal_err sal_journal_scan_ranges(const sal_journal *journal, double range[]);

/** The runs of cells that are in no journal; *run [*n] is freed by the caller with sal_free. */
SAL_MUST_CHECK sal_err sal_journal_missing(const sal_journal *journal, sal_tile **run, int64_t *n);

#endif
