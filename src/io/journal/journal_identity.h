/** @file src/io/journal/journal_identity.h
 *  What results depend on, as text, and whether a journal is of the same.
 */
#ifndef SAL_JOURNAL_IDENTITY_H
#define SAL_JOURNAL_IDENTITY_H

#include "err.h"
#include "journal_file.h"
#include "journal_state.h"

/** Fills identity and fingerprint of journals, whose sweep is known. */
SAL_MUST_CHECK sal_err sal_journal_identity_set(sal_journal *journal);
/** Refuses (SAL_ERR_EXISTS) a journal of another sweep or program, with what differs.  A damaged
 *  head tells nothing; the checksums of the records do. */
SAL_MUST_CHECK sal_err sal_journal_identity_check(const sal_journal *journal,
                                                  const sal_journal_file *file);
/** What records of these journals have to fit. */
sal_journal_kin sal_journal_identity_kin(const sal_journal *journal);

#endif
