/** @file src/io/journal/journal.h
 *  Folders of journals: opened, locked, removed.  Finished tiles lie there on the disk, a run that
 *  was killed goes on from them, and the cube is made from them (journal_state.h).
 */
#ifndef SAL_JOURNAL_H
#define SAL_JOURNAL_H

#include "err.h"
#include "journal_state.h"

/** Collective over comm, which with folder and sweep must outlive it.  Makes the folder if there
 *  is to be written, keeps other runs out, and finds what is done already; `ranges`, or NULL, are
 *  kept with every record.  Journals of another sweep or program are refused with what differs (SAL_ERR_EXISTS),
 *  unless anew.  After a failure, too, sal_journal_close. */
SAL_MUST_CHECK sal_err sal_journal_open(MPI_Comm comm, int n_folder, const char *const folder[],
                                        const sal_sweep *sweep, sal_journal_use use,
                                        const sal_journal_ranges *ranges, sal_journal *journal);
/** Collective.  Frees; removes the folder, if this run has made it and it is empty. */
void sal_journal_close(sal_journal *journal);

/** Collective.  Removes all journals, each rank its share; other files stay, and so does a symbolic link in the place of
 *  the folder, with what it leads to. */
SAL_MUST_CHECK sal_err sal_journal_remove(const sal_journal *journal);

/** Fills folder [PATH_MAX] with OUT.journal, or, of part i of n > 1, OUT.journal.I-of-N. */
SAL_MUST_CHECK sal_err sal_journal_folder(const char *output, int part, int n_part, char folder[]);

#endif
