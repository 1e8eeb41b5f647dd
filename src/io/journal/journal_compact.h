/** @file src/io/journal/journal_compact.h
 *  Few journals from many: what several runs have left of a sweep.
 */
#ifndef SAL_JOURNAL_COMPACT_H
#define SAL_JOURNAL_COMPACT_H

#include "err.h"
#include "journal_state.h"

/** Collective; of journals that were scanned, in a folder that this run has locked.  Removes what an
 *  earlier compaction has left.  Where there are more than four small journals for each node, the
 *  whole records of neighbouring ones are copied into one that takes their place: it gets its name
 *  when it is on the disk, and those that it covers go afterwards, so that a kill at any time neither
 *  loses a record nor leaves one twice (journal_name.h).  A failure leaves the journals as they
 *  were. */
SAL_MUST_CHECK sal_err sal_journal_compact(sal_journal *journal);

#endif
