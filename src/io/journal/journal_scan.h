/** @file src/io/journal/journal_scan.h
 *  What is in the journals, and what is not.
 */
#ifndef SAL_JOURNAL_SCAN_H
#define SAL_JOURNAL_SCAN_H

#include "err.h"
#include "journal_file.h"
#include "journal_list.h"
#include "journal_state.h"

/** Collective.  Reads all records, each of which is checked and shown to the visitor once: file,
 *  entry, cells. */
SAL_MUST_CHECK sal_err sal_journal_scan(sal_journal *journal);

/** Collective.  Adds the records that each rank has written to a journal of its own since the scan
 *  (journal_write.h): they need not be read to be known.  The file in their entries is the number
 *  of the journal, in the only folder. */
SAL_MUST_CHECK sal_err sal_journal_scan_add(sal_journal *journal, const sal_journal_list *written);

/** Adds every whole record of an open journal, of a sweep with these figures, to a list; entries
 *  get `number` as their file.  visitor may be NULL. */
SAL_MUST_CHECK sal_err sal_journal_scan_file(sal_journal_file *file, int64_t number,
                                             uint64_t fingerprint, int64_t n_cell,
                                             int64_t                    n_contender,
                                             const sal_journal_visitor *visitor,
                                             sal_journal_list          *list);

/** The runs of cells that are in no journal; *run [*n] is freed by the caller with sal_free. */
SAL_MUST_CHECK sal_err sal_journal_missing(const sal_journal *journal, sal_tile **run, int64_t *n);

#endif
